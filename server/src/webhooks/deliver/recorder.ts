import { setTimeout as wait } from 'node:timers/promises'
import type { Id } from '#kernel/ids.ts'
import type { Log } from '#system/log.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { DatabaseUnavailable } from '#system/postgres/errors.ts'
import type { Recorded } from '../history/delivery.ts'
import { type Health, recordDeliveries, setHealth } from './store.ts'

const BATCH_MAX = 250

type Waiting = { readonly recorded: Recorded; readonly done: () => void }

/** Records outcomes. Failed writes are retried, because a delivery is sent twice if its outcome is lost. */
export class Recorder {
  readonly #outcomes: WriteBehind<Waiting>

  constructor(db: WorldDatabase, log: Log) {
    this.#outcomes = new WriteBehind<Waiting>({
      batchMax: BATCH_MAX,
      write: async (batch) => {
        await recordDeliveries(
          db,
          batch.map(({ recorded }) => recorded),
        )
        for (const { done } of batch) done()
      },
      onFailure: (batch, error) => {
        const deliveries = batch.length === 1 ? { delivery: batch[0]?.recorded.id } : { deliveries: batch.length }
        log.error({ ...deliveries, err: error }, 'outcomes could not be recorded; they will be tried again')
      },
    })
  }

  /** Calls `done` once the outcome is committed. */
  record(recorded: Recorded, done: () => void): void {
    this.#outcomes.add({ recorded, done })
  }

  /** Resolves once nothing waits to be written. */
  drained(): Promise<void> {
    return this.#outcomes.drained()
  }
}

/** The result of one attempt. */
type Noted = {
  readonly status: string
  readonly succeeded: boolean
  /** How long the delivery waited for its first attempt; null for a later attempt. */
  readonly lagMs: number | null
}

/**
 * Collects the health of endpoints and the counts of attempts, and writes them a few times a second instead of with
 * every delivery. After a crash the next attempt sets the health again; the counts that were not written are lost.
 */
export class HealthNotes {
  readonly #db: WorldDatabase
  #notes = new Map<Id<'webhookEndpoint'>, Health>()

  constructor(db: WorldDatabase) {
    this.#db = db
  }

  note(endpoint: Id<'webhookEndpoint'>, { status, succeeded, lagMs }: Noted): void {
    const before = this.#notes.get(endpoint)
    const lag = lagMs === null ? { firstAttempts: 0, lagMs: 0 } : { firstAttempts: 1, lagMs: Math.max(0, lagMs) }
    const counts = { delivered: succeeded ? 1 : 0, failed: succeeded ? 0 : 1, ...lag }
    const noted = { endpoint, status, isFailing: !succeeded, succeeded, ...counts }
    this.#notes.set(endpoint, before === undefined ? noted : joined(before, noted))
  }

  async write(): Promise<void> {
    if (this.#notes.size === 0) return
    const notes = this.#notes
    this.#notes = new Map()
    try {
      await setHealth(this.#db, [...notes.values()])
    } catch (error) {
      this.#putBack(notes)
      throw error
    }
  }

  #putBack(notes: ReadonlyMap<Id<'webhookEndpoint'>, Health>): void {
    for (const [endpoint, older] of notes) {
      const newer = this.#notes.get(endpoint)
      this.#notes.set(endpoint, newer === undefined ? older : joined(older, newer))
    }
  }
}

/** The newer status wins, but an earlier success still counts. */
function joined(older: Health, newer: Health): Health {
  return {
    ...newer,
    succeeded: newer.succeeded || older.succeeded,
    delivered: newer.delivered + older.delivered,
    failed: newer.failed + older.failed,
    firstAttempts: newer.firstAttempts + older.firstAttempts,
    lagMs: newer.lagMs + older.lagMs,
  }
}

const GATHER_MS = 10
const AFTER_FAILURE_MS = 250

type Writing<T> = {
  /** How many items one statement writes at most: more would block other statements and the event loop. */
  readonly batchMax: number
  readonly write: (batch: readonly T[]) => Promise<void>
  /** Called if a batch could not be written. It will be retried. */
  readonly onFailure: (batch: readonly T[], error: unknown) => void
  /** Handles an item that the database rejects. Returns true if handled; otherwise the item is retried. */
  readonly onRefused?: (one: T, error: unknown) => boolean
}

/**
 * Writes items in batches. If the database is down, items wait. A rejected batch is retried in halves, so that one bad item
 * does not block the others.
 */
export class WriteBehind<T> {
  readonly #writing: Writing<T>
  #waiting: T[] = []
  #atWork: Promise<void> | null = null

  constructor(writing: Writing<T>) {
    this.#writing = writing
  }

  add(one: T): void {
    this.#waiting.push(one)
    this.#atWork ??= this.#writeAll()
  }

  /** Resolves once nothing waits to be written. */
  async drained(): Promise<void> {
    while (this.#atWork !== null) await this.#atWork
  }

  async #writeAll(): Promise<void> {
    const { batchMax } = this.#writing
    while (this.#waiting.length > 0) {
      // Waiting for more items makes nothing slower: the lane's slot is free already, and a commit costs the same for one
      // item as for many.
      if (this.#waiting.length < batchMax) await wait(GATHER_MS)
      await this.#write(this.#waiting.splice(0, batchMax))
    }
    this.#atWork = null
  }

  async #write(batch: readonly T[]): Promise<void> {
    try {
      await this.#writing.write(batch)
    } catch (error) {
      if (error instanceof DatabaseUnavailable) return this.#later(batch, error)
      const [first] = batch
      if (batch.length > 1) {
        const half = Math.ceil(batch.length / 2)
        await this.#write(batch.slice(0, half))
        await this.#write(batch.slice(half))
      } else if (first !== undefined && this.#writing.onRefused?.(first, error) !== true) {
        await this.#later(batch, error)
      }
    }
  }

  async #later(batch: readonly T[], error: unknown): Promise<void> {
    this.#writing.onFailure(batch, error)
    await wait(AFTER_FAILURE_MS)
    this.#waiting.push(...batch)
  }
}
