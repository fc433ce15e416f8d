import { type OpenStreamLimits, OpenStreams, openLastEventId } from '#http/open-streams.ts'
import { type LiveClient, LiveText, type LiveWriter } from '#http/response-bodies.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import { ApiError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { inEach, type World } from '#kernel/world.ts'
import type { Log } from '#system/log.ts'
import type { PlatformDatabase, WorldDatabase } from '#system/postgres/database.ts'
import { canContinueFrom, findHead, type StreamPlace } from './read-store.ts'
import { Reader } from './reader.ts'
import { type Credential, credentialChecks } from './rights.ts'
import { TAIL_DEFAULTS, Tail, type TailSettings } from './tail.ts'
import type { Viewer, Wish } from './viewer.ts'

export type StreamSettings = TailSettings & OpenStreamLimits

/** How many streams may be open in one process: per app, and in total. */
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
  /** The last event id as the client sent it, not checked yet. */
  readonly lastEventId: string | undefined
}

/** The open streams of this process. */
export class Streams {
  readonly #parts: StreamParts
  readonly #tails: Readonly<Record<World, Tail>>
  readonly #open: OpenStreams

  constructor(parts: StreamParts) {
    const { databases, log, streaming = STREAM_DEFAULTS } = parts
    this.#parts = parts
    this.#open = new OpenStreams('event streams', streaming)
    this.#tails = inEach((world) => {
      const stillHeld = credentialChecks({ databases }, world)
      return new Tail({ db: databases[world], stillHeld, log, settings: streaming })
    })
  }

  /** How many streams of this app are open in this process. */
  openOf(app: string): number {
    return this.#open.openOf(app)
  }

  /** Makes all checks before the stream opens, so that an error can still be an ordinary response. */
  async open({ viewer, credential, wish, lastEventId }: Opening): Promise<LiveText> {
    const { app, world } = viewer
    const from = await this.#startOf(viewer, lastEventId)
    const begin = (client: LiveClient): LiveWriter => {
      const seal = (place: StreamPlace) => this.#parts.cursors.seal(kindOf(app), [place.position, place.event])
      const reader = new Reader({ client, credential, viewer, wish, seal, from })
      this.#open.opened(app)
      this.#tails[world].add(reader)
      const over = () => {
        if (!this.#tails[world].remove(reader)) return
        this.#open.closed(app)
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
    return new LiveText(begin, (now) => this.#open.requireRoom(app, now))
  }

  /** The place where the client stopped; for a new client, the end of the stream. */
  async #startOf({ app, world }: Viewer, lastEventId: string | undefined): Promise<StreamPlace> {
    const { reads } = this.#parts.databases[world]
    const opened = openLastEventId(this.#parts.cursors, kindOf(app), lastEventId)
    if (opened === null) return findHead(reads)
    const place = { position: Number(opened[0]), event: String(opened[1]) }
    if (!(await canContinueFrom(reads, place))) throw tooOld()
    return place
  }
}

/** A place belongs to an app: every credential of the app can continue from it. */
function kindOf(app: Id<'app'>) {
  return { kind: `event_stream/${app}`, version: 1 }
}

/** The error for an id whose entry is older than 90 days, or was lost when the database was restored. */
function tooOld(): ApiError {
  return new ApiError('gone', {
    public: 'The stream cannot continue from this event id: the events after it are no longer stored.',
    remediation: 'Read the stored events with GET /events, oldest first, then connect without a last event id.',
  })
}
