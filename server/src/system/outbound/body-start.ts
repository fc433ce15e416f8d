import { StringDecoder } from 'node:string_decoder'

/** The first bytes of a response body. The rest is counted, up to a limit. */
export class BodyStart {
  readonly #keptMax: number
  readonly #bytesMax: number
  #bytes = 0
  readonly #kept: Buffer[] = []

  constructor(limits: { readonly keptBytesMax: number; readonly bodyBytesMax: number }) {
    this.#keptMax = limits.keptBytesMax
    this.#bytesMax = limits.bodyBytesMax
  }

  /** False when the body is too long. Copies what it keeps, because a piece is a view on the much larger buffer of the socket. */
  take(piece: Buffer): boolean {
    const room = this.#keptMax - this.#bytes
    if (room > 0 && piece.length > 0) this.#kept.push(Buffer.from(piece.subarray(0, room)))
    this.#bytes += piece.length
    return this.#bytes <= this.#bytesMax
  }

  /** As text that PostgreSQL accepts: no half characters, no NUL. */
  text(): string {
    const [first] = this.#kept
    if (first === undefined) return ''
    const bytes = this.#kept.length === 1 ? first : Buffer.concat(this.#kept)
    return wholeCharacters(bytes).replaceAll('\0', '\uFFFD')
  }
}

function wholeCharacters(bytes: Buffer): string {
  const endsWhole = (bytes.at(-1) ?? 0) < 0x80
  return endsWhole ? bytes.toString('utf8') : new StringDecoder('utf8').write(bytes)
}
