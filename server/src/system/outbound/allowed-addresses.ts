import { isIP } from 'node:net'
import { isLoopback, judgeAddress } from './address.ts'
import { blocked } from './failure.ts'
import { isLocalhost } from './host-name.ts'
import { type Reach, rangesFor } from './reach.ts'
import type { Resolve } from './resolver.ts'

const LOCALHOST = ['127.0.0.1', '::1']

/**
 * The addresses to connect to, every one of them judged. One that is not allowed refuses them all: a name with a public
 * and a private address is either a mistake or an attempt to have us pick the wrong one. A literal is judged here like
 * everything else; no hook of a library is relied on to see it.
 */
export async function allowedAddresses(host: string, reach: Reach, resolve: Resolve): Promise<readonly string[]> {
  const localhost = isLocalhost(host)
  const ranges = rangesFor(reach, localhost || isLoopback(host))
  const addresses = localhost ? LOCALHOST : isIP(host) === 0 ? await resolve(host) : [host]
  for (const address of addresses) {
    const verdict = judgeAddress(address, ranges)
    if (!verdict.allowed) throw blocked(`${host} leads to ${address} (${verdict.range})`)
  }
  return addresses
}
