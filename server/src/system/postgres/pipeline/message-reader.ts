/** A message from PostgreSQL: its kind, and the place of its content. */
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
    // So far only the head was wanted. Now the length of the whole message is known.
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
