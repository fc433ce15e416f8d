import { type AddressRange, LOOPBACK } from './address.ts'

/** Where we may send besides public addresses. One of these a world: what is for the test world is not for live. */
export type Reach = {
  /** "`test` mode may also send to loopback over http": to a URL that says so itself, not to a name that leads there. */
  readonly loopback: boolean
  /** Ranges to take for public. */
  readonly ranges: readonly AddressRange[]
}

export const PUBLIC_ONLY: Reach = { loopback: false, ranges: [] }

/** `spelledOut`: the URL's host is a loopback address or localhost. */
export function rangesFor(reach: Reach, spelledOut: boolean): readonly AddressRange[] {
  return reach.loopback && spelledOut ? [...reach.ranges, ...LOOPBACK] : reach.ranges
}
