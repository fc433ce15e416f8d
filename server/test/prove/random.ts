import { setTimeout as wait } from 'node:timers/promises'

/** All random choices of a run. The same seed makes the same choices. */
export type Random = {
  below(limit: number): number
  oneIn(count: number): boolean
  pick<T>(all: readonly T[]): T
  /** Waits for at most this many milliseconds, sometimes not at all. */
  pause(maxMs: number): Promise<void>
  /** Returns a separate stream, so that the draws of one part do not change those of another part. */
  fork(): Random
}

export function seeded(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    below,
    oneIn: (count) => below(count) === 0,
    pick: (all) => {
      const one = all[below(all.length)]
      if (one === undefined) throw new Error('the list is empty')
      return one
    },
    pause: async (maxMs) => {
      const ms = below(maxMs + 1)
      if (ms > 0) await wait(ms)
    },
    fork: () => seeded(below(2 ** 32)),
  }
}
