import { AnswerHead, HEAD_BROKEN, HEAD_GOES_ON } from './answer-head.ts'
import { BodyStart } from './body-start.ts'
import { CHUNKS_BROKEN, CHUNKS_GO_ON, Chunks } from './chunks.ts'
import type { OutboundLimits } from './limits.ts'

/**
 * How far an answer is: `whole` and nothing behind it, so that the connection can carry another; or `over`, because nothing more
 * is read of it, and nobody knows what would come next.
 */
export type Progress = 'more' | 'whole' | 'over'

/** What the body is: so and so many bytes, chunks, or all until the connection ends. */
type Framing = 'length' | 'chunks' | 'rest'

/** What a connection reads at a time. An answer fits as a rule; what does not comes in several pieces. */
export const READ_BYTES = 4 * 1_024

const SWITCHING_PROTOCOLS = 101

/** Reads one answer after the other from a connection, in whatever pieces they come. Made once for each connection. */
export class Answer {
  /** 0 until the head is there. From then on it is the outcome, however the body goes on. */
  status = 0
  readonly head = new AnswerHead()
  readonly body: BodyStart
  readonly #limits: OutboundLimits
  readonly #chunks = new Chunks()
  /** A head that comes in pieces, as far as it is there. */
  #pieces: Buffer | null = null
  #piecesLength = 0
  #interims = 0
  #framing: Framing = 'length'
  #left = 0

  constructor(limits: OutboundLimits) {
    this.#limits = limits
    this.body = new BodyStart(limits)
  }

  begin(): void {
    this.status = 0
    this.head.begin()
    this.body.begin()
    this.#pieces = null
    this.#interims = 0
  }

  /** The first `length` of `bytes`, READ_BYTES at most, which are the caller's again afterwards. */
  read(bytes: Buffer, length: number): Progress {
    if (this.status !== 0) return this.#readBody(bytes, 0, length)
    if (this.#pieces === null) return this.#readHeads(bytes, length)
    if (this.#piecesLength + length > this.#pieces.length) return 'over'
    bytes.copy(this.#pieces, this.#piecesLength, 0, length)
    return this.#readHeads(this.#pieces, this.#piecesLength + length)
  }

  /** Whether the receiver keeps the connection open after an answer that is whole. */
  get stays(): boolean {
    const { close, old, stays } = this.head
    return !close && (!old || stays)
  }

  #readHeads(bytes: Buffer, length: number): Progress {
    let from = 0
    for (;;) {
      const end = this.head.read(bytes, from, length)
      if (end === HEAD_BROKEN || (end || length) - from > this.#limits.headerBytesMax) return 'over'
      if (end === HEAD_GOES_ON) return this.#wait(bytes, from, length)
      if (this.head.status >= 200) return this.#begin(bytes, end, length)
      if (!this.#passOver()) return 'over'
      from = end
    }
  }

  #wait(bytes: Buffer, from: number, length: number): Progress {
    // Room for a whole head and what was read with its last byte.
    this.#pieces ??= Buffer.allocUnsafe(this.#limits.headerBytesMax + READ_BYTES)
    this.#piecesLength = bytes.copy(this.#pieces, 0, from, length)
    return 'more'
  }

  /** "The client can discard any 1xx" but one: nobody asked to switch protocols. */
  #passOver(): boolean {
    this.#interims += 1
    const switching = this.head.status === SWITCHING_PROTOCOLS
    this.head.begin()
    return !switching && this.#interims <= this.#limits.interimMax
  }

  #begin(bytes: Buffer, from: number, length: number): Progress {
    const { status, contentLength, chunked, coded } = this.head
    this.status = status
    this.#pieces = null
    if (coded) return 'over'
    if (status === 204 || status === 304) {
      // These have no body. Where a length is named nevertheless, somebody may send one.
      return from === length && !chunked && contentLength <= 0 ? 'whole' : 'over'
    }
    this.#framing = chunked ? 'chunks' : contentLength === -1 ? 'rest' : 'length'
    this.#left = contentLength
    this.#chunks.begin()
    return this.#readBody(bytes, from, length)
  }

  #readBody(bytes: Buffer, from: number, length: number): Progress {
    if (this.#framing === 'chunks') {
      const end = this.#chunks.read(bytes, from, length, this.body)
      if (end === CHUNKS_GO_ON) return 'more'
      return end === CHUNKS_BROKEN || end < length ? 'over' : 'whole'
    }
    if (this.#framing === 'rest') return this.body.take(bytes, from, length) ? 'more' : 'over'
    const end = Math.min(length, from + this.#left)
    this.#left -= end - from
    if (!this.body.take(bytes, from, end) || end < length) return 'over'
    return this.#left === 0 ? 'whole' : 'more'
  }
}
