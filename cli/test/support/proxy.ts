import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export type Proxy = {
  readonly url: string
  breakAll(): void
  /**
   * Passes this many more POST responses. Withholds every later POST response until the connection ends or `release()`
   * is called.
   */
  withhold(passing: number): void
  release(): void
}

/** Starts a proxy in front of the service. The proxy can break connections and withhold responses. */
export async function proxyTo(target: string): Promise<Proxy> {
  let passing = Number.POSITIVE_INFINITY
  let released = Promise.withResolvers<void>()
  const server = createServer((incoming, outgoing) => {
    const forwarded = httpRequest(new URL(incoming.url ?? '/', target), {
      method: incoming.method,
      headers: incoming.headers,
    })
    const isWithheld = incoming.method === 'POST' && passing-- <= 0
    forwarded.once('response', async (serviceResponse) => {
      if (isWithheld) await released.promise
      outgoing.writeHead(serviceResponse.statusCode ?? 502, serviceResponse.headers)
      outgoing.flushHeaders()
      serviceResponse.pipe(outgoing)
    })
    forwarded.on('error', () => outgoing.destroy())
    outgoing.once('close', () => forwarded.destroy())
    incoming.pipe(forwarded)
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
