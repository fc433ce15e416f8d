import { refusal } from '../connection/api.ts'
import type { Connection } from '../connection/connection.ts'

export type StreamMessage = {
  /** The place behind this message; undefined where the server sends none. */
  readonly id: string | undefined
  /** `end` for the last message of a stream, else undefined. */
  readonly name: string | undefined
  readonly data: string | undefined
}

/** The connection is dead or broken; the reason is for a person. */
export class StreamBroken extends Error {
  override readonly name = 'StreamBroken'
}

export type Opening = {
  readonly place: string | null
  readonly types: readonly string[]
  readonly signal: AbortSignal
  readonly silenceMs: number
  /** The server accepted the request. */
  readonly onOpen: (headers: Headers) => void
}

/**
 * Reads server-sent events of one connection until it ends. A server that says nothing for `silenceMs` is taken for dead: it
 * sends a comment line every 15 seconds.
 */
export async function* readStream(connection: Connection, opening: Opening): AsyncGenerator<StreamMessage> {
  const { place, types, signal, silenceMs, onOpen } = opening
  const silence = new AbortController()
  let timer = setTimeout(() => silence.abort(), silenceMs)
  const alive = () => {
    clearTimeout(timer)
    timer = setTimeout(() => silence.abort(), silenceMs)
  }
  try {
    const response = await connection.respond('server', '/events/stream', {
      query: { types: types.length === 0 ? undefined : types.join(',') },
      headers: { accept: 'text/event-stream', ...(place === null ? {} : { 'last-event-id': place }) },
      signal: AbortSignal.any([signal, silence.signal]),
    })
    if (!response.ok || response.body === null) throw refusal(connection.parts, response, await response.text())
    onOpen(response.headers)
    const parser = new MessageParser()
    for await (const chunk of response.body) {
      // Nothing is read while a message is handled, however long that takes.
      clearTimeout(timer)
      yield* parser.push(chunk)
      alive()
    }
  } catch (error) {
    if (silence.signal.aborted && !signal.aborted) {
      throw new StreamBroken(`the service said nothing for ${Math.round(silenceMs / 1_000)} seconds`)
    }
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** The fields that the service uses, of the format that the HTML standard describes. */
class MessageParser {
  readonly #decoder = new TextDecoder()
  #rest = ''
  #id: string | undefined
  #name: string | undefined
  #data: string[] = []

  push(chunk: Uint8Array): readonly StreamMessage[] {
    const messages: StreamMessage[] = []
    this.#rest += this.#decoder.decode(chunk, { stream: true })
    const lines = this.#rest.split(/\r\n|\n|\r/)
    this.#rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line !== '') this.#read(line)
      else if (this.#id !== undefined || this.#data.length > 0) messages.push(this.#dispatch())
    }
    return messages
  }

  #read(line: string): void {
    const colon = line.indexOf(':')
    if (colon === 0) return
    const [name, value] = colon === -1 ? [line, ''] : [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')]
    if (name === 'id') this.#id = value
    if (name === 'event') this.#name = value
    if (name === 'data') this.#data.push(value)
  }

  #dispatch(): StreamMessage {
    const data = this.#data.length === 0 ? undefined : this.#data.join('\n')
    const message = { id: this.#id, name: this.#name, data }
    this.#id = undefined
    this.#name = undefined
    this.#data = []
    return message
  }
}
