import type { Id } from '#kernel/ids.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { type Health, setHealth } from './store.ts'

/**
 * How endpoints fare, kept until it is written: a few times a second for each instead of with every delivery. What a
 * crash loses the next attempt says again.
 */
export class HealthNotes {
  readonly #db: WorldDatabase
  #notes = new Map<Id<'webhookEndpoint'>, Health>()

  constructor(db: WorldDatabase) {
    this.#db = db
  }

  note(endpoint: Id<'webhookEndpoint'>, status: string, succeeded: boolean): void {
    const before = this.#notes.get(endpoint)?.succeeded ?? false
    this.#notes.set(endpoint, { endpoint, status, isFailing: !succeeded, succeeded: succeeded || before })
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

  /** What was noted meanwhile is newer, but a success before it still counts. */
  #putBack(notes: ReadonlyMap<Id<'webhookEndpoint'>, Health>): void {
    for (const [endpoint, older] of notes) {
      const newer = this.#notes.get(endpoint)
      this.#notes.set(
        endpoint,
        newer === undefined ? older : { ...newer, succeeded: newer.succeeded || older.succeeded },
      )
    }
  }
}
