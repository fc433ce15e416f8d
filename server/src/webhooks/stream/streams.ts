import { rateLimited } from '#http/rate-limit.ts'
import { type LiveClient, LiveText, type LiveWriter } from '#http/response-bodies.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import { ApiError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { inEach, type World } from '#kernel/world.ts'
import type { Log } from '#system/log.ts'
import type { PlatformDatabase, WorldDatabase } from '#system/postgres/database.ts'
import { findHead, isKept, type StreamPlace } from './read-store.ts'
import { Reader } from './reader.ts'
import { type Credential, credentialChecks } from './rights.ts'
import { TAIL_DEFAULTS, Tail, type TailSettings } from './tail.ts'
import type { Viewer, Wish } from './viewer.ts'

export type StreamSettings = TailSettings & {
  /** Maximum of open streams in this process, for one app and for all apps. */
  readonly perAppMax: number
  readonly allMax: number
}

export const STREAM_DEFAULTS: StreamSettings = { ...TAIL_DEFAULTS, perAppMax: 50, allMax: 1_000 }

export type StreamParts = {
  readonly databases: Readonly<Record<World, WorldDatabase>> & { readonly platform: PlatformDatabase }
  readonly cursors: CursorSealer
  readonly log: Pick<Log, 'warn'>
  readonly streaming?: StreamSettings | undefined
}

type Opening = {
  readonly viewer: Viewer
  readonly credential: Credential
  readonly wish: Wish
  /** As the client sent it. */
  readonly lastEventId: string | undefined
}

/** The open streams of this process. */
export class Streams {
  readonly #parts: StreamParts
  readonly #settings: StreamSettings
  readonly #tails: Readonly<Record<World, Tail>>
  readonly #open = new Map<Id<'app'>, number>()
  #all = 0

  constructor(parts: StreamParts) {
    const { databases, log, streaming = STREAM_DEFAULTS } = parts
    this.#parts = parts
    this.#settings = streaming
    this.#tails = inEach((world) => {
      const stillHeld = credentialChecks({ databases }, world)
      return new Tail({ db: databases[world], stillHeld, log, settings: streaming })
    })
  }

  /** Makes all checks before the stream opens, while an error can still be an ordinary response. */
  async open({ viewer, credential, wish, lastEventId }: Opening): Promise<LiveText> {
    const { app, world } = viewer
    const from = await this.#startOf(viewer, lastEventId)
    const begin = (client: LiveClient): LiveWriter => {
      const seal = (place: StreamPlace) => this.#parts.cursors.seal(kindOf(app), [place.position, place.event])
      const reader = new Reader({ client, credential, viewer, wish, seal, from })
      this.#count(app, 1)
      this.#tails[world].add(reader)
      const over = () => {
        if (!this.#tails[world].remove(reader)) return
        this.#count(app, -1)
      }
      return {
        drained: () => reader.drained(),
        ended: (why) => {
          if (why === 'closing') reader.end('server_closing')
          else reader.left()
          over()
        },
        line: () => reader.line(),
      }
    }
    return new LiveText(begin, () => this.#requireRoom(app))
  }

  /** The place where the client stopped; for a new client, the end of the stream. */
  async #startOf({ app, world }: Viewer, lastEventId: string | undefined): Promise<StreamPlace> {
    const { reads } = this.#parts.databases[world]
    if (lastEventId === undefined || lastEventId === '') return findHead(reads)
    const [position, event] = this.#parts.cursors.open(kindOf(app), lastEventId) ?? []
    if (typeof position !== 'number' || typeof event !== 'string') throw notOurs()
    const place = { position, event }
    if (!(await isKept(reads, place))) throw tooOld()
    return place
  }

  #requireRoom(app: Id<'app'>): void {
    const { perAppMax, allMax } = this.#settings
    if ((this.#open.get(app) ?? 0) >= perAppMax) {
      const resetAt = Math.ceil(Date.now() / 1_000) + FULL_SECONDS
      throw rateLimited(
        { limit: perAppMax, periodSeconds: FULL_SECONDS, retryAfterSeconds: FULL_SECONDS, resetAt },
        `This app has ${perAppMax} open event streams, which is as many as it can have.`,
      )
    }
    if (this.#all < allMax) return
    throw new ApiError('unavailable', {
      public: 'This server has as many open event streams as it can serve.',
      remediation: 'Wait a few seconds, then connect again with the last event id that you received.',
      headers: { 'Retry-After': String(BUSY_SECONDS) },
    })
  }

  #count(app: Id<'app'>, by: number): void {
    this.#all += by
    const open = (this.#open.get(app) ?? 0) + by
    if (open === 0) this.#open.delete(app)
    else this.#open.set(app, open)
  }
}

/** How long the client should wait if the app has too many streams: one of them may end by then. */
const FULL_SECONDS = 60
/** How long the client should wait if all apps together have too many streams: another server may have room at once. */
const BUSY_SECONDS = 5

/** A place belongs to an app: every credential of the app can continue from it. */
function kindOf(app: Id<'app'>) {
  return { kind: `event_stream/${app}`, version: 1 }
}

function notOurs(): ApiError {
  return new ApiError('invalid_request', {
    public: 'The last event id is not from this stream.',
    remediation: 'Send the id of the last event that you received, unchanged, or send none to begin with new events.',
  })
}

/** The entry of the id is older than 90 days, or was lost when the database was restored. */
function tooOld(): ApiError {
  return new ApiError('gone', {
    public: 'The stream cannot continue from this event id: the events after it are no longer stored.',
    remediation: 'Read the stored events with GET /events, oldest first, then connect without a last event id.',
  })
}
