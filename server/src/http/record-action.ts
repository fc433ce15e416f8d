import { ERROR_STATUS, type ErrorType } from '#kernel/errors.ts'
import { kindOfId } from '#kernel/ids.ts'
import type { PlatformTx, Tx } from '#system/postgres/database.ts'
import type { Edge, ServedRoute } from './edge.ts'
import type { Exchange } from './exchange.ts'
import type { Action } from './ports.ts'
import type { Route } from './route.ts'

type RouteResult = Awaited<ReturnType<Route['run']>>
type Done = { readonly exchange: Exchange; readonly answer: RouteResult; readonly body: unknown }
/** The transaction that the edge opened for the work. Null for a `handler`, which gets no transaction. */
type Within = { readonly tx: Tx } | { readonly ptx: PlatformTx } | null

/**
 * Records the action, in the transaction of the work if there is one, so that either both the change and its record are stored or
 * neither.
 */
export async function recordDone(edge: Edge, served: ServedRoute, done: Done, within: Within): Promise<void> {
  const { actions } = edge.ports
  const { exchange, answer, body } = done
  const byCaller = actionBy(served, exchange)
  if (actions === undefined || byCaller === null || answer.unchanged === true || saysUnchanged(answer.body)) return
  const changedFields = served.route.method === 'PATCH' ? givenFields(served.route, body) : null
  // A request without any declared field changed nothing.
  if (changedFields?.length === 0) return
  const action: Action = {
    ...byCaller,
    resourceId: idIn(answer.body) ?? byCaller.resourceId,
    changedFields,
  }
  if (within === null) actions.after({ ...action, status: 'success' })
  else if ('tx' in within) await actions.within(within.tx, action)
  else await actions.onPlatform(within.ptx, action)
}

/**
 * Rejections that are not recorded: an invalid credential, a rate limit, and an unavailable service (which could not
 * record the rejection anyway).
 */
const NOT_RECORDED: ReadonlySet<string> = new Set<ErrorType>(['invalid_token', 'rate_limit_exceeded', 'unavailable'])

/** Records a rejection afterwards, so that the rejected request does not wait for the record. */
export function recordRefused({ ports }: Edge, exchange: Exchange, errorType: string): void {
  const { served } = exchange
  if (ports.actions === undefined || served === null || NOT_RECORDED.has(errorType)) return
  const action = actionBy(served, exchange)
  if (action === null) return
  const denied = Object.hasOwn(ERROR_STATUS, errorType) && ERROR_STATUS[errorType as ErrorType] === 403
  ports.actions.after({ ...action, changedFields: null, status: denied ? 'denied' : 'failure', errorType })
}

/** Null if the route's action is not recorded, or if the caller has no token of a user or an installation. */
function actionBy(
  { action }: ServedRoute,
  { caller, id, params, body }: Exchange,
): Omit<Action, 'changedFields'> | null {
  if (action === null || (caller?.kind !== 'user' && caller?.kind !== 'installation')) return null
  return { caller, name: action, requestId: id, resourceId: idInPath(params) ?? idGiven(body) }
}

/** The last id in the path. Null unless it is well-formed, because a path may contain any text. */
function idInPath(params: unknown): string | null {
  const last: unknown = Object.values(params ?? {}).at(-1)
  return kindOfId(last) === null ? null : String(last)
}

/** The id in the body, for a path without an id. Null unless it is well-formed. */
function idGiven(body: unknown): string | null {
  const id = fieldOf(body, 'resource_id')
  return kindOfId(id) === null ? null : String(id)
}

/** The id in the response. It is needed for a request that creates a record and so cannot name its id. */
function idIn(body: unknown): string | null {
  const id = fieldOf(fieldOf(body, 'data'), 'id')
  return kindOfId(id) === null ? null : String(id)
}

/** "Idempotent, changed true or false": if nothing changed, nothing is recorded. */
function saysUnchanged(body: unknown): boolean {
  return fieldOf(fieldOf(fieldOf(body, 'data'), 'attributes'), 'changed') === false
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

/** The names of the given fields that the route declares, and never their values. */
function givenFields({ schema }: Route, body: unknown): readonly string[] {
  const declared = fieldOf(schema.body, 'properties')
  return Object.keys(body ?? {}).filter((name) => fieldOf(declared, name) !== undefined)
}

/**
 * The form of an action's name: dotted words, the noun first. Users filter their activity by these names, so a published name
 * never changes.
 */
const NAME = /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+$/
const NAME_CHARS_MAX = 100

/**
 * The name under which a route's work appears in a user's activity. Null for a route that is not recorded: it only reads, it is
 * open, it is for people or for the host platform, or it is a sandbox route, which acts as the platform. Any other route without
 * a declared name gets a name from its method and path, so that it is recorded too.
 */
export function actionOf(route: Route): string | null {
  const { access, method, action } = route
  if (method === 'GET' || access.kind !== 'token' || access.sandboxOnly === true) return null
  if (access.holders.every((holder) => holder === 'operator')) return null
  const name = action ?? nameAfterPath(route)
  if (!NAME.test(name) || name.length > NAME_CHARS_MAX)
    throw new Error(`${route.operation}: ${name} has an invalid action name`)
  return name
}

const VERB = { POST: 'create', PUT: 'set', PATCH: 'update', DELETE: 'delete', GET: 'read' } as const

/** `POST /webhook_endpoints/:id/reenable` is `webhook_endpoints.reenable`: a route that creates nothing has its own verb. */
function nameAfterPath({ method, path, schema }: Pick<Route, 'method' | 'path' | 'schema'>): string {
  const parts = path.replace(/^\/users\/me\/(?=.)/, '/').split('/')
  const words = parts.filter((part) => /^[a-z]/.test(part)).map((part) => part.toLowerCase().replace(/[^a-z0-9]/g, '_'))
  const ownVerb = method === 'POST' && words.length > 1 && !/:\w+$/.test(path) && schema.response[201] === undefined
  return [...words, ...(ownVerb ? [] : [VERB[method]])].join('.')
}
