import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Received = { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: Buffer }

/** A partner's endpoint: real HTTP on loopback. It stores the requests it receives and responds as the test sets. */
export type WebhookReceiver = {
  readonly url: string
  readonly received: readonly Received[]
  /** Resolves with the first `count` deliveries, once the endpoint has received them. */
  waitFor(count: number): Promise<readonly Received[]>
  /** Sets all further responses. A promise delays the response until it resolves. */
  answerWith(answer: (delivery: Received) => number | Promise<number>): void
  close(): Promise<void>
}

export async function webhookReceiver(): Promise<WebhookReceiver> {
  const received: Received[] = []
  const waiting = new Set<() => void>()
  let answer: (delivery: Received) => number | Promise<number> = () => 204

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const delivery = { path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) }
    received.push(delivery)
    for (const resolveIfComplete of waiting) resolveIfComplete()
    response.writeHead(await answer(delivery)).end()
  })
  // The receiver never closes an idle connection. Otherwise it might close one just as the sender, after a stall, sends
  // the next request on it.
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    waitFor: (count) =>
      new Promise((resolve) => {
        const resolveIfComplete = () => {
          if (received.length < count) return
          waiting.delete(resolveIfComplete)
          resolve(received.slice(0, count))
        }
        waiting.add(resolveIfComplete)
        resolveIfComplete()
      }),
    answerWith(next) {
      answer = next
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
