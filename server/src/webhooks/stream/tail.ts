import { setTimeout as wait } from 'node:timers/promises'
import type { Log } from '#system/log.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { type EntryRow, findHead, readAfter, readTail, type StreamPiece, type StreamPlace } from './read-store.ts'
import type { Reader } from './reader.ts'
import type { StillHeld } from './rights.ts'
import { isFor, recordOf } from './viewer.ts'

/** All times are real time. */
export type TailSettings = {
  readonly roundMs: number
  /** How often credentials are checked while nothing is sent. */
  readonly checkMs: number
  readonly beatMs: number
  /** How many entries one read returns. */
  readonly batch: number
  /** How many readers may catch up at the same time. */
  readonly catchingUpMax: number
}

export const TAIL_DEFAULTS: TailSettings = {
  roundMs: 200,
  checkMs: 2_000,
  beatMs: 15_000,
  batch: 200,
  catchingUpMax: 4,
}

export type TailParts = {
  readonly db: WorldDatabase
  readonly stillHeld: StillHeld
  readonly log: Pick<Log, 'warn'>
  readonly settings: TailSettings
}

/** The next read asks for twice as many entries as the client took, and for at least twice this number. */
const SLOWEST_PACE = 2

/** How long to wait after a failed round. Readers keep their places. */
const AFTER_FAILURE_MS = 1_000

/**
 * Reads the end of the stream once a round, for all readers of this process. A reader that is behind (it came with an
 * older cursor, or its client is slow) reads on its own from its place until it has caught up.
 */
export class Tail {
  readonly #parts: TailParts
  readonly #readers = new Set<Reader>()
  readonly #waiting: (() => void)[] = []
  #catchingUp = 0
  #at: StreamPlace | null = null
  #isRunning = false

  constructor(parts: TailParts) {
    this.#parts = parts
  }

  add(reader: Reader): void {
    this.#readers.add(reader)
    if (!this.#isRunning) void this.#run()
  }

  /** Returns false if the reader was removed before. */
  remove(reader: Reader): boolean {
    return this.#readers.delete(reader)
  }

  async #run(): Promise<void> {
    const { settings, log, db } = this.#parts
    this.#isRunning = true
    let [checkedAt, beatenAt] = [performance.now(), performance.now()]
    while (this.#readers.size > 0) {
      const now = performance.now()
      const isCheckDue = now - checkedAt >= settings.checkMs
      if (isCheckDue) checkedAt = now
      try {
        await this.#round(isCheckDue)
      } catch (error) {
        log.warn({ world: db.world, err: error }, 'the event stream could not be read; it will be tried again')
        await wait(AFTER_FAILURE_MS, undefined, { ref: false })
      }
      if (now - beatenAt >= settings.beatMs) {
        beatenAt = now
        for (const reader of this.#readers) reader.beat()
      }
      await wait(settings.roundMs, undefined, { ref: false })
    }
    this.#isRunning = false
    this.#at = null
  }

  async #round(isCheckDue: boolean): Promise<void> {
    const { db, settings } = this.#parts
    // A copy: a reader that is added during the read waits for the next round, because this read may leave out its app.
    const readers = [...this.#readers]
    const from = this.#at ?? (await findHead(db.reads))
    const apps = [...new Set(readers.map(({ viewer }) => viewer.app))]
    const piece = await readTail(db, from.position, { apps, limit: settings.batch })
    const byApp = Map.groupBy(piece.entries, ({ app_id }) => app_id)
    await this.#endUnheld(isCheckDue ? readers : readers.filter(({ viewer }) => byApp.has(viewer.app)))
    const records = recordsOf(db)
    for (const reader of readers) {
      if (reader.isOver || reader.isCatchingUp) continue
      if (reader.isFull || reader.place.position < from.position) void this.#catchUp(reader)
      else handOver(reader, { ...piece, entries: byApp.get(reader.viewer.app) ?? [] }, records)
    }
    this.#at = piece.to
  }

  async #endUnheld(readers: readonly Reader[]): Promise<void> {
    if (readers.length === 0) return
    const held = await this.#parts.stillHeld(readers.map(({ credential }) => credential))
    for (const [at, reader] of readers.entries()) if (held[at] !== true) reader.end('credential_ended')
  }

  async #catchUp(reader: Reader): Promise<void> {
    const { log, db } = this.#parts
    reader.isCatchingUp = true
    try {
      while (await this.#hasMore(reader));
    } catch (error) {
      // The next round finds that the reader is behind, and starts again.
      log.warn({ world: db.world, err: error }, 'an event stream could not be read; it will be tried again')
    } finally {
      reader.isCatchingUp = false
    }
  }

  /** Reads once for this reader. Returns false if there is nothing more to read: the reader has caught up, or is over. */
  async #hasMore(reader: Reader): Promise<boolean> {
    await reader.room()
    if (reader.isOver) return false
    await this.#enter()
    try {
      const { db, settings } = this.#parts
      const limit = Math.min(reader.pace, settings.batch)
      const piece = await readAfter(db, reader.place.position, { app: reader.viewer.app, limit })
      await this.#endUnheld([reader])
      const taken = handOver(reader, piece, recordsOf(db))
      reader.pace = 2 * Math.max(taken, SLOWEST_PACE)
      return !reader.isOver && (reader.isFull || !piece.isAll)
    } finally {
      this.#leave()
    }
  }

  /**
   * Waits until fewer than `catchingUpMax` readers read on their own. Each reader that has finished a read lets one
   * waiting reader start.
   */
  async #enter(): Promise<void> {
    if (this.#catchingUp < this.#parts.settings.catchingUpMax) this.#catchingUp++
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  #leave(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#catchingUp--
    else next()
  }
}

type Records = (row: EntryRow) => string | null

/** Each entry is rendered once for all readers of a round. */
function recordsOf({ world }: WorldDatabase): Records {
  const rendered = new Map<EntryRow, string | null>()
  return (row) => {
    const cached = rendered.get(row)
    if (cached !== undefined) return cached
    const record = recordOf(row, world)
    rendered.set(row, record)
    return record
  }
}

/**
 * Sends entries until the client has no room for more; the rest is read again from the reader's place. Returns how many
 * entries were sent or skipped.
 */
function handOver(reader: Reader, { entries, to }: StreamPiece, records: Records): number {
  for (const [taken, row] of entries.entries()) {
    if (reader.isOver || reader.isFull) return taken
    if (row.position <= reader.place.position) continue
    const place = { position: row.position, event: row.event_id }
    const record = isFor(reader.viewer, reader.wish, row) ? records(row) : null
    if (record === null) reader.passed(place)
    else reader.send(place, record)
  }
  if (!reader.isOver) reader.passed(to)
  return entries.length
}
