import { setTimeout as wait } from 'node:timers/promises'
import { type OpenStreamLimits, OpenStreams } from '#http/open-streams.ts'
import { type LiveClient, LiveText, type LiveWriter } from '#http/response-bodies.ts'
import type { Id } from '#kernel/ids.ts'
import type { Log } from '#system/log.ts'
import type { PlatformDatabase } from '#system/postgres/database.ts'
import { areStillAllowed, type RequestRow, requestsAfter } from './store.ts'

/** All times are wall time. */
export type TailSettings = OpenStreamLimits & {
  readonly roundMs: number
  /** How often sessions and teams are checked while there are no new requests. */
  readonly checkMs: number
  readonly beatMs: number
}

const DEFAULTS: TailSettings = { roundMs: 500, checkMs: 2_000, beatMs: 15_000, perAppMax: 10, allMax: 200 }
/** The maximum of rows that a reader gets in one round. The reader gets its remaining rows in the next rounds. */
const BATCH = 200
const AFTER_FAILURE_MS = 2_000
/** Milliseconds after which a client such as EventSource connects again by itself. */
const RETRY_MS = 2_000

type Parts = {
  readonly platform: PlatformDatabase
  readonly log: Pick<Log, 'warn'>
  readonly settings?: TailSettings | undefined
}

export type Opening = {
  readonly app: Id<'app'>
  /** The hash of the sign-in session of the person who reads. */
  readonly session: Buffer
  /** The client gets the rows after this position. */
  readonly from: number
  readonly fits: (row: RequestRow) => boolean
  readonly record: (row: RequestRow) => object
  readonly seal: (position: number) => string
}

type Reader = Opening & {
  readonly client: LiveClient
  place: number
  /** The last position whose id was sent to the client. */
  lastIdSent: number
  /** The client's buffer is full, so no more rows are read for it. */
  isFull: boolean
  isOver: boolean
  sent: number
}

/**
 * The open tails of this process. Each round makes one read for all of them. One more statement checks which readers are still signed in
 * and on the team. This check runs before rows are sent, and every two seconds.
 */
export class RequestTails {
  readonly #parts: Parts
  readonly #settings: TailSettings
  readonly #readers = new Set<Reader>()
  readonly #open: OpenStreams
  #isRunning = false

  constructor(parts: Parts) {
    this.#parts = parts
    this.#settings = parts.settings ?? DEFAULTS
    this.#open = new OpenStreams('request streams', this.#settings)
  }

  open(opening: Opening): LiveText {
    const begin = (client: LiveClient): LiveWriter => {
      const state = { place: opening.from, lastIdSent: opening.from, isFull: false, isOver: false, sent: 0 }
      const reader: Reader = { ...opening, client, ...state }
      this.#readers.add(reader)
      this.#open.opened(opening.app)
      write(reader, `retry: ${RETRY_MS}\nid: ${opening.seal(opening.from)}\n\n`)
      if (!this.#isRunning) void this.#run()
      return {
        drained: () => {
          reader.isFull = false
        },
        ended: (why) => {
          if (why === 'closing') this.#end(reader, 'server_closing')
          else this.#remove(reader)
        },
        line: () => ({ requests: reader.sent }),
      }
    }
    return new LiveText(begin, (now) => this.#open.requireRoom(opening.app, now))
  }

  async #run(): Promise<void> {
    const { roundMs, checkMs, beatMs } = this.#settings
    this.#isRunning = true
    let [checkedAt, beatenAt] = [performance.now(), performance.now()]
    while (this.#readers.size > 0) {
      const now = performance.now()
      const isCheckDue = now - checkedAt >= checkMs
      if (isCheckDue) checkedAt = now
      try {
        await this.#round(isCheckDue)
      } catch (error) {
        this.#parts.log.warn({ err: error }, 'the request log could not be read; the next round reads it again')
        await wait(AFTER_FAILURE_MS, undefined, { ref: false })
      }
      if (now - beatenAt >= beatMs) {
        beatenAt = now
        for (const reader of this.#readers) beat(reader)
      }
      await wait(roundMs, undefined, { ref: false })
    }
    this.#isRunning = false
  }

  async #round(isCheckDue: boolean): Promise<void> {
    const { reads } = this.#parts.platform
    const reading = [...this.#readers].filter(({ isFull }) => !isFull)
    const groups = [...Map.groupBy(reading, ({ app, place }) => `${app} ${place}`).values()]
    const places = groups.flatMap(([first]) => (first === undefined ? [] : [{ app: first.app, after: first.place }]))
    const found = await requestsAfter(reads, places, BATCH)
    const isNews = new Set(groups.flatMap((group, at) => (found[at]?.length ? group : [])))
    await this.#endUnallowed([...this.#readers].filter((reader) => isCheckDue || isNews.has(reader)))
    for (const [at, group] of groups.entries()) for (const reader of group) handOver(reader, found[at] ?? [])
  }

  async #endUnallowed(readers: readonly Reader[]): Promise<void> {
    if (readers.length === 0) return
    const allowed = await areStillAllowed(this.#parts.platform.reads, readers)
    for (const [at, reader] of readers.entries()) if (allowed[at] !== true) this.#end(reader, 'access_ended')
  }

  #end(reader: Reader, reason: 'access_ended' | 'server_closing'): void {
    if (reader.isOver) return
    reader.client.write(`event: end\ndata: {"reason":"${reason}"}\n\n`)
    reader.client.end()
    this.#remove(reader)
  }

  #remove(reader: Reader): void {
    reader.isOver = true
    if (this.#readers.delete(reader)) this.#open.closed(reader.app)
  }
}

function write(reader: Reader, text: string): void {
  if (!reader.isOver) reader.isFull = !reader.client.write(text)
}

/** Writes until the client's buffer is full. The remaining rows are read again later, from the reader's position. */
function handOver(reader: Reader, rows: readonly RequestRow[]): void {
  for (const row of rows) {
    if (reader.isOver || reader.isFull) return
    reader.place = row.position
    if (!reader.fits(row)) continue
    write(reader, `id: ${reader.seal(row.position)}\ndata: ${JSON.stringify(reader.record(row))}\n\n`)
    reader.lastIdSent = row.position
    reader.sent++
  }
}

/**
 * Keeps the connection open. If the reader has passed rows that do not fit its filter, also sends its position, so that its next
 * connection does not read those rows again.
 */
function beat(reader: Reader): void {
  if (reader.isFull) return
  write(reader, reader.lastIdSent === reader.place ? ': \n\n' : `id: ${reader.seal(reader.place)}\n: \n\n`)
  reader.lastIdSent = reader.place
}
