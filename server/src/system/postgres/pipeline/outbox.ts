import type { SqlValue } from '../statement.ts'

/** `format` is 1 for binary and 0 for text. */
export type WantedColumn = { readonly format: 0 | 1 }

/**
 * Messages to PostgreSQL, in the documented format ("Message Formats"). They are collected and sent with one write, because a
 * write costs more than running a short statement.
 */
export class Outbox {
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

  /** Returns the place of the message's length, which is filled in at its end. */
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
