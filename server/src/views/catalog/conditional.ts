import { createHash } from 'node:crypto'
import { StoredJson } from '#http/response-bodies.ts'
import type { Behaviour } from '#http/versions.ts'
import type { WallClock } from '#kernel/clock.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { clockAheadMs } from '#system/postgres/world-clock.ts'

type Headers = Readonly<Record<string, string>>
type Conditional =
  | { readonly status: 200; readonly body: StoredJson; readonly headers: Headers }
  | { readonly status: 304; readonly body: null; readonly headers: Headers }

/** A response as text, and its ETag. */
export type TaggedBody = {
  readonly tag: string
  /** The whole response, with this fetch time. */
  fetchedAt(ms: number): string | Buffer
}

type Body = { readonly data: unknown; readonly meta: object }

/** The ETag is the digest of `tagged`: the response without its fetch time and its sealed cursor. */
export function taggedBody({ data, meta }: Body, tagged: unknown): TaggedBody {
  const shown = JSON.stringify(meta)
  const open = shown === '{}' ? '{' : `${shown.slice(0, -1)},`
  const start = `{"data":${JSON.stringify(data)},"meta":${open}"fetched_at":"`
  const textAt = (ms: number) => `${start}${timeText(ms)}"}}`
  const fetchedAt = start.length < LONG ? textAt : oncePerMillisecond((ms) => Buffer.from(textAt(ms)))
  return { tag: digest(JSON.stringify(tagged)), fetchedAt }
}

/**
 * Text of at least this length is converted to bytes once a millisecond, and not for each response. Shorter text is sent faster
 * as a string.
 */
const LONG = 4_096

/** Calls `make` once for each millisecond: requests in the same millisecond share one text. */
function oncePerMillisecond<Made>(make: (ms: number) => Made): (ms: number) => Made {
  let latest: { readonly ms: number; readonly made: Made } | null = null
  return (ms) => {
    if (latest?.ms !== ms) latest = { ms, made: make(ms) }
    return latest.made
  }
}

const timeText = oncePerMillisecond((ms) => new Date(ms).toISOString())

type ListRequest = {
  readonly fetchedAtMs: number
  readonly behaviour: Behaviour
  readonly header: (name: string) => string | undefined
}

/** Responds with the body and its ETag, or with 304 if the client has the same response already. */
export function conditional(
  { tag, fetchedAt }: TaggedBody,
  { fetchedAtMs, behaviour, header }: ListRequest,
): Conditional {
  const headers = headersOf(tagIn(tag, behaviour))
  if (matches(header('If-None-Match'), headers.ETag)) return { status: 304, body: null, headers }
  return { status: 200, body: new StoredJson(fetchedAt(fetchedAtMs)), headers }
}

/** Like `conditional`, for a response without figures and so without a fetch time. */
export function conditionalUndated<Body>(
  body: Body,
  tagged: unknown,
  { behaviour, header }: Pick<ListRequest, 'behaviour' | 'header'>,
) {
  const headers = headersOf(tagIn(digest(JSON.stringify(tagged)), behaviour))
  return matches(header('If-None-Match'), headers.ETag)
    ? { status: 304 as const, body: null, headers }
    : { status: 200 as const, body, headers }
}

/**
 * The tag is weak, because two responses with the same tag have the same content but different fetch times. Older API versions have
 * another tag, because their responses have another form and a client that changes its version must not reuse its cached copies.
 */
function tagIn(tag: string, { pageCursors }: Behaviour): string {
  return pageCursors === 'sealed' ? `W/"${tag}"` : `W/"${tag}.1"`
}

/** Only the client caches the response (private), and asks on each request whether it is still valid. */
const headersOf = (etag: string) => ({ ETag: etag, 'Cache-Control': 'private, no-cache' })

export function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 27)
}

/** RFC 9110: a list of tags, compared weakly, or `*` for any. */
function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  const bare = etag.slice(2)
  return header
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === '*' || tag === bare)
}

/** The time at which figures are read, in milliseconds of world time: shown as `fetched_at` and on pages. */
export async function fetchedAt(db: WorldDatabase, clock: WallClock): Promise<number> {
  return clock.now() + (await clockAheadMs(db))
}

/** A cache of public responses, valid while nothing in the catalogue changes. */
type ResponseCache<Result> = {
  /** The cached response for this name and revision; otherwise the result of `read`, which is then cached. */
  get(name: string, revision: string, read: () => Promise<Result>): Promise<Result>
}

/**
 * The revision is read before the response. So a cached response is at least as new as its revision, and after a later commit no
 * request uses that revision again. A missing record is not cached, because a client that requests many unknown ids would evict the
 * cached records. A full cache evicts the least recently used entries.
 */
export function responseCache<Result>(most: number): ResponseCache<Result> {
  const cached = new Map<string, { readonly revision: string; readonly answer: Promise<Result> }>()
  return {
    get(name, revision, read) {
      const cachedEntry = cached.get(name)
      // Concurrent requests wait for the same read.
      const entry = cachedEntry?.revision === revision ? cachedEntry : { revision, answer: read() }
      // While the cache is not full, the order of use is not recorded, because nothing is evicted.
      if (entry === cachedEntry && cached.size < most) return entry.answer
      cached.delete(name)
      cached.set(name, entry)
      if (entry !== cachedEntry) {
        const forget = () => cached.get(name) === entry && cached.delete(name)
        entry.answer.then((response) => response === null && forget(), forget)
      }
      const [oldest] = cached.size > most ? cached.keys() : []
      if (oldest !== undefined) cached.delete(oldest)
      return entry.answer
    },
  }
}
