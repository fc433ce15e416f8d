import { StringDecoder } from 'node:string_decoder'
import type { Dispatcher } from 'undici'
import type { Carried, Connection } from './connections.ts'
import type { OutboundLimits } from './limits.ts'
import { type FailureWord, failureWordOf, type Outcome } from './outcome.ts'

type Headers = Readonly<Record<string, string | string[] | undefined>>
type Controller = Dispatcher.DispatchController

/** The caller of `send`, and the signal with which it may abandon the request. */
export type Waiting = {
  readonly signal: AbortSignal | undefined
  readonly resolve: (outcome: Outcome) => void
  /** Called if the caller abandoned the request or passed wrong arguments, never for an error of the receiver. */
  readonly reject: (reason: unknown) => void
}

/** The parts that all exchanges of a sender share. */
export type ExchangeOwner = {
  readonly limits: OutboundLimits
  /**
   * Called once for each exchange. `reusable`: the response was read to its end, and the connection can carry another request.
   */
  over(exchange: Exchange, reusable: boolean): void
}

const HTTP_1 = Buffer.from('HTTP/1.')
const [ZERO, ONE] = [0x30, 0x31]
const SWITCHING_PROTOCOLS = 101
/** The bytes of `: ` and of the line break. */
const HEADER_EXTRA_BYTES = 4
/** undici rejects a header that cannot be sent. That is a bug of the caller. */
const CALLER_ERRORS: ReadonlySet<unknown> = new Set(['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED'])

/**
 * One request and its response, driven by undici's callbacks. Once the status is known it is the outcome, even if the body is
 * too long, too slow or cut off: a receiver that answered 200 has the delivery, and a retry would only deliver it twice.
 */
export class Exchange implements Carried {
  readonly connection: Connection
  readonly waiting: Waiting
  deadlineMs: number
  readonly #startedMs = performance.now()
  readonly #owner: ExchangeOwner
  #isOver = false
  #bytes = 0
  #interims = 0
  #status = 0
  /** Whether the length of the body is given in a way that all HTTP readers understand alike. */
  #isPlain = true
  #headers: Headers = {}
  /** Null without a body, as in most responses. */
  #body: BodyStart | null = null

  constructor(connection: Connection, waiting: Waiting, owner: ExchangeOwner) {
    this.connection = connection
    this.waiting = waiting
    this.#owner = owner
    this.deadlineMs = this.#startedMs + owner.limits.totalMs
  }

  /** Called at every tick. */
  check(nowMs: number): void {
    if (nowMs >= this.deadlineMs) this.#finish('timeout')
  }

