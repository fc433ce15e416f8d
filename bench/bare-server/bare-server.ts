import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { authenticateTokens } from '../../server/src/access/tokens/index.ts'
import { openDatabases } from '../../server/src/system/postgres/open.ts'
import { type BareSettings, SETTINGS_KEY } from './with-bare-server.ts'

/**
 * A server that shows the minimum cost of a response: Node's own HTTP server and prepared bytes, without a router,
 * limits or validation. With `looksUp` it looks up the token first, as our service does, over the same kind of
 * pipelined connection. Without `looksUp` it serves every caller.
 */
const { databaseUrl, looksUp, texts }: BareSettings = JSON.parse(readFileSync(process.env[SETTINGS_KEY] ?? '', 'utf8'))
const databases = await openDatabases({ url: databaseUrl, poolSize: 2, onError: () => {} })
const lookUp = looksUp ? authenticateTokens(databases) : async () => true
const stored = new Map(texts.map(({ path, text }) => [path, Buffer.from(text)]))

const server = createServer((request, response) => {
  const bearer = request.headers.authorization?.slice('Bearer '.length) ?? ''
  const body = stored.get(request.url ?? '')
  lookUp(bearer).then(
    (caller) => {
      if (caller === null || caller === 'ended' || body === undefined) return response.writeHead(404).end()
      return response
        .writeHead(200, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': body.byteLength })
        .end(body)
    },
    (error: unknown) => response.destroy(error instanceof Error ? error : undefined),
  )
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.send?.({ address: `http://127.0.0.1:${port}` })
})
process.once('SIGTERM', () => process.exit(0))
