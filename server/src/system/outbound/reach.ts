import { type AddressRange, isLoopback, LOOPBACK } from './address.ts'
import { isLocalhost } from './host-name.ts'

/** Where we may send besides public addresses. One of these a world: what is for the test world is not for live. */
export type Reach = {
  /** "`test` mode may also send to loopback over http": to a URL that says so itself, not to a name that leads there. */
  readonly loopback: boolean
  /** Ranges to take for public. */
  readonly ranges: readonly AddressRange[]
  /** Origins under which this service itself is reached; a webhook to one of them would be a request to ourselves. */
  readonly own?: () => readonly string[]
}

export const PUBLIC_ONLY: Reach = { loopback: false, ranges: [] }

/** `spelledOut`: the URL's host is a loopback address or localhost. */
export function rangesFor(reach: Reach, spelledOut: boolean): readonly AddressRange[] {
  return reach.loopback && spelledOut ? [...reach.ranges, ...LOOPBACK] : reach.ranges
}

const DEFAULT_PORT: Readonly<Record<string, number>> = { 'https:': 443, 'http:': 80 }
const ANY_ADDRESS: ReadonlySet<string> = new Set(['0.0.0.0', '::'])

type Aim = { readonly host: string; readonly port: number; readonly loopback: boolean }

/** On this machine all loopback names and addresses lead to one listener, so there the port alone decides. */
export function isOwn({ own }: Reach, aim: Aim): boolean {
  for (const origin of own?.() ?? []) {
    const url = URL.parse(origin)
    if (url === null || (Number(url.port) || DEFAULT_PORT[url.protocol]) !== aim.port) continue
    const host = url.hostname.replace(/^\[|\]$/g, '')
    if (host === aim.host) return true
    if (aim.loopback && (isLocalhost(host) || isLoopback(host) || ANY_ADDRESS.has(host))) return true
  }
  return false
}