  /**
   * undici also accepts responses of RTSP, ICE and HTTP/2.0, and skips empty lines before a response, so the first bytes
   * are checked here. undici limits the headers, and we limit the body. An endless status line or chunk extension
   * belongs to neither, so all bytes are counted.
   */
  accept(piece: Buffer): boolean {
    const ok = beginsLikeHttp1(piece, this.#bytes)
    this.#bytes += piece.length
    if (ok && this.#bytes <= this.#owner.limits.responseBytesMax) return true
    this.#finish('connection_failed')
    return false
  }

  /**
   * The caller no longer waits. A status that is already known stays the outcome, because after a rejection the
   * delivery would be sent twice.
   */
  abandon(reason: unknown): void {
    if (this.#status !== 0) this.#finish('connection_failed')
    else if (this.#end(false)) this.waiting.reject(reason)
  }

  onRequestStart(): void {
    this.connection.begin(this)
  }

  onResponseStart(controller: Controller, status: number, headers: Headers): void {
    const tooLong = headBytes(controller) > this.#owner.limits.headerBytesMax
    if (tooLong || (status < 200 && !this.#passesOver(status))) this.#finish('connection_failed')
    else if (status >= 200) this.#onStatus(status, headers)
  }

  onResponseData(_controller: Controller, chunk: Buffer): void {
    this.#body ??= new BodyStart(this.#owner.limits)
    if (!this.#body.take(chunk)) this.#finish('connection_failed')
  }

  /** No webhook receiver uses trailers, and HTTP readers disagree about them: such a connection is not reused. */
  onResponseEnd(_controller: Controller, trailers: Headers): void {
    const reusable = this.#isPlain && this.connection.hasSentAll && Object.keys(trailers).length === 0
    this.#finish('connection_failed', reusable)
  }

  onResponseError(_controller: Controller | null, error: Error): void {
    if ('code' in error && CALLER_ERRORS.has(error.code)) this.abandon(error)
    else this.#finish(failureWordOf(error))
  }

  /** "A user agent MAY ignore unexpected 1xx responses", except 101, because we never request a protocol switch. */
  #passesOver(status: number): boolean {
    this.#interims += 1
    return status !== SWITCHING_PROTOCOLS && this.#interims <= this.#owner.limits.interimMax
  }

  #onStatus(status: number, headers: Headers): void {
    this.#status = status
    this.#headers = headers
    this.#isPlain = isWord(headers['transfer-encoding'], 'chunked')
    this.deadlineMs = Math.min(this.deadlineMs, performance.now() + this.#owner.limits.bodyMs)
  }

  /** `why` is the outcome if no status was received. */
  #finish(why: FailureWord, reusable = false): void {
    if (!this.#end(reusable)) return
    const durationMs = Math.round(performance.now() - this.#startedMs)
    this.waiting.resolve(this.#status === 0 ? { kind: 'failed', why, durationMs } : this.#answered(durationMs))
  }

  /**
   * Returns the connection to the pool, which closes it unless it is reusable. Returns false if the exchange had ended before.
   */
  #end(reusable: boolean): boolean {
    if (this.#isOver) return false
    this.#isOver = true
    this.#owner.over(this, reusable)
    return true
  }

  #answered(durationMs: number): Outcome {
    // A compressed body is not unpacked, because a few bytes may expand to gigabytes; and compressed bytes are not text.
    const readable = isWord(this.#headers['content-encoding'], 'identity')
    const bodyStart = this.#body === null || !readable ? '' : this.#body.text()
    const seconds = retryAfterSeconds(this.#headers['retry-after'], Date.now())
    const withStatus = { kind: 'answered', status: this.#status, bodyStart, durationMs } as const
    return seconds === undefined ? withStatus : { ...withStatus, retryAfterSeconds: seconds }
  }
}

/** `from`: how many bytes of the response came before this piece. */
function beginsLikeHttp1(piece: Buffer, from: number): boolean {
  for (let at = from; at <= HTTP_1.length && at - from < piece.length; at += 1) {
    const byte = piece[at - from]
    if (at < HTTP_1.length ? byte !== HTTP_1[at] : byte !== ZERO && byte !== ONE) return false
  }
  return true
}

/** True if the header is absent, or present once with this value. */
function isWord(value: Headers[string], word: string): boolean {
  return value === undefined || (typeof value === 'string' && value.trim().toLowerCase() === word)
}

/** undici's count leaves out the separators between names and values. */
function headBytes({ rawHeaders }: Controller): number {
  if (!Array.isArray(rawHeaders)) return 0
  let bytes = (rawHeaders.length / 2) * HEADER_EXTRA_BYTES
  for (const part of rawHeaders) bytes += part.length
  return bytes
}

/** The first bytes of a response body. The rest is counted, up to a limit. */
export class BodyStart {
  readonly #keptMax: number
  readonly #bytesMax: number
  #bytes = 0
  readonly #pieces: Buffer[] = []

  constructor(limits: { readonly keptBytesMax: number; readonly bodyBytesMax: number }) {
    this.#keptMax = limits.keptBytesMax
    this.#bytesMax = limits.bodyBytesMax
  }

  /** False if the body is too long. The stored bytes are copied, because a piece is a view of the socket's much larger buffer. */
  take(piece: Buffer): boolean {
    const room = this.#keptMax - this.#bytes
    if (room > 0 && piece.length > 0) this.#pieces.push(Buffer.from(piece.subarray(0, room)))
    this.#bytes += piece.length
    return this.#bytes <= this.#bytesMax
  }

  /** The start of the body as text that PostgreSQL accepts, without half characters and NUL. */
  text(): string {
    const [first] = this.#pieces
    if (first === undefined) return ''
    const bytes = this.#pieces.length === 1 ? first : Buffer.concat(this.#pieces)
    return wholeCharacters(bytes).replaceAll('\0', '\uFFFD')
  }
}

function wholeCharacters(bytes: Buffer): string {
  const endsWhole = (bytes.at(-1) ?? 0) < 0x80
  return endsWhole ? bytes.toString('utf8') : new StringDecoder('utf8').write(bytes)
}

const SECONDS_MAX = 10 ** 9

/**
 * "Retry-After = HTTP-date / delay-seconds" (RFC 9110, 10.2.3) as whole seconds from now, never negative; undefined for
 * anything else.
 */
export function retryAfterSeconds(value: string | readonly string[] | undefined, nowMs: number): number | undefined {
  const text = typeof value === 'string' ? value.trim() : ''
  if (/^\d{1,20}$/.test(text)) return Math.min(Number(text), SECONDS_MAX)
  // Date.parse accepts far more than HTTP allows, such as "1": an HTTP date has a weekday and GMT.
  const at = /^[A-Z][a-z]+,? .+ GMT$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.min(Math.max(0, Math.ceil((at - nowMs) / 1_000)), SECONDS_MAX)
}
