import type { WallClock } from '#kernel/clock.ts'
import { BoundedCounts } from './bounded-counts.ts'
import { longest, refusedUntil } from './refused.ts'
import type { Hit, Refused, WindowCounter, WindowLimit } from './window-counter.ts'

type Window = { readonly number: number; readonly counts: BoundedCounts }

/** Of one limit, in one window: about ten megabytes of addresses. */
const KEYS_MAX = 100_000

/** A `WindowCounter` that answers at once, and can be asked without counting. */
export type LocalCounter = Pick<WindowCounter, 'giveBack'> & {
  hit(hits: readonly Hit[]): Refused | null
  used(hits: readonly Hit[]): readonly number[]
  look(hit: Hit): Refused | null
}

/**
 * Counting in this process. Windows are aligned to the clock, so all keys of a limit change windows together: the old
 * counts are dropped at once, and nothing has to run for it.
 */
export function localCounter(clock: WallClock, keysMax: number = KEYS_MAX): LocalCounter {
  const windows = new Map<string, Window>()

  function current({ name, periodSeconds }: WindowLimit, nowMs: number): Window {
    const number = Math.floor(nowMs / (periodSeconds * 1_000))
    const known = windows.get(name)
    // A clock set back stays in the window it had reached: starting over would give every key its limit again.
    if (known !== undefined && known.number >= number) return known
    const fresh = { number, counts: new BoundedCounts(keysMax) }
    windows.set(name, fresh)
    return fresh
  }

  function lookAt({ limit, key }: Hit, nowMs: number): Refused | null {
    const { number, counts } = current(limit, nowMs)
    return counts.get(key) < limit.max ? null : refusedUntil(limit, (number + 1) * limit.periodSeconds, nowMs)
  }

  return {
    hit(hits) {
      const nowMs = clock.now()
      let refused: Refused | null = null
      for (const hit of hits) {
        const refusing = lookAt(hit, nowMs)
        if (refusing !== null) refused = longest(refused, refusing)
      }
      if (refused === null) for (const { limit, key } of hits) current(limit, nowMs).counts.add(key)
      return refused
    },
    look: (hit) => lookAt(hit, clock.now()),
    giveBack(hits) {
      for (const { limit, key } of hits) current(limit, clock.now()).counts.takeBack(key)
    },
    used: (hits) => hits.map(({ limit, key }) => current(limit, clock.now()).counts.get(key)),
  }
}
