import { Resolver } from 'node:dns/promises'

/** All addresses of a name, IPv4 first. Throws when there are none. */
export type Resolve = (name: string) => Promise<readonly string[]>

type ResolverSettings = {
  /** Without it, those the machine is configured with. */
  readonly servers?: readonly string[]
  /** Of one question to one server, the first time; a question is asked twice. */
  readonly questionMs: number
}

/**
 * Asks the name servers itself. `dns.lookup` would go through the thread pool, four threads that passwords are hashed
 * on too, and would read the machine's hosts file, in which internal names stand. Questions for one name under way at
 * the same time are one question: a burst opens many connections at once.
 */
export function nameResolver({ servers, questionMs }: ResolverSettings): Resolve {
  const resolver = new Resolver({ timeout: questionMs, tries: 2 })
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

/** A name may have one family only, and some name servers fail on the other: one answer is enough. */
async function bothFamilies(resolver: Resolver, name: string): Promise<readonly string[]> {
  const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const found = [...addressesOf(four), ...addressesOf(six)]
  if (found.length > 0) return found
  throw four.status === 'rejected' ? four.reason : new Error(`${name} has no address`)
}

function addressesOf(settled: PromiseSettledResult<string[]>): readonly string[] {
  return settled.status === 'fulfilled' ? settled.value : []
}
