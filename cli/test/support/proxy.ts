import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A proxy in front of the service, to break connections with. */
export async function proxyTo(target: string): Promise<{ readonly url: string; breakAll(): void }> {
  const server = createServer((incoming, outgoing) => {
    const onward = httpRequest(new URL(incoming.url ?? '/', target), {
      method: incoming.method,
      headers: incoming.headers,
    })
    onward.once('response', (answer) => {
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
  return { url, breakAll: () => server.closeAllConnections() }
}
