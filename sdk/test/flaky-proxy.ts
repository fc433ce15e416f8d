import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The fault that the proxy causes for a request. */
export type Fault =
  /** The proxy forwards this request without a fault. */
  | 'none'
  /** The service handles the request, and the proxy drops the response. */
  | 'lose-response'
  /** The proxy cuts the connection before the service gets the request. */
  | 'cut'
  /** The proxy forwards the request, and never sends the response. */
  | 'hang'
  | { readonly status: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }

export type FlakyProxy = {
  readonly url: string
  /** The faults of the next requests, one for each request. */
  readonly faults: Fault[]
  /** Method, path and headers of all requests that the proxy received. */
  readonly requests: readonly Pick<IncomingMessage, 'method' | 'url' | 'headers'>[]
  /** Cuts all responses that are not complete. */
  cutAll(): void
  /** Stops forwarding data on the connections that are open now, without closing them. */
  silence(): void
  close(): Promise<void>
}

/** Starts a proxy between the SDK and a real service. The proxy causes the faults that the test requests. */
export async function flakyProxy(target: string): Promise<FlakyProxy> {
  const faults: Fault[] = []
  const requests: IncomingMessage[] = []
  const open = new Set<{ readonly response: ServerResponse; readonly from: IncomingMessage }>()

  const server = createServer((incoming, response) => {
    requests.push(incoming)
    const fault = faults.shift()
    if (fault === 'cut') return void incoming.socket.destroy()
    if (typeof fault === 'object') {
      response.writeHead(fault.status, { 'content-type': 'application/json', ...fault.headers })
      return void response.end(typeof fault.body === 'string' ? fault.body : JSON.stringify(fault.body ?? {}))
    }
    const { method, headers } = incoming
    const forwarded = request(target + incoming.url, { method, headers, agent: false }, (from) => {
      if (fault === 'hang') return
      if (fault === 'lose-response') {
        from.resume()
        return void from.once('end', () => response.destroy())
      }
      const connection = { response, from }
      open.add(connection)
      response.once('close', () => open.delete(connection))
      response.writeHead(from.statusCode ?? 502, from.headers)
      response.flushHeaders()
      from.pipe(response)
      from.once('error', () => response.destroy())
    })
    forwarded.once('error', () => response.destroy())
    response.once('close', () => forwarded.destroy())
    incoming.pipe(forwarded)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    faults,
    requests,
    cutAll: () => {
      for (const { response } of open) response.destroy()
    },
    silence: () => {
      for (const { response, from } of open) {
        from.unpipe(response)
        from.resume()
      }
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
