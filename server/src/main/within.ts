import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'

/** Waits for the work, but not longer than this; `late` is what comes of it then. The work itself is not ended. */
export async function within<T, L>(limitMs: number, work: Promise<T>, late: () => L): Promise<T | L> {
  const clock = new AbortController()
  try {
    return await Promise.race([work, wait(limitMs, undefined, { signal: clock.signal }).then(late)])
  } finally {
    clock.abort()
  }
}

const STEP_MS = 50

/**
 * As `within`, but time in which our own event loop stood still does not count: an answer that arrived meanwhile is read
 * before the time is over. For judging another process, which our own delay must not make look silent.
 */
export async function withinOwnTime<T, L>(limitMs: number, work: Promise<T>, late: () => L): Promise<T | L> {
  const done = new AbortController()
  const steps = async () => {
    for (let leftMs = limitMs; leftMs > 0; leftMs -= STEP_MS) {
      // However late the timer fires, it takes one step off; then everything that has arrived is read.
      await wait(Math.min(STEP_MS, leftMs), undefined, { signal: done.signal })
      await nextTurn()
    }
    return late()
  }
  try {
    return await Promise.race([work, steps()])
  } finally {
    done.abort()
  }
}
