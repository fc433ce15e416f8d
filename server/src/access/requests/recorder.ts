import type { LoggedRequest, RequestLogPort } from '#http/ports.ts'
import type { Log } from '#system/log.ts'
import type { PlatformDatabase, PlatformTx } from '#system/postgres/database.ts'
import { addCounts, deleteOld, insertRequests, type RequestCounts, turnDays } from './store.ts'

type Deps = {
  readonly platform: PlatformDatabase
  readonly log: Pick<Log, 'warn'>
  /** Wall time, in milliseconds. */
  readonly now: () => number
  /** The maximum of logged successes, and of logged errors, per app and minute. 0: no requests are logged or counted. */
  readonly perMinute: number
}

export type RequestRecorder = RequestLogPort & {
  /** Resolves when everything recorded before the call has been written or dropped. */
  settled(): Promise<void>
}

const WRITTEN_EVERY_MS = 500
/**
 * Each write of an app's counts updates two rows, whether it adds one request or a thousand. So the counts of more apps than this
 * are written less often than the entries.
 */
const COUNTED_AT_ONCE = 100
const COUNTED_EVERY_MS = 5_000
/**
 * The maximum of waiting entries, about 4 MB of memory. While the database is slow or down, further entries are dropped, but no request
 * fails.
 */
const WAITING_MAX = 10_000
const BATCH_MAX = 1_000
const MINUTE_MS = 60_000

type Budget = { logged: number; errors: number }

/**
 * Writes the request log of apps in the background. A request only increases counts and adds to a list. Every request is counted; requests
 * beyond an app's maximum per minute are counted as unlogged. Errors have their own maximum, so that many successful requests do not
 * prevent the logging of a failed one.
 */
export function requestRecorder({ platform, log, now, perMinute }: Deps): RequestRecorder {
  let waiting: LoggedRequest[] = []
  let counts = new Map<string, RequestCounts>()
  let minute = 0
  const budgets = new Map<string, Budget>()
  let timer: NodeJS.Timeout | null = null
  let writing: Promise<void> = Promise.resolve()
  let countedAtMs = Number.NEGATIVE_INFINITY

  function isWithinBudget({ appId, status }: LoggedRequest): boolean {
    const thisMinute = Math.floor(now() / MINUTE_MS)
    if (thisMinute !== minute) {
      minute = thisMinute
      budgets.clear()
    }
    let budget = budgets.get(appId)
    if (budget === undefined) {
      budget = { logged: 0, errors: 0 }
      budgets.set(appId, budget)
    }
    const kind = status >= 400 ? 'errors' : 'logged'
    if (budget[kind] >= perMinute) return false
    budget[kind]++
    return true
  }

  function count({ appId, world, status, durationMs }: LoggedRequest): RequestCounts {
    const key = `${world}${appId}`
    let one = counts.get(key)
    if (one === undefined) {
      one = { appId, world, requests: 0, clientErrors: 0, serverErrors: 0, unlogged: 0, durationMs: 0 }
      counts.set(key, one)
    }
    one.requests++
    if (status >= 500) one.serverErrors++
    else if (status >= 400) one.clientErrors++
    one.durationMs += durationMs
    return one
  }

  async function writeEntries(): Promise<void> {
    const rows = waiting
    waiting = []
    try {
      for (let at = 0; at < rows.length; at += BATCH_MAX) await insertRequests(platform, rows.slice(at, at + BATCH_MAX))
    } catch (error) {
      log.warn({ err: error, requests: rows.length }, 'requests of apps could not be logged and are lost')
    }
  }

  async function writeCounts(): Promise<void> {
    const counted = [...counts.values()]
    counts = new Map()
    countedAtMs = now()
    try {
      if (counted.length > 0) await addCounts(platform, counted)
    } catch (error) {
      log.warn({ err: error, apps: counted.length }, 'the requests of apps could not be counted')
    }
  }

  /** Counts do not wait longer if the clock was set back. */
  function countsMayWait(): boolean {
    const elapsedMs = now() - countedAtMs
    return counts.size > COUNTED_AT_ONCE && elapsedMs >= 0 && elapsedMs < COUNTED_EVERY_MS
  }

  /** Only one write runs at a time, so that a slow database does not get many writes at once. */
  function write({ andAllCounts = false } = {}): void {
    timer = null
    writing = writing.then(async () => {
      await writeEntries()
      if (andAllCounts || !countsMayWait()) await writeCounts()
      if (counts.size > 0) writeLater()
    })
  }

  function writeLater(): void {
    timer ??= setTimeout(write, WRITTEN_EVERY_MS).unref()
  }

  return {
    record(request) {
      if (perMinute === 0) return
      const one = count(request)
      if (waiting.length < WAITING_MAX && isWithinBudget(request)) waiting.push(request)
      else one.unlogged++
      writeLater()
    },
    async settled() {
      if (timer !== null) clearTimeout(timer)
      write({ andAllCounts: true })
      await writing
    },
  }
}

/** How long the log and its counts by hour and by day are stored, in wall time. */
const LOG_RETENTION = { logDays: 7, hourDays: 8, dayDays: 400 }

/** Creates the log's tables for the next days and drops expired ones. */
export async function turnRequestLog(tx: PlatformTx): Promise<number> {
  return turnDays(tx, LOG_RETENTION.logDays)
}

/** Deletes up to `limit` expired rows outside of the daily tables, and expired counts. */
export async function purgeRequests(tx: PlatformTx, limit: number): Promise<number> {
  return deleteOld(tx, LOG_RETENTION, limit)
}
