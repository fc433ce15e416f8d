import { request } from 'node:http'

/** A block of a stream: its fields as the client received them. */
export type StreamBlock = {
  readonly id?: string
  readonly event?: string
  readonly data?: string
  readonly retry?: string
}

export type OpenStream = {
  readonly status: number
  readonly headers: NodeJS.Dict<string | string[]>
  /** All text received so far: the body of the response if the server rejected the request. */
  readonly text: () => string
  /** All blocks received so far, without comments. */
  readonly blocks: readonly StreamBlock[]
  /** The last id received, as a client would send it. */
  readonly lastId: () => string
  /** Whether the connection is closed. */
  readonly isOver: () => boolean
  /** Stops reading until `resume()`. */
  pause(): void
  resume(): void
  /** Closes the connection. */
  close(): void
}

type StreamRequest = { readonly headers?: Readonly<Record<string, string>>; readonly method?: string }

/** Opens a client of server-sent events that shows everything it receives. */
export function openStream(url: string, { headers = {}, method = 'GET' }: StreamRequest = {}): Promise<OpenStream> {
  const { promise, resolve, reject } = Promise.withResolvers<OpenStream>()
  const sent = request(url, { headers, method, agent: false })
  sent.on('error', reject)
  sent.on('response', (response) => {
    const blocks: StreamBlock[] = []
    let [rest, text, isOver, lastId] = ['', '', false, '']
    response.setEncoding('utf8')
    response.on('error', () => {})
    response.on('data', (piece: string) => {
      text += piece
      const parts = (rest + piece).split('\n\n')
      rest = parts.pop() ?? ''
      for (const part of parts) {
        const block = blockOf(part)
        lastId = block.id ?? lastId
        if (Object.keys(block).length > 0) blocks.push(block)
      }
    })
    response.on('close', () => {
      isOver = true
    })
    resolve({
      ...{ status: response.statusCode ?? 0, headers: response.headers, blocks },
      text: () => text,
      lastId: () => lastId,
      isOver: () => isOver,
      pause: () => void response.pause(),
      resume: () => void response.resume(),
      close: () => void sent.destroy(),
    })
  })
  sent.end()
  return promise
}

function blockOf(text: string): StreamBlock {
  const fields = text
    .split('\n')
    .filter((line) => !line.startsWith(':'))
    .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trimStart()])
  return Object.fromEntries(fields)
}

export type StreamedEvent = {
  readonly id: string
  readonly type: string
  readonly attributes: {
    readonly event: string
    readonly installation_id: string | null
    readonly created_at: string
    readonly redelivery_of: string | null
    readonly payload: { readonly [key: string]: unknown }
  }
}

/** Returns the events of the received blocks. */
export function eventsOf({ blocks }: Pick<OpenStream, 'blocks'>): readonly StreamedEvent[] {
  return blocks.flatMap(({ event, data }) => (event === undefined && data !== undefined ? [JSON.parse(data)] : []))
}
