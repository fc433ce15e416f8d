import { setTimeout as wait } from 'node:timers/promises'
import type { Log } from '#system/log.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { DatabaseUnavailable } from '#system/postgres/errors.ts'
import { type Recorded, recordDeliveries } from './record-store.ts'

/** Bounds one statement: it must not keep others waiting, nor this thread while its text is made. */
const BATCH_MAX = 250
const GATHER_MS = 10
const AFTER_FAILURE_MS = 250

type Waiting = { readonly recorded: Recorded; readonly done: () => void }

/**
 * Writes outcomes down, many with one statement. What is known here and cannot be written waits for the database: an
 * answer forgotten would mean a delivery sent twice. One that the database refuses for what it is holds up nobody else.
 */
export class Recorder {
  readonly #db: WorldDatabase
  readonly #log: Log
  #waiting: Waiting[] = []
  #writing: Promise<void> | null = null

  constructor(db: WorldDatabase, log: Log) {
    this.#db = db
    this.#log = log
  }

  /** `done` is called once it is committed. */
  record(recorded: Recorded, done: () => void): void {
    this.#waiting.push({ recorded, done })
    this.#writing ??= this.#writeAll()
  }

  /** Until nothing waits any more. */
  async drained(): Promise<void> {
    while (this.#writing !== null) await this.#writing
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      // A commit costs as much for one as for many, and nobody waits for it: the slot is free already.
      if (this.#waiting.length < BATCH_MAX) await wait(GATHER_MS)
      await this.#write(this.#waiting.splice(0, BATCH_MAX))
    }
    this.#writing = null
  }

  async #write(batch: readonly Waiting[]): Promise<void> {
    try {
      await recordDeliveries(
        this.#db,
        batch.map(({ recorded }) => recorded),
      )
      for (const { done } of batch) done()
    } catch (error) {
      if (error instanceof DatabaseUnavailable) return this.#later(batch, error)
      if (batch.length === 1) return this.#later(batch, error)
      const half = Math.ceil(batch.length / 2)
      await this.#write(batch.slice(0, half))
      await this.#write(batch.slice(half))
    }
  }

  async #later(batch: readonly Waiting[], error: unknown): Promise<void> {
    const deliveries = batch.length === 1 ? { delivery: batch[0]?.recorded.id } : { deliveries: batch.length }
    this.#log.error({ ...deliveries, err: error }, 'outcomes could not be recorded; they will be tried again')
    await wait(AFTER_FAILURE_MS)
    this.#waiting.push(...batch)
  }
}
