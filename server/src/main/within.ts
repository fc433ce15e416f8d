import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'

/**
 * The steps of a stop, one after the other: running requests finish, their records are written, running rounds of the workers
 * finish, and the database connections close. A hanging database must not block the stop, so each step has a limit.
 */
export const STOP_STEPS_MS = { requests: 10_000, records: 3_000, workers: 10_000, connections: 3_000 } as const

/**
 * Longer than all steps together. The rest of the time is for stopping the embedded PostgreSQL. After this time the process ends,
 * even if PostgreSQL is still stopping; PostgreSQL then ends by itself.
 */
export const GIVE_UP_MS = Object.values(STOP_STEPS_MS).reduce((sum, ms) => sum + ms, 4_000)

/**
 * How long one of several processes that answer requests may take to stop: to finish its requests, write their records and close
 * its connections. The workers stop at the same time, so several processes take no longer to stop than one.
 */
export const PROCESS_GIVE_UP_MS = STOP_STEPS_MS.requests + STOP_STEPS_MS.records + STOP_STEPS_MS.connections + 1_000

/** Returns the result of the work, or `late()` if the work takes longer than `limitMs`. The work itself then continues. */
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
 * before the limit ends. Used to check another process, which must not count as silent because of our own delay.
 */
export async function withinOwnTime<T, L>(limitMs: number, work: Promise<T>, late: () => L): Promise<T | L> {
  const done = new AbortController()
  const steps = async () => {
    for (let leftMs = limitMs; leftMs > 0; leftMs -= STEP_MS) {
      // A late timer counts as one step only, and then everything that has arrived is read.
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

type Closable = { readonly server: { closeAllConnections(): void }; close(): Promise<void> }
type Closing = { readonly requests: number; readonly records: number }

/**
 * Closes the app. Connections of requests that do not finish in time are cut. The records of the requests are written
 * afterwards. If the two steps take longer than the sum of their limits, for example because the database hangs, `late` is
 * called and the stop continues without waiting for the records.
 */
export async function closeWithin(app: Closable, { requests, records }: Closing, late: () => void): Promise<void> {
  const cutOff = setTimeout(() => app.server.closeAllConnections(), requests)
  try {
    await within(requests + records, app.close(), late)
  } finally {
    clearTimeout(cutOff)
  }
}
