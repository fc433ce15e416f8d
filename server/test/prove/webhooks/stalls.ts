import { setTimeout as wait } from 'node:timers/promises'

/**
 * Measures how long the machine stalled. The soak's checks have time limits, for example on the time between the read
 * of a delivery and its receipt. They add the longest stall to these limits, because a busy machine is not a fault of
 * the webhook engine.
 */
export type Stalls = {
  /** The longest stall since the last reset. */
  readonly longestMs: number
  forget(): void
  stop(): Promise<void>
}

const LOOK_EVERY_MS = 20

/** Detects stalls of this process and of PostgreSQL. */
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
