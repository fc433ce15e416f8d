import { connect } from 'node:net'

/** Sends raw bytes that no HTTP client would send, and reads until the server closes the connection. */
export async function sendRaw(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  const chunks: Buffer[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  socket.on('data', (chunk) => chunks.push(chunk))
  // If the server closes the connection while we write, the socket has an error. The result is the text that was
  // received before the error.
  socket.on('error', () => resolve())
  socket.on('close', () => resolve())
  socket.write(text)
  await promise
  return Buffer.concat(chunks).toString()
}

export type RawResponse = {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

export function parseRaw(text: string): RawResponse {
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const headers = new Map(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  return { status: Number(first.split(' ')[1]), headers, body: rest.join('\r\n\r\n') }
}
