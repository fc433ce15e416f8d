import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export type Received = {
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  readonly event: { id: string; event: string }
}

export type Receiver = {
  readonly url: string
  readonly received: readonly Received[]
  /** The ids of the events of this name, in order. */
  ids(event: string): readonly string[]
  /** Sets the status of the following responses. */
  answer(status: number): void
  close(): Promise<void>
}

/** Starts a receiver of webhooks, as a developer runs it on their machine. */
export async function receiver(port = 0): Promise<Receiver> {
  const received: Received[] = []
  let status = 204
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray())
    received.push({ headers: request.headers, body, event: JSON.parse(String(body)) })
    response.writeHead(status).end()
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const close = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections()
      server.close(() => resolve())
    })
  onTestFinished(close)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    ids: (name) => received.filter(({ event }) => event.event === name).map(({ event }) => event.id),
    answer: (next) => {
      status = next
    },
    close,
  }
}

/** Starts a server that is closed after the test, and returns its address. */
export async function listeningAt(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
