import { setTimeout as wait } from 'node:timers/promises'

/**
 * How long the machine stood still. What is judged by moments (when something was read, when it arrived) allows for that:
 * on a quiet machine it is next to nothing, and on a busy one it is no fault of the engine's.
 */
export type Stalls = {
  /** The longest since it was last forgotten. */
  readonly longestMs: number
  forget(): void
  stop(): Promise<void>
}

const LOOK_EVERY_MS = 20

/** Sees stalls of this process and of PostgreSQL alike. */
export function watchStalls(sql: (text: string) => Promise<unknown>): Stalls {
  let [longestMs, isOver] = [0, false]
  const watching = (async () => {
    while (!isOver) {
      const before = Date.now()
      await wait(LOOK_EVERY_MS)
      await sql('select').catch(() => {})
      longestMs = Math.max(longestMs, Date.now() - before - LOOK_EVERY_MS)
    }
  })()
  return {
    get longestMs() {
      return longestMs
    },
    forget: () => {
      longestMs = 0
    },
    stop: async () => {
      isOver = true
      await watching
    },
  }
}
