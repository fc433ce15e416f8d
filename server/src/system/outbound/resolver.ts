import { Resolver } from 'node:dns/promises'

/** All addresses of a name, IPv4 first. Throws when there are none. */
export type Resolve = (name: string) => Promise<readonly string[]>

type ResolverSettings = {
  /** Without it, those the machine is configured with. */
  readonly servers?: readonly string[]
  /** How long one question waits, at most. It is asked several times, and sooner where name servers have been quick so far. */
  readonly questionMs: number
}

/**
 * Among quick answers c-ares learns to wait for a quarter of a second, and twice as long each time: with fewer tries a name that takes
 * a second or two would be given up long before the time for a connection is over.
 */
const TRIES = 4
const OTHER_FAMILY_MS = 1_000

/**
 * Asks the name servers itself. `dns.lookup` would go through the thread pool, four threads that passwords are hashed
 * on too, and would read the machine's hosts file, in which internal names stand. Questions for one name under way at
 * the same time are one question: a burst opens many connections at once.
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
 * A name may have one family only, and some name servers fail on the other or are silent: one answer is enough, and the other is
 * waited for a little while. What comes later is not connected to, so it need not be judged.
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

/** Null when it takes longer. */
function atMost<T>(promise: Promise<T>, ms: number): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(null), ms)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
