import type { Caller } from '#kernel/caller.ts'
import { requireCaller, sentBearer, sentCredential } from './authenticate.ts'
import { authorize } from './authorize.ts'
import { admitPerson } from './browser/admit-person.ts'
import type { Edge, ServedRoute } from './edge.ts'
import { type Exchange, headerOf, setVersion } from './exchange.ts'
import { resolveVersion } from './versions.ts'

/**
 * Everything that can refuse a request before its body is read, cheapest and most general first: how often (429), then
 * who (401), then the version (400), then what they may do (403). Resolves to false where the answer has been sent.
 */
export async function admit(edge: Edge, served: ServedRoute, exchange: Exchange): Promise<boolean> {
  const { access } = served.route
  if (access.kind === 'session') return admitPerson(edge, served, exchange)
  const bearer = access.kind === 'open' ? null : sentBearer(exchange.request.headers.authorization)
  const credential = bearer === null ? null : sentCredential(bearer)
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
  if (bearer !== null) lookAhead(edge, served, exchange, bearer)
  const holder = bearer === null || credential === null ? null : await lookUp(edge, exchange, bearer, credential.digest)
  exchange.caller = holder
  const caller = requireCaller(holder, bearer !== null)
  setVersion(edge, exchange, versionFor(edge, exchange, caller.kind === 'operator' ? undefined : caller.apiVersion))
  authorize(access, caller)
  return true
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

/** In the world that the credential claims to be of; what it gives is of use to nobody whose credential turns out to be none. */
function lookAhead({ ports }: Edge, { route }: ServedRoute, exchange: Exchange, bearer: string): void {
  if (route.ahead === undefined) return
  const db = ports.databases[bearer.startsWith('live_', WORLD_AT) ? 'live' : 'test']
  exchange.ahead = route.ahead(db, exchange.params)
  // Awaited by the handler, if it comes to that.
  exchange.ahead.catch(() => {})
}

/** Every credential is a prefix of three characters, the world, and what is its own: `at_live_…`, `pk_test_…`. */
const WORLD_AT = 3

function versionFor({ names, versionHeader }: Edge, exchange: Exchange, pinned: string | undefined) {
  return resolveVersion({ headerName: names.version, header: headerOf(exchange, versionHeader), pinned })
}
