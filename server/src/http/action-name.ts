import type { Route } from './route.ts'

/** Dotted words, the noun first: what a user filters their activity by, so a name given out once stays. */
const NAME = /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+$/
const NAME_CHARS_MAX = 100

/**
 * The name under which a route's work is shown to the user it was done for, or null for a route that does nothing of the
 * kind: one that reads, one for people or for the host platform, and the sandbox, which plays what the platform does.
 * A route that names nothing is named after its method and path, so that none can be forgotten.
 */
export function actionOf(route: Route): string | null {
  const { access, method, action } = route
  if (method === 'GET' || access.kind !== 'token' || access.sandboxOnly === true) return null
  if (access.holders.every((holder) => holder === 'operator')) return null
  const name = action ?? nameAfterPath(route)
  if (!NAME.test(name) || name.length > NAME_CHARS_MAX) throw new Error(`${route.operation}: ${name} names no action`)
  return name
}

const VERB = { POST: 'create', PUT: 'set', PATCH: 'update', DELETE: 'delete', GET: 'read' } as const

/** `POST /webhook_endpoints/:id/reenable` is `webhook_endpoints.reenable`: what creates nothing names its own verb. */
function nameAfterPath({ method, path, schema }: Pick<Route, 'method' | 'path' | 'schema'>): string {
  const parts = path.replace(/^\/users\/me\/(?=.)/, '/').split('/')
  const words = parts.filter((part) => /^[a-z]/.test(part)).map((part) => part.toLowerCase().replace(/[^a-z0-9]/g, '_'))
  const ownVerb = method === 'POST' && words.length > 1 && !/:\w+$/.test(path) && schema.response[201] === undefined
  return [...words, ...(ownVerb ? [] : [VERB[method]])].join('.')
}
