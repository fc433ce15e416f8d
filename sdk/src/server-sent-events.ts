/** One block of a server-sent event stream. */
export type Message = {
  readonly id: string | undefined
  readonly event: string
  /** Undefined in a block without data. Such a block only sets the id or the wait. */
  readonly data: string | undefined
  /** The wait before a reconnect that the server requests, in milliseconds. */
  readonly retry: number | undefined
}

const EMPTY: Message = { id: undefined, event: 'message', data: undefined, retry: undefined }

/** A limit far above the size of an event, so that a body without line ends does not fill the memory. */
const LINE_CHARACTERS_MAX = 16 * 1024 * 1024

/** Parses server-sent events (WHATWG HTML, section 9.2.6) from the pieces of text that the connection delivers. */
export class MessageParser {
  #rest = ''
  #endedWithReturn = false
  #message = EMPTY

  /** Returns the blocks that this piece completes. */
  push(text: string): Message[] {
    // A line can end with \r\n, and the \n may be the first character of the next piece.
    const piece = this.#endedWithReturn && text.startsWith('\n') ? text.slice(1) : text
    if (text !== '') this.#endedWithReturn = text.endsWith('\r')
    const lines = (this.#rest + piece).split(/\r\n|\n|\r/)
    this.#rest = lines.pop() ?? ''
    if (this.#rest.length > LINE_CHARACTERS_MAX) throw new Error('A line of the event stream is too long.')
    return lines.flatMap((line) => this.#readLine(line))
  }

  #readLine(line: string): Message[] {
    if (line === '') {
      const message = this.#message
      this.#message = EMPTY
      return message === EMPTY ? [] : [message]
    }
    const colon = line.indexOf(':')
    if (colon === 0) return []
    const name = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    this.#message = { ...this.#message, ...this.#field(name, value) }
    return []
  }

  #field(name: string, value: string): Partial<Message> {
    const { data } = this.#message
    if (name === 'data') return { data: data === undefined ? value : `${data}\n${value}` }
    if (name === 'event') return { event: value }
    if (name === 'id' && !value.includes('\0')) return { id: value }
    return name === 'retry' && /^\d+$/.test(value) ? { retry: Number(value) } : {}
  }
}
