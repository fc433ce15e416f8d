import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { judgeUrl } from '#system/outbound/judge-url.ts'
import { freePort } from '#test/free-port.ts'
import type { Random } from '../random.ts'

/**
 * ok       answers 2xx at once            slow     answers 2xx after a while
 * failing  answers 4xx or 5xx             gone     answers 410
 * flapping answers 2xx or 5xx by chance   hanging  reads the request and never answers
 * reset    resets the connection          torn     begins an answer and closes the connection
 * dead     no server listens
 */
export const MOODS = [
  'ok',
  'ok',
  'ok',
  'slow',
  'failing',
  'gone',
  'flapping',
  'hanging',
  'reset',
  'torn',
  'dead',
] as const
export type Mood = (typeof MOODS)[number]

/** One complete request. */
export type Receipt = {
  readonly path: string
  readonly at: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** The status of the response, or null while there is no response. */
  status: number | null
}

const SLOW_MAX_MS = 150
const FAILURES = [400, 404, 429, 500, 502, 503]

/** A partner's server on one fixed port. `mood` is its current behaviour. It stores all requests it receives. */
export class Receiver {
  readonly receipts: Receipt[] = []
  mood: Mood = 'ok'
  readonly #random: Random
  #server = createServer()
  #port = 0

  constructor(random: Random) {
    this.#random = random
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  async rise(): Promise<void> {
    if (this.#server.listening) return
    while (this.#port === 0) this.#port = await freeEndpointPort()
    this.#server = createServer((request, response) => void this.#take(request, response).catch(() => {}))
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject).listen(this.#port, '127.0.0.1', () => resolve())
    })
  }

  async die(): Promise<void> {
    if (!this.#server.listening) return
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve())
      this.#server.closeAllConnections()
    })
  }

  async turn(mood: Mood): Promise<void> {
    this.mood = mood
    await (mood === 'dead' ? this.die() : this.rise())
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { url: path = '', headers } = request
    const receipt: Receipt = { path, at: Date.now(), headers, body: Buffer.concat(chunks), status: null }
    this.receipts.push(receipt)
    await this.#answer(receipt, response)
  }

  async #answer(receipt: Receipt, response: ServerResponse): Promise<void> {
    switch (this.mood) {
      case 'ok':
        return say(receipt, response, 204)
      case 'slow':
        await this.#random.pause(SLOW_MAX_MS)
        return say(receipt, response, 200)
      case 'failing':
        return say(
          receipt,
          response,
          this.#random.pick(FAILURES),
          this.#random.oneIn(30) ? { 'retry-after': '30' } : {},
        )
      case 'gone':
        return say(receipt, response, 410)
      case 'flapping':
        return say(receipt, response, this.#random.oneIn(2) ? 200 : 500)
      case 'torn':
        response.socket?.end('HTTP/1.1 2')
        return
      case 'reset':
        response.socket?.resetAndDestroy()
        return
      // The receiver sends nothing. When it became `dead`, `die` closed the connection.
      case 'hanging':
      case 'dead':
    }
  }
}

/** Records the status before it is sent, because the client may be faster than this process. */
function say(receipt: Receipt, response: ServerResponse, status: number, headers = {}): void {
  if (response.socket?.destroyed !== false) return
  receipt.status = status
  response.writeHead(status, headers).end()
}

/** Returns zero for a port that belongs to another service (27017 is MongoDB's), which an endpoint may not use. */
async function freeEndpointPort(): Promise<number> {
  const port = await freePort()
  return judgeUrl(`http://127.0.0.1:${port}/`, { loopback: true, ranges: [] }).allowed ? port : 0
}
