import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export type Proxy = {
  readonly url: string
  breakAll(): void
  /** Withholds the responses to POST requests after the first `passing`, until the connection ends or `release()` is called. */
  withhold(passing: number): void
  release(): void
}

/** A proxy in front of the service, to break connections with and to keep a program waiting for a response. */
export async function proxyTo(target: string): Promise<Proxy> {
  let passing = Number.POSITIVE_INFINITY
  let released = Promise.withResolvers<void>()
  const server = createServer((incoming, outgoing) => {
    const onward = httpRequest(new URL(incoming.url ?? '/', target), {
      method: incoming.method,
      headers: incoming.headers,
    })
    const isWithheld = incoming.method === 'POST' && passing-- <= 0
    onward.once('response', async (answer) => {
      if (isWithheld) await released.promise
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      outgoing.flushHeaders()
      answer.pipe(outgoing)
    })
    onward.on('error', () => outgoing.destroy())
    outgoing.once('close', () => onward.destroy())
    incoming.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    breakAll: () => server.closeAllConnections(),
    withhold: (count) => {
      passing = count
      released = Promise.withResolvers<void>()
    },
    release: () => {
      passing = Number.POSITIVE_INFINITY
      released.resolve()
    },
  }
}
