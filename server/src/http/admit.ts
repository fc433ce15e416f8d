import type { Caller } from '#kernel/caller.ts'
import type { TokenAccess } from './access.ts'
import { isFromBrowser, refusedBasic, requireCaller, sentBasic, sentBearer, sentCredential } from './authenticate.ts'
import { authorize } from './authorize.ts'
import { admitPerson } from './browser/admit-person.ts'
import { findStaff } from './browser/admit-staff.ts'
import type { Edge, ServedRoute } from './edge.ts'
import { type Exchange, headerOf, setVersion } from './exchange.ts'
import { operatorReason, REASON_HEADER } from './operator-reason.ts'
import { resolveVersion } from './versions.ts'

/**
 * Checks the caller before the body is read. The cheapest and most general check comes first: rate limits (429), then the
 * credential (401), then the version (400), then the access rule (403), then an operator's reason (422). Resolves to false if
 * the response has been sent.
 */
export async function admit(edge: Edge, served: ServedRoute, exchange: Exchange): Promise<boolean> {
  const { access } = served.route
  if (access.kind === 'session') return admitPerson(edge, served, exchange)
  const bearer = access.kind === 'open' ? null : sentBearer(exchange.request.headers.authorization)
  const credential = bearer === null ? null : sentCredential(bearer)
  const basic = access.kind === 'open' ? null : sentBasic(exchange.request.headers.authorization)
  if (served.limiter !== null) {
    const counted = served.limiter({ address: edge.addressOf(exchange.request), credential, params: exchange.params })
    if (counted.answered !== null) await counted.answered
    counted.requireAllowed()
    exchange.counted = counted
  }
  if (access.kind === 'open') {
    setVersion(edge, exchange, versionFor(edge, exchange, undefined))
    return true
  }
  const staff = await findStaff(edge, access, exchange)
  const caller =
    staff ??
    (basic === null
      ? await bearerCaller(edge, served, exchange, { bearer, digest: credential?.digest })
      : await serverKeyCaller(edge, access, exchange, basic))
  exchange.caller = caller
  setVersion(edge, exchange, versionFor(edge, exchange, caller.kind === 'operator' ? undefined : caller.apiVersion))
  authorize(access, caller)
  if (caller.kind === 'operator') {
    exchange.reason = operatorReason(served.route, headerOf(exchange, REASON_HEADER), caller.reason)
  }
  return true
}

type SentBearer = { readonly bearer: string | null; readonly digest: string | undefined }

async function bearerCaller(edge: Edge, served: ServedRoute, exchange: Exchange, { bearer, digest }: SentBearer) {
  if (bearer === null || digest === undefined) return requireCaller(null, false)
  lookAhead(edge, served, exchange, bearer)
  const holder = await lookUp(edge, exchange, bearer, digest)
  exchange.caller = holder
  return requireCaller(holder, true)
}

/** HTTP Basic is accepted only on a route that serves server keys, and not from a browser. Elsewhere even a valid key gets 401. */
async function serverKeyCaller(edge: Edge, { holders }: TokenAccess, exchange: Exchange, basic: string) {
  const { request, counted } = exchange
  const lookUpKey = edge.ports.serverKeys
  if (!holders.includes('server_key') || lookUpKey === undefined || isFromBrowser(request.headers)) throw refusedBasic()
  const caller = await lookUpKey(basic, { address: edge.addressOf(request), counted })
  exchange.caller = caller
  if (caller === null) throw refusedBasic()
  return caller
}

async function lookUp({ ports }: Edge, { counted }: Exchange, bearer: string, digest: string): Promise<Caller | null> {
  try {
    const holder = await ports.authenticate(bearer, digest)
    counted?.lookedUp(holder !== null)
    return holder === 'ended' ? null : holder
  } catch (error) {
    counted?.lookedUp(null)
    throw error
  }
}

/**
 * Starts the route's own read (`ahead`) during the lookup of the credential, in the world that the credential's prefix names. If
 * the credential turns out to be invalid, the result is discarded.
 */
function lookAhead({ ports }: Edge, { route }: ServedRoute, exchange: Exchange, bearer: string): void {
  if (route.ahead === undefined) return
  const db = ports.databases[bearer.startsWith('live_', WORLD_AT) ? 'live' : 'test']
  exchange.ahead = route.ahead(db, exchange.params)
  // If the request is admitted, the handler awaits the read and its error. If not, the error must not become an unhandled
  // rejection.
  exchange.ahead.catch(() => {})
}

/** Every credential begins with a prefix of three characters and the world: `at_live_…`, `pk_test_…`. */
const WORLD_AT = 3

function versionFor({ names, versionHeader }: Edge, exchange: Exchange, pinned: string | undefined) {
  return resolveVersion({ headerName: names.version, header: headerOf(exchange, versionHeader), pinned })
}
