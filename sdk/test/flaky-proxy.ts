import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What the proxy does with the next request instead of passing it on faithfully. */
export type Fault =
  /** No fault: the next fault in the list is for a later request. */
  | 'none'
  /** The service does the work, and the response is lost on its way back. */
  | 'lose-response'
  /** The connection is cut before the service gets the request. */
  | 'cut'
  /** Passes the request on, and never sends the response. */
  | 'hang'
  | { readonly status: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }

export type FlakyProxy = {
  readonly url: string
  /** The faults of the next requests, one each. */
  readonly faults: Fault[]
  /** Method, path and headers of all requests that came. */
  readonly requests: readonly Pick<IncomingMessage, 'method' | 'url' | 'headers'>[]
  /** Cuts all responses that are under way. */
  cutAll(): void
  /** Stops passing data on the connections that are open now. */
  silence(): void
  close(): Promise<void>
}

/** A network between the SDK and a real service that breaks when a test says so. */
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
    const passedOn = request(target + incoming.url, { method, headers, agent: false }, (from) => {
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
    passedOn.once('error', () => response.destroy())
    response.once('close', () => passedOn.destroy())
    incoming.pipe(passedOn)
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
