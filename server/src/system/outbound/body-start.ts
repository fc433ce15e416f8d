import { StringDecoder } from 'node:string_decoder'

/** What is kept of an answer's body: its beginning. The rest is counted, until it is too much. */
export class BodyStart {
  readonly #keptMax: number
  readonly #bytesMax: number
  #bytes = 0
  /** Null until there is some: most answers have no body. */
  #kept: Buffer[] | null = null

  constructor(limits: { readonly keptBytesMax: number; readonly bodyBytesMax: number }) {
    this.#keptMax = limits.keptBytesMax
    this.#bytesMax = limits.bodyBytesMax
  }

  begin(): void {
    this.#bytes = 0
    this.#kept = null
  }

  /** False when it is too much. What is kept is copied: the bytes belong to the connection, which reads on into them. */
  take(bytes: Buffer, from: number, to: number): boolean {
    const room = this.#keptMax - this.#bytes
    if (room > 0 && to > from) {
      this.#kept ??= []
      this.#kept.push(Buffer.from(bytes.subarray(from, Math.min(to, from + room))))
    }
    this.#bytes += to - from
    return this.#bytes <= this.#bytesMax
  }

  /**
   * As text that a database takes: no half characters, no NUL. A compressed body is not unpacked, since a few bytes of it may
   * stand for gigabytes, and packed bytes mean nothing to a reader: it is left out.
   */
  text(packed: boolean): string {
    const [first] = this.#kept ?? []
    if (packed || this.#kept === null || first === undefined) return ''
    const bytes = this.#kept.length === 1 ? first : Buffer.concat(this.#kept)
    return wholeCharacters(bytes).replaceAll('\0', '\uFFFD')
  }
}

function wholeCharacters(bytes: Buffer): string {
  const endsWhole = (bytes.at(-1) ?? 0) < 0x80
  return endsWhole ? bytes.toString('utf8') : new StringDecoder('utf8').write(bytes)
}
