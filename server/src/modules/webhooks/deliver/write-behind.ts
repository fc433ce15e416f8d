import { setTimeout as wait } from 'node:timers/promises'
import { DatabaseUnavailable } from '#system/postgres/errors.ts'

const GATHER_MS = 10
const AFTER_FAILURE_MS = 250

type Writing<T> = {
  /** Bounds one statement: it must not keep others waiting, nor this thread while its values are made. */
  readonly batchMax: number
  readonly write: (batch: readonly T[]) => Promise<void>
  /** They could not be written, and are tried again. */
  readonly onFailure: (batch: readonly T[], error: unknown) => void
  /** Says whether one that the database refuses for what it is was seen to; otherwise it is tried again. */
  readonly onRefused?: (one: T, error: unknown) => boolean
}

/**
 * Writes down what is known, many with one statement. What cannot be written waits for the database. One that is refused
 * for what it is holds up nobody else.
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

  /** Until nothing waits any more. */
  async drained(): Promise<void> {
    while (this.#atWork !== null) await this.#atWork
  }

  async #writeAll(): Promise<void> {
    const { batchMax } = this.#writing
    while (this.#waiting.length > 0) {
      // A commit costs as much for one as for many, and nobody waits for it: the slot is free already.
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
