import type { WallClock } from '#kernel/clock.ts'
import type { Databases } from '#system/postgres/database.ts'

type Waking = { readonly wake: () => void; readonly clock: WallClock }

/** By then the workers have looked by themselves. */
const SILENCE_MS = 100

/**
 * The databases as requests use them: the first commit after a silence wakes the workers, which find now what they would
 * have found at their next poll. Those that follow do not: where there is much to do, being woken for each makes many
 * small batches out of a few large ones.
 */
export function wakingWorkers(databases: Databases, { wake, clock }: Waking): Databases {
  let lastMs = Number.NEGATIVE_INFINITY
  const committed = <T>(result: T): T => {
    const nowMs = clock.now()
    if (nowMs - lastMs > SILENCE_MS) wake()
    lastMs = nowMs
    return result
  }
  const { test, live, platform } = databases
  return {
    ...databases,
    test: { ...test, transaction: (work) => test.transaction(work).then(committed) },
    live: { ...live, transaction: (work) => live.transaction(work).then(committed) },
    platform: { ...platform, transaction: (work) => platform.transaction(work).then(committed) },
  }
}
