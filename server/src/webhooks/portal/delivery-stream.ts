import { hash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { areStillAllowed } from '#access/requests/index.ts'
import { OpenStreams } from '#http/open-streams.ts'
import { type LiveClient, LiveText, type LiveWriter } from '#http/response-bodies.ts'
import { ApiError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { Log } from '#system/log.ts'
import type { PlatformDatabase, WorldDatabase } from '#system/postgres/database.ts'
import { readsOf } from './delivery-store.ts'
import { type DeliveryPage, type DeliveryWish, findDeliveries } from './find-deliveries.ts'
import { appDeliveryRecord } from './schemas.ts'

/** A stream follows this many of the newest deliveries that fit its filters. */
export const FOLLOWED = 100
/** A stream continues from an id only if the client has missed at most this many deliveries. */
export const CATCH_UP_MAX = 1_000

const LIMITS = { perAppMax: 10, allMax: 200 }
const ROUND_MS = 1_000
/**
 * After a round the stream waits four times as long as the round took. So slow filters use at most a fifth of the time.
 */
const REST_TIMES = 4
const BEAT_MS = 15_000
const AFTER_FAILURE_MS = 2_000
/** Milliseconds after which a client such as EventSource connects again by itself. */
const RETRY_MS = 2_000

type Parts = {
  readonly databases: Readonly<Record<World, WorldDatabase>> & { readonly platform: PlatformDatabase }
  readonly log: Pick<Log, 'warn'>
}

type Opening = {
  readonly app: Id<'app'>
  readonly world: World
  /** The sign-in session of the person who reads. */
  readonly session: Buffer
  readonly wish: DeliveryWish
  /** The app's API version, which decides which events a wildcard covers. */
  readonly version: string
  /** The newest delivery that the client has; null for a new client. */
  readonly after: string | null
  readonly seal: (newest: string) => string
}

/** A delivery as it is sent, and a digest that changes with it. */
type Rendered = { readonly id: string; readonly text: string; readonly mark: string }

type Reader = Opening & {
  readonly client: LiveClient
  /** The deliveries that the reader follows, each with the digest of the state that the client has. */
  marks: Map<string, string>
  /** The newest delivery that the client has. */
  newest: string
  /** Whether the client's buffer is full. Once the buffer is empty, the next round sends all changes that the client missed. */
  isFull: boolean
  isOver: boolean
  sent: number
}

/**
 * The open streams of deliveries of this process. A delivery changes with each attempt, and the engine does not number
 * these changes. So each round reads the newest deliveries, once for all readers with the same filters, and sends the
 * difference.
 */
export class DeliveryStreams {
  readonly #parts: Parts
  readonly #readers = new Set<Reader>()
  readonly #open = new OpenStreams('delivery streams', LIMITS)
  #isRunning = false

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Reads the first deliveries before the stream opens, so that an error can still be an ordinary response. */
  async open(opening: Opening): Promise<LiveText> {
    const { app, after } = opening
    let page = await this.#read(opening, FOLLOWED)
    if (isBehind(page, after)) page = await this.#read(opening, CATCH_UP_MAX)
    if (isBehind(page, after)) throw tooFar()
    const rows = this.#render(opening, page)
    const begin = (client: LiveClient): LiveWriter => {
      const state = { isFull: false, isOver: false, sent: rows.length }
      const reader: Reader = { ...opening, ...state, client, newest: rows[0]?.id ?? '', marks: marksOf(rows) }
      this.#readers.add(reader)
      this.#open.opened(app)
      const whole = `{"since":${JSON.stringify(page.next)},"data":[${rows.map(({ text }) => text).join(',')}]}`
      write(reader, `retry: ${RETRY_MS}\nid: ${reader.seal(reader.newest)}\nevent: newest\ndata: ${whole}\n\n`)
      if (!this.#isRunning) void this.#run()
      return {
        drained: () => {
          reader.isFull = false
        },
        ended: (why) => {
          if (why === 'closing') this.#end(reader, 'server_closing')
          else this.#remove(reader)
        },
        line: () => ({ deliveries: reader.sent }),
      }
    }
    return new LiveText(begin, (now) => this.#open.requireRoom(app, now))
  }

  #read({ app, world, wish, version }: Opening, size: number): Promise<DeliveryPage> {
    return findDeliveries(readsOf(this.#parts.databases[world]), wish, { app, version, before: null, size })
  }

  #render({ world }: Opening, { deliveries }: DeliveryPage): readonly Rendered[] {
    return deliveries.map((delivery) => {
      const text = JSON.stringify(appDeliveryRecord(delivery, world))
      return { id: delivery.id, text, mark: hash('sha256', text, 'base64') }
    })
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    let beatenAt = performance.now()
    await wait(ROUND_MS, undefined, { ref: false })
    while (this.#readers.size > 0) {
      const began = performance.now()
      try {
        await this.#round()
      } catch (error) {
        this.#parts.log.warn({ err: error }, 'the deliveries could not be read; it will be tried again')
        await wait(AFTER_FAILURE_MS, undefined, { ref: false })
      }
      if (began - beatenAt >= BEAT_MS) {
        beatenAt = began
        for (const reader of this.#readers) if (!reader.isFull) write(reader, ': \n\n')
      }
      await wait(Math.max(ROUND_MS, REST_TIMES * (performance.now() - began)), undefined, { ref: false })
    }
    this.#isRunning = false
  }

  async #round(): Promise<void> {
    await this.#endUnallowed([...this.#readers])
    const reading = [...this.#readers].filter(({ isFull }) => !isFull)
    for (const group of Map.groupBy(reading, ({ app, world, wish }) => JSON.stringify([app, world, wish])).values()) {
      const [first] = group
      if (first === undefined) continue
      const page = await this.#read(first, FOLLOWED)
      const rows = this.#render(first, page)
      for (const reader of group) sendDifference(reader, rows, page.next)
    }
  }

  async #endUnallowed(readers: readonly Reader[]): Promise<void> {
    if (readers.length === 0) return
    const allowed = await areStillAllowed(this.#parts.databases.platform.reads, readers)
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

/** Whether the page ends before it reaches the newest delivery that the client has. */
const isBehind = ({ next }: DeliveryPage, after: string | null) => after !== null && next !== null && next > after

const marksOf = (rows: readonly Rendered[]) => new Map(rows.map(({ id, mark }) => [id, mark]))

/**
 * `rows` are the deliveries from `since` on that match the filters, newest first; if `since` is null, all that match. A
 * followed delivery that is later than `since` and not in `rows` no longer matches the filters. Deliveries before
 * `since` are not followed any more.
 */
function sendDifference(reader: Reader, rows: readonly Rendered[], since: string | null): void {
  const marks = marksOf(rows)
  for (const id of reader.marks.keys()) {
    if (!marks.has(id) && id > (since ?? '')) write(reader, `event: removed\ndata: ${JSON.stringify({ id })}\n\n`)
  }
  for (const { id, text, mark } of rows.toReversed()) {
    if (reader.marks.get(id) === mark) continue
    if (id > reader.newest) reader.newest = id
    write(reader, `id: ${reader.seal(reader.newest)}\ndata: ${text}\n\n`)
    reader.sent++
  }
  reader.marks = marks
}

function tooFar(): ApiError {
  return new ApiError('gone', {
    public: 'The stream cannot continue from this event id: too many deliveries were made since.',
    remediation: 'Read the list of deliveries, then connect without a last event id.',
  })
}
