import { CONTENT_LENGTH_DIGITS_MAX, decimal, sameIgnoringCase, textEnd, textOf, tokenEnd } from './head-bytes.ts'

/** Of `read`: the head goes on; it is not a head of HTTP. Anything else is where it ends. */
export const HEAD_GOES_ON = 0
export const HEAD_BROKEN = -1

const [TAB, LF, CR, SPACE, COLON] = [0x09, 0x0a, 0x0d, 0x20, 0x3a]

/** What stands before the status: `HTTP/1.x `, and behind it three digits. */
const VERSION = Buffer.from('HTTP/1.')
const STATUS_AT = VERSION.length + 2
const STATUS_LINE_MIN = STATUS_AT + 3

/** The headers that are heeded, by the length of their names: of the rest none is looked at. */
const CONNECTION = Buffer.from('connection')
const KEEP_ALIVE = Buffer.from('keep-alive')
const RETRY_AFTER = Buffer.from('retry-after')
const CONTENT_LENGTH = Buffer.from('content-length')
const CONTENT_ENCODING = Buffer.from('content-encoding')
const TRANSFER_ENCODING = Buffer.from('transfer-encoding')
const CHUNKED = Buffer.from('chunked')
const CLOSE = Buffer.from('close')
const IDENTITY = Buffer.from('identity')

/**
 * The head of an answer, read as strictly as RFC 9112 lets a reader be: lines end with CR LF, names are tokens and their colon
 * follows at once, no line is folded, no byte is a control character, and the length of the body is said in one way and once.
 * Whatever could be read in two ways is refused, because two readers of one connection that disagree about where an answer ends
 * is how one answer is taken for another.
 */
export class AnswerHead {
  status = 0
  /** -1 where it is not said. */
  contentLength = -1
  chunked = false
  /** In some other way than the one that everybody has to know, or in none that is clear: where it ends is not known. */
  coded = false
  /** Of HTTP/1.0, where connections end unless it is said that they stay. */
  old = false
  close = false
  stays = false
  /** Null where the receiver does not say how long it keeps a connection open. */
  keepAliveSeconds: number | null = null
  /** Null where it is not said, or said twice. */
  retryAfter: string | null = null
  packed = false
  #retryAfters = 0
  /** How far it was read, and where its last line begins: both from the head's first byte. */
  #at = 0
  #line = 0

  begin(): void {
    this.status = 0
    this.contentLength = -1
    this.chunked = false
    this.coded = false
    this.old = false
    this.close = false
    this.stays = false
    this.keepAliveSeconds = null
    this.retryAfter = null
    this.packed = false
    this.#retryAfters = 0
    this.#at = 0
    this.#line = 0
  }

  /** `from` is its first byte, `to` the end of what is there. Called again with more of the same, it goes on where it was. */
  read(bytes: Buffer, from: number, to: number): number {
    for (;;) {
      const at = textEnd(bytes, from + this.#at, to)
      this.#at = at - from
      if (at === to || (at + 1 === to && bytes[at] === CR)) break
      const end = bytes[at] === CR && bytes[at + 1] === LF ? this.#endLine(bytes, from, at) : HEAD_BROKEN
      if (end !== HEAD_GOES_ON) return end
    }
    return this.status > 0 || beginsLikeOne(bytes, from, to) ? HEAD_GOES_ON : HEAD_BROKEN
  }

  #endLine(bytes: Buffer, from: number, end: number): number {
    const start = from + this.#line
    if (start === end) return this.#isComplete() ? end + 2 : HEAD_BROKEN
    const read = this.status === 0 ? this.#readStatus(bytes, start, end) : this.#readHeader(bytes, start, end)
    this.#line = end + 2 - from
    this.#at = this.#line
    return read ? HEAD_GOES_ON : HEAD_BROKEN
  }

