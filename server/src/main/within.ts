import { setTimeout as wait } from 'node:timers/promises'

/** Waits for the work, but not longer than this; `late` is what comes of it then. The work itself is not ended. */
export async function within<T, L>(limitMs: number, work: Promise<T>, late: () => L): Promise<T | L> {
  const clock = new AbortController()
  try {
    return await Promise.race([work, wait(limitMs, undefined, { signal: clock.signal }).then(late)])
  } finally {
    clock.abort()
  }
}
