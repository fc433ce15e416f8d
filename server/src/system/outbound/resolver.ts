import { Resolver } from 'node:dns/promises'

/** All addresses of a name, IPv4 first. Throws if there are none. */
export type Resolve = (name: string) => Promise<readonly string[]>

type ResolverSettings = {
  /** Default: the name servers that the machine is configured with. */
  readonly servers?: readonly string[]
  /** How long one query waits, at most. It is repeated several times, and sooner if the name servers have been fast so far. */
  readonly questionMs: number
}

/**
 * After fast responses c-ares waits only a quarter of a second, doubled with each try: with fewer tries it would give up on a
 * name that takes a second or two, long before the time for a connection is over.
 */
const TRIES = 4
const OTHER_FAMILY_MS = 1_000

/**
 * Queries the name servers itself. `dns.lookup` would use the thread pool, four threads that also hash passwords, and would
 * read the machine's hosts file with its internal names. Concurrent queries for one name are one query: a burst opens many
 * connections at once.
 */
export function nameResolver({ servers, questionMs }: ResolverSettings): Resolve {
  const resolver = new Resolver({ timeout: questionMs, maxTimeout: questionMs, tries: TRIES })
  if (servers !== undefined) resolver.setServers([...servers])
  const underWay = new Map<string, Promise<readonly string[]>>()
  return (name) => {
    const asked = underWay.get(name)
    if (asked !== undefined) return asked
    const question = bothFamilies(resolver, name).finally(() => underWay.delete(name))
    underWay.set(name, question)
    return question
  }
}

/**
 * A name may have one address family only, and some name servers fail or do not respond for the other: one response is enough,
 * and the other is awaited only for a short time. Later addresses are not used, so they need no check.
 */
async function bothFamilies(resolver: Resolver, name: string): Promise<readonly string[]> {
  const four = resolver.resolve4(name)
  const six = resolver.resolve6(name)
  const both = Promise.allSettled([four, six])
  const first = await Promise.any([four, six]).catch(() => four)
  const settled = await atMost(both, OTHER_FAMILY_MS)
  return settled === null ? first : settled.flatMap(addressesOf)
}

function addressesOf(settled: PromiseSettledResult<string[]>): readonly string[] {
  return settled.status === 'fulfilled' ? settled.value : []
}

/** Null if it takes longer. */
function atMost<T>(promise: Promise<T>, ms: number): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(null), ms)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