  /** All there, and nothing in it contradicts anything else. */
  #isComplete(): boolean {
    const transferred = this.chunked || this.coded
    if (this.contentLength !== -1 && transferred) return false
    const hasBody = this.contentLength !== -1 || transferred
    return this.status >= 200 || (this.status >= 100 && !hasBody)
  }

  /** The reason behind the status may be missing, and with it the space; it is never looked at. */
  #readStatus(bytes: Buffer, start: number, end: number): boolean {
    if (end - start < STATUS_LINE_MIN || !beginsLikeOne(bytes, start, end)) return false
    const minor = (bytes[start + VERSION.length] ?? 0) - 0x30
    const status = decimal(bytes, start + STATUS_AT, start + STATUS_LINE_MIN)
    const spaced = bytes[start + STATUS_AT - 1] === SPACE
    const over = start + STATUS_LINE_MIN === end || bytes[start + STATUS_LINE_MIN] === SPACE
    this.old = minor === 0
    this.status = status
    return (minor === 0 || minor === 1) && spaced && over && status >= 100
  }

  #readHeader(bytes: Buffer, start: number, end: number): boolean {
    const colon = tokenEnd(bytes, start, end)
    if (colon === start || bytes[colon] !== COLON) return false
    let [from, to] = [colon + 1, end]
    while (from < to && isBlank(bytes[from])) from += 1
    while (from < to && isBlank(bytes[to - 1])) to -= 1
    switch (colon - start) {
      case CONNECTION.length:
        this.#readStaying(bytes, start, { from, to })
        return true
      case RETRY_AFTER.length:
        if (sameIgnoringCase(bytes, start, RETRY_AFTER)) this.#readRetryAfter(textOf(bytes, from, to))
        return true
      case CONTENT_LENGTH.length:
        return !sameIgnoringCase(bytes, start, CONTENT_LENGTH) || this.#readLength(bytes, from, to)
      case CONTENT_ENCODING.length:
        this.packed ||= sameIgnoringCase(bytes, start, CONTENT_ENCODING) && !isWord(bytes, { from, to }, IDENTITY)
        return true
      case TRANSFER_ENCODING.length:
        if (sameIgnoringCase(bytes, start, TRANSFER_ENCODING)) this.#readCoding(bytes, { from, to })
        return true
      default:
        return true
    }
  }

  /** `Connection` and `Keep-Alive` have names of one length. */
  #readStaying(bytes: Buffer, start: number, value: Value): void {
    if (sameIgnoringCase(bytes, start, KEEP_ALIVE)) this.#readKeepAlive(textOf(bytes, value.from, value.to))
    else if (sameIgnoringCase(bytes, start, CONNECTION)) this.#readOptions(bytes, value)
  }

  #readOptions(bytes: Buffer, value: Value): void {
    if (isWord(bytes, value, KEEP_ALIVE)) this.stays = true
    else if (isWord(bytes, value, CLOSE)) this.close = true
    else this.#readSeveral(textOf(bytes, value.from, value.to))
  }

  #readSeveral(text: string): void {
    const options = text.toLowerCase().split(/[\t ]*,[\t ]*/)
    this.close ||= options.includes('close')
    this.stays ||= options.includes('keep-alive')
  }

  #readKeepAlive(text: string): void {
    const seconds = /(?:^|[\s,])timeout=(\d{1,9})/i.exec(text)?.[1]
    if (seconds !== undefined) this.keepAliveSeconds = Number(seconds)
  }

  #readRetryAfter(text: string): void {
    this.#retryAfters += 1
    this.retryAfter = this.#retryAfters === 1 ? text : null
  }

  /** Once, and in digits. Said twice it may be two lengths, even where both are the same now. */
  #readLength(bytes: Buffer, from: number, to: number): boolean {
    if (this.contentLength !== -1 || to - from > CONTENT_LENGTH_DIGITS_MAX) return false
    this.contentLength = decimal(bytes, from, to)
    return this.contentLength !== -1
  }

  #readCoding(bytes: Buffer, value: Value): void {
    this.coded ||= this.chunked || this.old || !isWord(bytes, value, CHUNKED)
    this.chunked = !this.coded
  }
}

type Value = { readonly from: number; readonly to: number }

function isWord(bytes: Buffer, { from, to }: Value, word: Buffer): boolean {
  return to - from === word.length && sameIgnoringCase(bytes, from, word)
}

function isBlank(byte: number | undefined): boolean {
  return byte === SPACE || byte === TAB
}

/** As far as it is there: whoever speaks another protocol is not waited for. */
function beginsLikeOne(bytes: Buffer, from: number, to: number): boolean {
  const length = Math.min(to - from, VERSION.length)
  for (let at = 0; at < length; at += 1) if (bytes[from + at] !== VERSION[at]) return false
  return true
}
