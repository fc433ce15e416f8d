/**
 * A client that stays welcome: it waits as long as a response asks, asks again only for what has changed, and syncs from one
 * cursor instead of polling. Node 24 runs it as it is, without dependencies:
 *
 *   TOKEN=at_test_… node docs/examples/patient-client.ts http://localhost:4400
 *
 * prints what the token sees of investments, a line each, and then what has changed, whenever you press Enter.
 */
import { setTimeout as sleep } from 'node:timers/promises'

/** What a test, or your own scheduler, puts in the place of the network, of time and of chance. */
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
const KEPT_MAX = 1_000

type Answer = { readonly status: number; readonly body: unknown }

/** One for each token: its limits are the token's, and a wait that one request gets holds for all of them. */
export class PatientClient {
  readonly #base: string
  readonly #token: string
  readonly #surroundings: Surroundings
  readonly #kept = new Map<string, { readonly etag: string; readonly body: unknown }>()
  #notBefore = 0

  constructor(base: string, token: string, surroundings: Surroundings = REAL) {
    this.#base = base
    this.#token = token
    this.#surroundings = surroundings
  }

  async get(path: string): Promise<Answer> {
    for (let tries = 1; ; tries++) {
      await this.#untilAllowed()
      const heard = await this.#ask(path, tries)
      if (heard !== null && (!isWorthRepeating(heard.status) || tries === TRIES_MAX)) {
        return { status: heard.status, body: heard.body }
      }
      const { now, random } = this.#surroundings
      const pause = waitMs({ headers: heard?.headers ?? null, body: heard?.body, tries, now: now(), random: random() })
      this.#notBefore = Math.max(this.#notBefore, now() + pause)
    }
  }

  /** Null where no answer came, or not the whole of it, and it is worth another try. */
  async #ask(path: string, tries: number): Promise<(Answer & { readonly headers: Headers }) | null> {
    const kept = this.#kept.get(path)
    try {
      const response = await this.#surroundings.fetch(this.#base + path, {
        headers: { authorization: `Bearer ${this.#token}`, ...(kept && { 'if-none-match': kept.etag }) },
      })
      const { status, headers } = response
      if (status === 304 && kept !== undefined) return { status: 200, headers, body: kept.body }
      const body = parsed(await response.text())
      if (response.ok) this.#keep(path, headers.get('etag'), body)
      return { status, headers, body }
    } catch (error) {
      if (tries === TRIES_MAX) throw error
      return null
    }
  }

  /** Another request may get a longer wait meanwhile. */
  async #untilAllowed(): Promise<void> {
    const { wait, now } = this.#surroundings
    for (let left = this.#notBefore - now(); left > 0; left = this.#notBefore - now()) await wait(left)
  }

  /** The oldest goes when there is no room for another. */
  #keep(path: string, etag: string | null, body: unknown): void {
    this.#kept.delete(path)
    if (etag === null) return
    const [oldest] = this.#kept.keys()
    if (this.#kept.size >= KEPT_MAX && oldest !== undefined) this.#kept.delete(oldest)
    this.#kept.set(path, { etag, body })
  }
}

/** Too often, or we, or something between us, could not answer right now. Everything else would be answered the same again. */
function isWorthRepeating(status: number): boolean {
  return status === 429 || status === 502 || status === 503 || status === 504
}

/** A proxy between us answers in its own format, which need not be JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

type Refused = {
  /** Null where no answer came. */
  readonly headers: Pick<Headers, 'get'> | null
  readonly body: unknown
  readonly tries: number
  readonly now: number
  /** From 0 to 1. */
  readonly random: number
}

/**
 * As long as the answer says: `details.retry_after` seconds, else until `X-RateLimit-Reset`, else twice as long as the last
 * time. Then up to a tenth more, or up to a second where that is more, by chance and never less, so that not all clients with the same wait come back at once.
 */
export function waitMs({ headers, body, tries, now, random }: Refused): number {
  const said = retryAfter(body)
  const reset = Number(headers?.get('x-ratelimit-reset') ?? Number.NaN)
  const doubled = Math.min(FIRST_WAIT_MS * 2 ** (tries - 1), LONGEST_WAIT_MS)
  const told = said === null ? reset * 1_000 - now : said * 1_000
  const least = Number.isFinite(told) ? Math.max(told, 0) : doubled
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

/** What you keep of investments, and how far you have read. Store both together. */
export type Copy = { readonly rows: Map<string, Row>; cursor: string | null }

/** Lists once, and then syncs the changes. After 410 it lists everything again. */
export async function sync(client: PatientClient, copy: Copy, changed: (row: Row) => void = () => {}): Promise<void> {
  for (let more = true; more; ) {
    const from = copy.cursor === null ? '' : `&cursor=${encodeURIComponent(copy.cursor)}`
    const { status, body } = await client.get(`/investments?per_page=100${from}`)
    if (status === 410) {
      copy.rows.clear()
      copy.cursor = null
      continue
    }
    if (status !== 200) throw new Error(`sync was refused with ${status}: ${JSON.stringify(body)}`)
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
