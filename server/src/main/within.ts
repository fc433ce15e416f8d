import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'

/** Waits for the work, but not longer than `limitMs`; then returns `late()`. The work itself continues. */
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
 * Like `within`, but time in which our own event loop was blocked does not count: a response that arrived meanwhile is read
 * before the limit ends. For checks of another process, which must not look silent because of our own delay.
 */
export async function withinOwnTime<T, L>(limitMs: number, work: Promise<T>, late: () => L): Promise<T | L> {
  const done = new AbortController()
  const steps = async () => {
    for (let leftMs = limitMs; leftMs > 0; leftMs -= STEP_MS) {
      // A late timer subtracts only one step; then everything that has arrived is read.
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
