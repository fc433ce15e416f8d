import { connect, type Socket } from 'node:net'

/** A request that is sent many times, so its bytes are made once. */
export type PreparedRequest = { readonly host: string; readonly port: number; readonly bytes: Buffer }

export type RequestToPrepare = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** With a body it is a POST, otherwise a GET. */
  readonly body?: string
}

export function prepare({ url, headers, body }: RequestToPrepare): PreparedRequest {
  const { hostname, port, host, pathname, search } = new URL(url)
  const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
  const lines = Object.entries({ Host: host, ...headers, ...length }).map(([name, value]) => `${name}: ${value}\r\n`)
  const method = body === undefined ? 'GET' : 'POST'
  return {
    host: hostname,
    port: Number(port),
    bytes: Buffer.from(`${method} ${pathname}${search} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`),
  }
}

const HEAD_END = '\r\n\r\n'
const STATUS = /^HTTP\/1\.1 (\d{3}) /
const LENGTH = /\r\ncontent-length: *(\d+)\r\n/i

export type Answer = { readonly status: number; readonly body: string }

/**
 * One kept-alive connection that only sends prepared bytes and reads the response. The generator shares the machine
 * with the server, and a full HTTP client would use as much processor time as the server.
 */
export class HttpConnection {
  readonly #socket: Socket
  #received = ''
  #broken: Error | null = null
  #waiting: { resolve(answer: Answer): void; reject(error: Error): void } | null = null

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.setNoDelay(true)
    // The length of a body is in bytes, and in latin1 each byte is one character.
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => this.#take(chunk))
    socket.on('error', (error) => this.#fail(error))
    socket.on('close', () => this.#fail(new Error('the server closed a connection that it should keep open')))
  }

  static open({ host, port }: PreparedRequest): Promise<HttpConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host, port }, () => resolve(new HttpConnection(socket)))
      socket.once('error', reject)
    })
  }

  /** Sends the prepared bytes to the host for which this connection was opened. */
  send({ bytes }: PreparedRequest): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#broken !== null) throw this.#broken
      this.#waiting = { resolve, reject }
      this.#socket.write(bytes)
    })
  }

  close(): void {
    this.#waiting = null
    this.#socket.destroy()
  }

  #take(chunk: string): void {
    this.#received += chunk
    const headEnd = this.#received.indexOf(HEAD_END)
    if (headEnd === -1) return
    const head = this.#received.slice(0, headEnd + 2)
    const status = Number(STATUS.exec(head)?.[1])
    const length = Number(LENGTH.exec(head)?.[1])
    if (Number.isNaN(status) || Number.isNaN(length)) {
      this.#socket.destroy(new Error(`cannot read this answer:\n${head}`))
      return
    }
    const bodyStart = headEnd + HEAD_END.length
    if (this.#received.length < bodyStart + length) return
    const answer = { status, body: this.#received.slice(bodyStart) }
    const waiting = this.#waiting
    this.#received = ''
    this.#waiting = null
    waiting?.resolve(answer)
  }

  #fail(error: Error): void {
    this.#broken ??= error
    this.#waiting?.reject(this.#broken)
    this.#waiting = null
  }
}
