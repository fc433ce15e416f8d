import type { WallTime } from '#kernel/clock.ts'
import type { CursorKind, CursorSealer, CursorValue } from '#kernel/cursor.ts'
import { ApiError } from '#kernel/errors.ts'
import { rateLimited } from './rate-limit.ts'

export type OpenStreamLimits = {
  /** The maximum number of open streams in this process, for one app and for all apps. */
  readonly perAppMax: number
  readonly allMax: number
}

/** How long the client should wait if the app has too many streams. One of them may end by then. */
const FULL_SECONDS = 60
/** How long the client should wait if all apps together have too many streams. Another server may accept the stream at once. */
const BUSY_SECONDS = 5

/** Counts the open streams of one kind in this process. */
export class OpenStreams {
  readonly #noun: string
  readonly #limits: OpenStreamLimits
  readonly #open = new Map<string, number>()
  #all = 0

  /** `noun`: the plural noun for the streams in error messages. */
  constructor(noun: string, limits: OpenStreamLimits) {
    this.#noun = noun
    this.#limits = limits
  }

  requireRoom(app: string, now: WallTime): void {
    const { perAppMax, allMax } = this.#limits
    if (this.openOf(app) >= perAppMax) {
      const resetAt = Math.ceil(now / 1_000) + FULL_SECONDS
      throw rateLimited(
        { limit: perAppMax, periodSeconds: FULL_SECONDS, retryAfterSeconds: FULL_SECONDS, resetAt },
        `This app has ${perAppMax} open ${this.#noun}, which is as many as it can have.`,
      )
    }
    if (this.#all < allMax) return
    throw new ApiError('unavailable', {
      public: `This server has as many open ${this.#noun} as it can serve.`,
      remediation: 'Wait a few seconds, then connect again with the last event id that you received.',
      headers: { 'Retry-After': String(BUSY_SECONDS) },
    })
  }

  /** How many streams of this app are open. */
  openOf(app: string): number {
    return this.#open.get(app) ?? 0
  }

  opened(app: string): void {
    this.#count(app, 1)
  }

  closed(app: string): void {
    this.#count(app, -1)
  }

  #count(app: string, by: number): void {
    this.#all += by
    const open = (this.#open.get(app) ?? 0) + by
    if (open === 0) this.#open.delete(app)
    else this.#open.set(app, open)
  }
}

/** The position in the id of the last event that the client received. Null for a client that has received no event yet. */
export function openLastEventId(
  sealer: CursorSealer,
  kind: CursorKind,
  sent: string | undefined,
): readonly CursorValue[] | null {
  if (sent === undefined || sent === '') return null
  const position = sealer.open(kind, sent)
  if (position !== null) return position
  throw new ApiError('invalid_request', {
    public: 'The last event id is not from this stream.',
    remediation:
      'Send the id of the last event that you received, unchanged, or send no id to receive only new events.',
  })
}
