import { describeError } from '#http/describe-error.ts'
import type { Log } from '#system/log.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import type { NewEntry } from './entry.ts'
import { recordAction } from './store.ts'

export type BackgroundWriter = {
  /** Neither waits nor throws. */
  write(entry: NewEntry): void
  /** When everything given so far is written or given up. */
  settled(): Promise<void>
}

/** More than this waiting means that the database is not keeping up: then requests matter, and these do not. */
const WAITING_MAX = 1_000
const BATCH = 100

/** One transaction at a time, so that it never takes more than one connection from those who serve requests. */
export function backgroundWriter(db: WorldDatabase, log: Pick<Log, 'warn'>): BackgroundWriter {
  const waiting: NewEntry[] = []
  let working: Promise<void> | null = null

  async function work(): Promise<void> {
    while (waiting.length > 0) await writeAll(waiting.splice(0, BATCH))
    working = null
  }

  async function writeAll(entries: readonly NewEntry[]): Promise<void> {
    try {
      await db.transaction(async (tx) => {
        for (const entry of entries) await recordAction(tx, entry)
      })
    } catch (error) {
      log.warn({ entries: entries.length, error: describeError(error) }, 'actions of apps were not recorded')
    }
  }

  return {
    write(entry) {
      if (waiting.length >= WAITING_MAX) return
      waiting.push(entry)
      working ??= work()
    },
    settled: async () => {
      while (working !== null) await working
    },
  }
}
