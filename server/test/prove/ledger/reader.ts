import type { Random } from '../random.ts'
import type { Findings } from './findings.ts'
import type { Credential } from './fixed-data.ts'
import { checkPage, isTombstone, type Page, type Row } from './page-rules.ts'
import type { CopiedRecord, RecordCopy, View } from './reference-model.ts'

/** A moment from which a reader can continue: its copy and its cursor. */
export type Bookmark = { readonly query: Readonly<Record<string, string>>; readonly held: RecordCopy }

export type ReaderParts = {
  readonly credential: Credential
  readonly filters: View['filters']
  /** Set if the reader reads the feed of one company instead of the whole list. */
  readonly path?: string
  readonly random: Random
  readonly findings: Findings
  /** Returns a server that is running now. */
  readonly server: () => string
  /** The page sizes that the reader requests. */
  readonly sizes?: readonly number[]
}

/** The outcome of a request without a page: the reader must list again, or nothing is visible. */
type Refused = 'list again' | 'nothing to see'
/**
 * How often a request is sent at most. A killed server is replaced by another. If no server ever responds, that is a
 * finding.
 */
const TRIES_MAX = 400
const PAGE_SIZES = [1, 2, 3, 5, 8, 25, 100]

/**
 * Acts as a partner who follows the contract: lists, stores the cursor, and then applies sync pages row by row. It uses
 * only HTTP.
 */
export class Reader {
  readonly view: View
  readonly name: string
  readonly #parts: ReaderParts
  #held = new Map<string, CopiedRecord>()
  /** Null if the reader has to list. */
  #query: Readonly<Record<string, string>> | null = null
  #rows = new Set<string>()

  constructor(parts: ReaderParts, from?: Bookmark) {
    const { who, pii } = parts.credential
    this.#parts = parts
    this.view = { who, pii, feed: parts.path !== undefined, filters: parts.filters }
    this.name = JSON.stringify(this.view)
    if (from !== undefined) {
      this.#held = new Map(from.held)
      this.#query = from.query
    }
  }

  get held(): RecordCopy {
    return this.#held
  }

  /** Returns the investments with a sync row since the last call. */
  takeRows(): ReadonlySet<string> {
    const rows = this.#rows
    this.#rows = new Set()
    return rows
  }

  /** The reader's current moment. */
  bookmark(): Bookmark {
    return { query: this.#query ?? {}, held: new Map(this.#held) }
  }

  /** Returns another reader of the same audience, which continues from an earlier moment. */
  from(bookmark: Bookmark): Reader {
    return new Reader(this.#parts, bookmark)
  }

  fresh(): Reader {
    return new Reader(this.#parts)
  }

  /**
   * Reads until there are no more pages. `between` runs between two pages. `onBookmark` gets cursors from which the
   * reader could continue, after a page and after a single row. Returns false if the reader has to list again.
   */
  async catchUp(between = async () => {}, onBookmark: (mark: Bookmark) => void = () => {}): Promise<boolean> {
    for (;;) {
      if (this.#query === null) this.#held = new Map()
      const page = await this.#get(this.#query ?? {})
      if (typeof page === 'string') {
        this.#held = new Map()
        this.#query = null
        return page === 'nothing to see'
      }
      this.#take(page, onBookmark)
      if (!page.meta.has_more && page.meta.mode === 'delta') return true
      await between()
    }
  }

  #take({ data, meta }: Page, onBookmark: (mark: Bookmark) => void): void {
    const { random } = this.#parts
    const markedAt = random.below(data.length * 3)
    for (const [at, row] of data.entries()) {
      this.#apply(row)
      if (meta.mode === 'delta') this.#rows.add(row.id)
      if (at === markedAt && row.cursor !== undefined) {
        onBookmark({ query: { cursor: row.cursor }, held: new Map(this.#held) })
      }
    }
    this.#query = { cursor: meta.next_cursor }
    if (meta.mode === 'delta' && random.oneIn(4)) onBookmark({ query: this.#query, held: new Map(this.#held) })
  }

  #apply(row: Row): void {
    const { cursor, reason, ...record } = row
    if (isTombstone(row)) {
      this.#held.delete(row.id)
      return
    }
    const [old, now] = [this.#held.get(row.id), record].map((one) => Number(one?.['shares'] ?? 0))
    if ((now ?? 0) < (old ?? 0))
      this.#parts.findings.add('order', `the revision of ${row.id} (its shares) decreased from ${old} to ${now}`)
    this.#held.set(row.id, record)
  }

  async #get(query: Readonly<Record<string, string>>): Promise<Page | Refused> {
    const { random, findings, path = '/investments', server, credential, sizes = PAGE_SIZES } = this.#parts
    const search = new URLSearchParams({ ...this.view.filters, ...query, per_page: String(random.pick(sizes)) })
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      const answer = await fetchAnswer(`${server()}${path}?${search}`, credential.bearer)
      switch (answer?.status) {
        case 200: {
          const page = JSON.parse(answer.text) as Page
          checkPage(page, answer.text, { view: this.view, findings })
          return page
        }
        case 410:
          return 'list again'
        // Only an id in a filter or in the path can cause these statuses. Without an id, every reader gets a list, which
        // may be empty.
        case 403:
        case 404:
          if (path !== '/investments' || Object.keys(this.view.filters).length > 0) return 'nothing to see'
          break
        case 503:
        case undefined:
          await random.pause(20)
          continue
        default:
      }
      findings.add('answer', `${this.name} ${search} answered ${answer?.status}: ${answer?.text}`)
      return 'list again'
    }
    findings.add('answer', `no server answers ${this.name}`)
    return 'list again'
  }
}

type Answer = { readonly status: number; readonly text: string }

/** Returns null if no server responds, or if the response is cut off. */
async function fetchAnswer(url: string, bearer: string): Promise<Answer | null> {
  try {
    const response = await fetch(url, { headers: { authorization: `Bearer ${bearer}` } })
    return { status: response.status, text: await response.text() }
  } catch {
    return null
  }
}
