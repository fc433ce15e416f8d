/**
 * A client that respects the limits: it waits as long as a response requests, sends If-None-Match so that unchanged data is
 * not sent again, and syncs from one cursor. Node 24 runs this file without dependencies:
 *
 *   TOKEN=at_test_… node docs/examples/patient-client.ts http://localhost:4400
 *
 * It prints each investment that the token may see, one per line. Whenever you press Enter, it prints what has changed.
 */
import { setTimeout as sleep } from 'node:timers/promises'

/** The network, the clock and the random numbers of the client. A test, or your own scheduler, can replace them. */
export type Surroundings = {
  readonly fetch: typeof fetch
  readonly wait: (ms: number) => Promise<unknown>
  readonly now: () => number
  readonly random: () => number
}

const REAL: Surroundings = { fetch, wait: sleep, now: Date.now, random: Math.random }

const TRIES_MAX = 6
const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 60_000
const CACHED_MAX = 1_000

type Answer = { readonly status: number; readonly body: unknown }

/** Use one client for each token, because each token has its own limits. If one request has to wait, all requests wait. */
export class PatientClient {
  readonly #base: string
  readonly #token: string
  readonly #surroundings: Surroundings
  readonly #cache = new Map<string, { readonly etag: string; readonly body: unknown }>()
  #notBefore = 0

  constructor(base: string, token: string, surroundings: Surroundings = REAL) {
    this.#base = base
    this.#token = token
    this.#surroundings = surroundings
  }

  async get(path: string): Promise<Answer> {
    for (let tries = 1; ; tries++) {
      await this.#untilAllowed()
      const response = await this.#send(path, tries)
      if (response !== null && (!isWorthRepeating(response.status) || tries === TRIES_MAX)) {
        return { status: response.status, body: response.body }
      }
      const { now, random } = this.#surroundings
      const { headers = null, body } = response ?? {}
      const pause = waitMs({ headers, body, tries, now: now(), random: random() })
      this.#notBefore = Math.max(this.#notBefore, now() + pause)
    }
  }

  /** Null if no complete response arrived and another try is left. */
  async #send(path: string, tries: number): Promise<(Answer & { readonly headers: Headers }) | null> {
    const cached = this.#cache.get(path)
    try {
      const response = await this.#surroundings.fetch(this.#base + path, {
        headers: { authorization: `Bearer ${this.#token}`, ...(cached && { 'if-none-match': cached.etag }) },
      })
      const { status, headers } = response
      if (status === 304 && cached !== undefined) return { status: 200, headers, body: cached.body }
      const body = parsed(await response.text())
      if (response.ok) this.#store(path, headers.get('etag'), body)
      return { status, headers, body }
    } catch (error) {
      if (tries === TRIES_MAX) throw error
      return null
    }
  }

  /** Waits until requests are allowed again. Another request may get a longer wait meanwhile, so the time is checked again. */
  async #untilAllowed(): Promise<void> {
    const { wait, now } = this.#surroundings
    for (let left = this.#notBefore - now(); left > 0; left = this.#notBefore - now()) await wait(left)
  }

  /** Stores a response for its ETag. The oldest entry is evicted if the cache is full. */
  #store(path: string, etag: string | null, body: unknown): void {
    this.#cache.delete(path)
    if (etag === null) return
    const [oldest] = this.#cache.keys()
    if (this.#cache.size >= CACHED_MAX && oldest !== undefined) this.#cache.delete(oldest)
    this.#cache.set(path, { etag, body })
  }
}

/**
 * True after too many requests (429), and if the service or a gateway is unavailable. Any other error would occur
 * again.
 */
function isWorthRepeating(status: number): boolean {
  return status === 429 || status === 502 || status === 503 || status === 504
}

/** A proxy may send an error in its own format, which need not be JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

type FailedTry = {
  /** Null without a response. */
  readonly headers: Pick<Headers, 'get'> | null
  readonly body: unknown
  readonly tries: number
  readonly now: number
  /** A random number from 0 to 1. */
  readonly random: number
}

/**
 * How long to wait: `details.retry_after` seconds, otherwise until `X-RateLimit-Reset`, otherwise twice as long as the last
 * time. Adds a random part of up to a tenth, or of up to a second if that is more, so that clients with the same wait do not
 * all return at the same moment.
 */
export function waitMs({ headers, body, tries, now, random }: FailedTry): number {
  const seconds = retryAfter(body)
  const reset = Number(headers?.get('x-ratelimit-reset') ?? Number.NaN)
  const doubled = Math.min(FIRST_WAIT_MS * 2 ** (tries - 1), LONGEST_WAIT_MS)
  const requested = seconds === null ? reset * 1_000 - now : seconds * 1_000
  const least = Number.isFinite(requested) ? Math.max(requested, 0) : doubled
  return Math.ceil(least + random * Math.min(Math.max(least / 10, FIRST_WAIT_MS), LONGEST_WAIT_MS))
}

function retryAfter(body: unknown): number | null {
  const { error } = (body ?? {}) as { error?: { details?: { retry_after?: unknown } } }
  const seconds = error?.details?.retry_after
  return typeof seconds === 'number' && seconds >= 0 ? seconds : null
}

type Row = { readonly id: string; readonly visible: boolean }
type Page = {
  readonly data: readonly Row[]
  readonly meta: { readonly has_more: boolean; readonly next_cursor: string }
}

/** Your copy of the investments, and the cursor up to which you have read. Store both in one transaction. */
export type Copy = { readonly rows: Map<string, Row>; cursor: string | null }

/** The first call lists all investments; later calls request only the changes. After 410 everything is listed again. */
export async function sync(client: PatientClient, copy: Copy, changed: (row: Row) => void = () => {}): Promise<void> {
  for (let more = true; more; ) {
    const from = copy.cursor === null ? '' : `&cursor=${encodeURIComponent(copy.cursor)}`
    const { status, body } = await client.get(`/investments?per_page=100${from}`)
    if (status === 410) {
      copy.rows.clear()
      copy.cursor = null
      continue
    }
    if (status !== 200) throw new Error(`sync was rejected with ${status}: ${JSON.stringify(body)}`)
    const { data, meta } = body as Page
    for (const row of data) {
      if (row.visible || 'status' in row) copy.rows.set(row.id, row)
      else copy.rows.delete(row.id)
      changed(row)
    }
    copy.cursor = meta.next_cursor
    more = meta.has_more
  }
}

if (import.meta.main) {
  const [base = ''] = process.argv.slice(2)
  const client = new PatientClient(base, process.env['TOKEN'] ?? '')
  const copy: Copy = { rows: new Map(), cursor: null }
  const print = (row: Row) => process.stdout.write(`${JSON.stringify(row)}\n`)
  await sync(client, copy, print)
  for await (const _ of process.stdin) await sync(client, copy, print)
}
