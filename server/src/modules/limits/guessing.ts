import type { WallClock } from '#kernel/clock.ts'
import { localCounter } from '#system/counting/local-counter.ts'
import type { Refused, WindowLimit } from '#system/counting/window-counter.ts'
import { RecentlySeen } from './recently-seen.ts'

const SEEN_MAX = 50_000

export type Guessing = {
  /** Of a credential that is about to be looked up. */
  refuses(addressGroup: string, digest: string): Refused | null
  /** Nobody held what came from there. */
  missed(addressGroup: string): void
}

/**
 * "Addresses that keep sending bad tokens are refused before the database is asked, so that guessing is slow and cheap to
 * refuse." From an address that has sent too many that nobody holds, only credentials that were seen before are still
 * looked up until the window ends: a guess is always a new one, while whoever shares the address and has been calling
 * goes on. Each process counts for itself: it is its own database connection that it spares. What is being looked up at
 * that moment is let go: to hold it back, strangers would have to wait for each other.
 */
export function guessing(limit: WindowLimit, clock: WallClock): Guessing {
  const counter = localCounter(clock)
  const seen = new RecentlySeen(SEEN_MAX)
  return {
    refuses(key, digest) {
      const refused = counter.look({ limit, key })
      if (refused === null) seen.note(digest)
      return refused === null || seen.has(digest) ? null : refused
    },
    missed(key) {
      counter.hit([{ limit, key }])
    },
  }
}
