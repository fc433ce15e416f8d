import type { BodyStart } from './body-start.ts'

/** Of `read`: there is more to come; these are no chunks, or too much. Anything else is where they end. */
export const CHUNKS_GO_ON = 0
export const CHUNKS_BROKEN = -1

const [LF, CR] = [0x0a, 0x0d]
/** Far beyond what is read of any body. */
const SIZE_DIGITS_MAX = 8

type Expected = 'size' | 'size_lf' | 'data' | 'data_cr' | 'data_lf' | 'end_cr' | 'end_lf'

/**
 * A chunked body. Extensions and trailers are allowed by HTTP and used by nobody: they are taken for the end of what can be
 * understood, which costs the receiver no more than the connection.
 */
export class Chunks {
  #expected: Expected = 'size'
  #size = 0
  #digits = 0

  begin(): void {
    this.#expected = 'size'
    this.#size = 0
    this.#digits = 0
  }

  read(bytes: Buffer, from: number, to: number, body: BodyStart): number {
    let at = from
    while (at < to) {
      if (this.#expected === 'data') {
        const end = Math.min(to, at + this.#size)
        if (!body.take(bytes, at, end)) return CHUNKS_BROKEN
        this.#size -= end - at
        if (this.#size === 0) this.#expected = 'data_cr'
        at = end
        continue
      }
      const ends = this.#expected === 'end_lf'
      if (!this.#frame(bytes[at] ?? 0)) return CHUNKS_BROKEN
      at += 1
      if (ends) return at
    }
    return CHUNKS_GO_ON
  }

  /** One byte of what stands around the data. */
  #frame(byte: number): boolean {
    switch (this.#expected) {
      case 'size':
        if (byte !== CR) return this.#digit(byte)
        this.#expected = 'size_lf'
        return this.#digits > 0
      case 'size_lf':
        this.#expected = this.#size === 0 ? 'end_cr' : 'data'
        this.#digits = 0
        return byte === LF
      case 'data_cr':
        this.#expected = 'data_lf'
        return byte === CR
      case 'end_cr':
        this.#expected = 'end_lf'
        return byte === CR
      default:
        this.#expected = 'size'
        return byte === LF
    }
  }

  #digit(byte: number): boolean {
    const digit = Number.parseInt(String.fromCharCode(byte), 16)
    this.#digits += 1
    this.#size = this.#size * 16 + digit
    return !Number.isNaN(digit) && this.#digits <= SIZE_DIGITS_MAX
  }
}
