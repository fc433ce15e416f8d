import type { SqlValue } from '../statement.ts'

/** A message from PostgreSQL: its kind, and where its content is in the bytes. */
export type Message = { readonly kind: string; readonly bytes: Buffer; readonly start: number; readonly end: number }

/** One byte for the kind and four for the length. The length counts its own four bytes, but not the kind. */
const HEAD = 5

/**
 * Splits the received bytes into messages. A message that comes in several pieces is joined when it is complete; other
 * messages are not copied.
 */
export class MessageReader {
  /** An incomplete message: its pieces, their length, and the length needed to continue. */
  #pieces: Buffer[] = []
  #length = 0
  #wanted = 0
  readonly #take: (message: Message) => void

  constructor(take: (message: Message) => void) {
    this.#take = take
  }

  read(piece: Buffer): void {
    let start = 0
    while (this.#length > 0 && start < piece.length) start += this.#complete(piece.subarray(start))
    if (start === piece.length) return
    let length = messageLength(piece, start)
    while (length <= piece.length - start) {
      this.#take(messageAt(piece, start, length))
      start += length
      length = messageLength(piece, start)
    }
    if (start < piece.length) this.#begin(piece.subarray(start), length)
  }

  #begin(bytes: Buffer, wanted: number): void {
    this.#pieces = [bytes]
    this.#length = bytes.length
    this.#wanted = wanted
  }

  /** Returns how much of the piece belongs to the incomplete message. */
  #complete(piece: Buffer): number {
    const part = piece.subarray(0, this.#wanted - this.#length)
    this.#pieces.push(part)
    this.#length += part.length
    if (this.#length < this.#wanted) return part.length
    const bytes = Buffer.concat(this.#pieces, this.#length)
    const length = messageLength(bytes, 0)
    // Until now only the head was needed. Now the length of the whole message is known.
    if (length > bytes.length) {
      this.#begin(bytes, length)
      return part.length
    }
    this.#pieces = []
    this.#length = 0
    this.#take(messageAt(bytes, 0, length))
    return part.length
  }
}

function messageAt(bytes: Buffer, start: number, length: number): Message {
  const kind = String.fromCharCode(bytes[start] ?? 0)
  return { kind, bytes, start: start + HEAD, end: start + length }
}

/** The length of a message with its head; `HEAD` while too few bytes have come to read the length. */
function messageLength(bytes: Buffer, start: number): number {
  if (bytes.length - start < HEAD) return HEAD
  const length = 1 + bytes.readInt32BE(start + 1)
  // A message with length 0 would be parsed at the same offset forever.
  if (length < HEAD) throw new Error('a message shorter than its head')
  return length
}

/** `format` is 1 for binary and 0 for text. */
export type WantedColumn = { readonly format: 0 | 1 }

/**
 * Messages to PostgreSQL, in the documented format ("Message Formats"). They are collected and sent with one write, because a
 * write costs more than running a short statement.
 */
export class MessageWriter {
  #bytes = Buffer.allocUnsafe(SIZE)
  #length = 0

  /** Parses a statement under a name, and requests the description of its columns. */
  prepare({ name, text }: { readonly name: string; readonly text: string }): void {
    const parse = this.#begin('P')
    this.#text(name)
    this.#text(text)
    this.#int16(0)
    this.#end(parse)
    const describe = this.#begin('D')
    this.#byte('S')
    this.#text(name)
    this.#end(describe)
    this.#copy(SYNC)
  }

  /** Runs a prepared statement, with each column in its format. */
  execute(name: string, values: readonly SqlValue[], columns: readonly WantedColumn[]): void {
    const bind = this.#begin('B')
    this.#text('')
    this.#text(name)
    this.#int16(values.length)
    for (const value of values) this.#int16(Buffer.isBuffer(value) ? 1 : 0)
    this.#int16(values.length)
    for (const value of values) this.#value(value)
    this.#int16(columns.length)
    for (const { format } of columns) this.#int16(format)
    this.#end(bind)
    this.#copy(EXECUTE_AND_SYNC)
  }

  /** Returns all messages since the last call, as a copy, because the buffer is reused at once. */
  take(): Buffer {
    const bytes = Buffer.from(this.#bytes.subarray(0, this.#length))
    this.#length = 0
    return bytes
  }

  /** Returns the offset of the message's length, which is written when the message ends. */
  #begin(kind: string): number {
    this.#byte(kind)
    const start = this.#length
    this.#int32(0)
    return start
  }

  #end(start: number): void {
    this.#bytes.writeInt32BE(this.#length - start, start)
  }

  #value(value: SqlValue): void {
    const start = this.#length
    this.#int32(-1)
    if (value === null) return
    if (Buffer.isBuffer(value)) this.#copy(value)
    else this.#write(typeof value === 'object' ? arrayText(value) : String(value))
    this.#bytes.writeInt32BE(this.#length - start - 4, start)
  }

  #byte(character: string): void {
    this.#room(1)
    this.#bytes[this.#length++] = character.charCodeAt(0)
  }

  #int16(number: number): void {
    this.#room(2)
    this.#length = this.#bytes.writeInt16BE(number, this.#length)
  }

  #int32(number: number): void {
    this.#room(4)
    this.#length = this.#bytes.writeInt32BE(number, this.#length)
  }

  /** Writes a text and the zero byte that ends it. */
  #text(text: string): void {
    this.#write(text)
    this.#room(1)
    this.#bytes[this.#length++] = 0
  }

  #write(text: string): void {
    this.#room(text.length * BYTES_PER_CHARACTER_MAX)
    this.#length += this.#bytes.write(text, this.#length)
  }

  #copy(bytes: Buffer): void {
    this.#room(bytes.length)
    this.#length += bytes.copy(this.#bytes, this.#length)
  }

  #room(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return
    const larger = Buffer.allocUnsafe((this.#length + bytes) * 2)
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
  }
}

const SIZE = 16_384
/** A Sync ends the error state of a failed statement. */
const SYNC = Buffer.from([0x53, 0, 0, 0, 4])
/** Executes the unnamed portal to its end. */
const EXECUTE_AND_SYNC = Buffer.concat([Buffer.from([0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0]), SYNC])
/** One UTF-16 unit of a JavaScript string becomes at most three bytes of UTF-8: a four-byte character is two units. */
const BYTES_PER_CHARACTER_MAX = 3

function arrayText(values: readonly (string | number)[]): string {
  return `{${values.map((value) => (typeof value === 'number' ? value : quoted(value))).join(',')}}`
}

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`
}
