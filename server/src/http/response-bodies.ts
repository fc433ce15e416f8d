import type { WallTime } from '#kernel/clock.ts'

/** Sends the next piece. Resolves when the client can receive another piece, and rejects when the client has disconnected. */
export type Write = (text: string) => Promise<void>

/**
 * A response that is too long for memory. Its source is open only while `produce` runs. `produce` waits for the client
 * at every piece: a slow client slows `produce` down, and a client that leaves ends it. An error before the first piece becomes
 * an ordinary error response. From the first piece on, the total time is limited: otherwise a very slow client would keep
 * the source open for hours.
 */
export class StreamedText {
  readonly produce: (write: Write) => Promise<void>
  readonly takenWithinMs: number

  constructor(produce: (write: Write) => Promise<void>, takenWithinMs = 120_000) {
    this.produce = produce
    this.takenWithinMs = takenWithinMs
  }
}

/**
 * RFC 4180: cells are separated by commas, and lines end with CR LF. Every cell is quoted, with its own quotes doubled,
 * whatever its content.
 */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map((cell) => `"${harmless(cell).replaceAll('"', '""')}"`).join(',')}\r\n`
}

export type Cell = string | number | boolean | null

/**
 * Matches text that a spreadsheet would run as a formula. People choose their own names, so a name could be such a text. A
 * formula may begin at the start of a cell, and after each character that some spreadsheet takes as a separator. Some
 * spreadsheets also accept the full-width forms of `=`, `+`, `-` and `@`.
 */
const FORMULA = /((?:^|[;,|\t\r\n])[ \u00a0\u3000"]*)(?=[=+\-@＝＋－＠])/g
const BLANK_FIRST = /^[\t\r\n]/

/** Puts an apostrophe before text that looks like a formula, so that spreadsheets treat it as text. */
function harmless(cell: Cell): string {
  const text = (cell === null ? '' : String(cell)).replaceAll(FORMULA, "$1'")
  return BLANK_FIRST.test(text) ? `'${text}` : text
}

/** The client of a live response. */
export type LiveClient = {
  /** False: the client has not read the earlier text. Wait for `drained`, so that no text piles up in memory. */
  write(text: string): boolean
  /** Ends the response. */
  end(): void
}

/** The edge's calls to the writer of a live response. */
export type LiveWriter = {
  drained(): void
  /**
   * `gone`: the client closed the connection. `closing`: the server stops; the writer sends a last text and ends the response
   * at once.
   */
  ended(why: 'gone' | 'closing'): void
  /** Fields for the log line, at the end. */
  line(): Readonly<Record<string, string | number>>
}

/**
 * A live response continues for as long as its client stays. Meanwhile it has no transaction and no database
 * connection. It is the last response of its connection.
 */
export class LiveText {
  readonly begin: (client: LiveClient) => LiveWriter
  /**
   * Throws an `ApiError` if no more live responses may be open; the client gets it as an ordinary error response.
   * Called in the same turn as `begin`, so that many requests at one moment cannot exceed the limit.
   */
  readonly admit: (now: WallTime) => void

  constructor(begin: (client: LiveClient) => LiveWriter, admit: (now: WallTime) => void = () => {}) {
    this.begin = begin
    this.admit = admit
  }
}

/**
 * A response that is already JSON text, assembled from stored pieces. It is sent unchanged: parsing and serializing it would
 * halve the speed of the most frequent reads. The route's schema still describes it, and the route's tests validate every kind
 * of such a response against that schema.
 */
export class StoredJson {
  /**
   * Bytes that many responses share, so that a long text is encoded once; or several parts, so that a long part is not
   * copied.
   */
  readonly text: string | Buffer | readonly Buffer[]

  constructor(text: string | Buffer | readonly Buffer[]) {
    this.text = text
  }
}

/** Formats with pixels only: no script, no link. */
export const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const
export type PictureType = (typeof PICTURE_TYPES)[number]

/** The body of a route with `image/*`: each response names its type. */
export type Picture = { readonly mediaType: PictureType; readonly bytes: Buffer }

export function isPicture(body: unknown): body is Picture {
  const { mediaType, bytes } = (body ?? {}) as Partial<Picture>
  return PICTURE_TYPES.some((type) => type === mediaType) && Buffer.isBuffer(bytes)
}

/** The address of a page or picture on this server is stored as a path; API clients need the absolute URL. */
export function absoluteUrl(origin: string, address: string): string
export function absoluteUrl(origin: string, address: string | null): string | null
export function absoluteUrl(origin: string, address: string | null): string | null {
  return address?.startsWith('/') ? origin + address : address
}
