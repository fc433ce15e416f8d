import { ERROR_STATUS, type ErrorType } from '#kernel/errors.ts'
import { kindOfId } from '#kernel/ids.ts'
import type { PlatformTx, Tx } from '#system/postgres/database.ts'
import type { Edge, ServedRoute } from './edge.ts'
import type { Exchange } from './exchange.ts'
import type { Action } from './ports.ts'
import type { Route } from './route.ts'

type Answer = Awaited<ReturnType<Route['run']>>
type Done = { readonly exchange: Exchange; readonly answer: Answer; readonly body: unknown }
/** Where the work was done; `null` where it had no transaction of ours. */
type Within = { readonly tx: Tx } | { readonly ptx: PlatformTx } | null

/** In the transaction of what was done, so that an app's doing and its trace are there together or not at all. */
export async function recordDone(edge: Edge, served: ServedRoute, done: Done, within: Within): Promise<void> {
  const { actions } = edge.ports
  const { exchange, answer, body } = done
  const action = actionBy(served, exchange)
  if (actions === undefined || action === null || answer.unchanged === true || saysUnchanged(answer.body)) return
  const changedFields = served.route.method === 'PATCH' ? givenFields(served.route, body) : null
  // Who gave no field that there is has changed none.
  if (changedFields?.length === 0) return
  const told: Action = {
    ...action,
    resourceId: idIn(answer.body) ?? action.resourceId,
    changedFields,
  }
  if (within === null) actions.after({ ...told, status: 'success' })
  else if ('tx' in within) await actions.within(within.tx, told)
  else await actions.onPlatform(within.ptx, told)
}

/**
 * What the user need not see: that a credential was none, that the app was too fast, and that we were not able to do
 * anything (nor, then, to write it down).
 */
const UNTOLD: ReadonlySet<string> = new Set<ErrorType>(['invalid_token', 'rate_limit_exceeded', 'unavailable'])

/** After the fact and at nobody's expense: the rejected request does not wait for it. */
export function recordRefused({ ports }: Edge, exchange: Exchange, errorType: string): void {
  const { served } = exchange
  if (ports.actions === undefined || served === null || UNTOLD.has(errorType)) return
  const action = actionBy(served, exchange)
  if (action === null) return
  const denied = Object.hasOwn(ERROR_STATUS, errorType) && ERROR_STATUS[errorType as ErrorType] === 403
  ports.actions.after({ ...action, changedFields: null, status: denied ? 'denied' : 'failure', errorType })
}

/** Null where no app acted for a person. */
function actionBy(
  { action }: ServedRoute,
  { caller, id, params, body }: Exchange,
): Omit<Action, 'changedFields'> | null {
  if (action === null || (caller?.kind !== 'user' && caller?.kind !== 'installation')) return null
  return { caller, name: action, requestId: id, resourceId: idInPath(params) ?? idGiven(body) }
}

/** The thing a path ends at. Only what has the form of an id: a path holds whatever a person typed. */
function idInPath(params: unknown): string | null {
  const last: unknown = Object.values(params ?? {}).at(-1)
  return kindOfId(last) === null ? null : String(last)
}

/** What the app said it was about, where no path says so: again only what has the form of an id. */
function idGiven(body: unknown): string | null {
  const id = fieldOf(body, 'resource_id')
  return kindOfId(id) === null ? null : String(id)
}

/** The id of what an answer is about, which a request that creates it could not name. */
function idIn(body: unknown): string | null {
  const id = fieldOf(fieldOf(body, 'data'), 'id')
  return kindOfId(id) === null ? null : String(id)
}

/** "Idempotent, changed true or false": where nothing has changed there is nothing to tell. */
function saysUnchanged(body: unknown): boolean {
  return fieldOf(fieldOf(fieldOf(body, 'data'), 'attributes'), 'changed') === false
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

/** Names that the route declares, never values. */
function givenFields({ schema }: Route, body: unknown): readonly string[] {
  const declared = fieldOf(schema.body, 'properties')
  return Object.keys(body ?? {}).filter((name) => fieldOf(declared, name) !== undefined)
}

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
