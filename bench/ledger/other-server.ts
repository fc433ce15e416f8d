import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { authenticateTokens } from '../../server/src/access/tokens/index.ts'
import type { InstallationCaller } from '../../server/src/kernel/caller.ts'
import { openDatabases } from '../../server/src/system/postgres/open.ts'
import { shortStatement } from '../../server/src/system/postgres/statement.ts'
import { conventionalPage } from './conventional.ts'
import { sameStatementPage } from './same-statement.ts'
import { type OtherSettings, SETTINGS_KEY } from './with-other-server.ts'

/**
 * The servers that our pages are compared with. All look up the token as our service does, over the same kind of pipelined
 * connection, and then:
 * memory        send prepared bytes
 * stored        read the page's finished text by its key, over that connection, and send it
 * statement     run our own page statement over that connection, and send its stored text
 * conventional  read rows, make objects, and serialize them to JSON
 */
const { databaseUrl, kind, pages }: OtherSettings = JSON.parse(readFileSync(process.env[SETTINGS_KEY] ?? '', 'utf8'))
const databases = await openDatabases({ url: databaseUrl, poolSize: 16, onError: () => {} })
const lookUp = authenticateTokens(databases)
const inMemory = new Map(kind === 'memory' ? pages.map(({ path, text }) => [path, text]) : [])
const STORED = shortStatement<{ text: string }>('bench.stored_page', 'select text from bench_pages where path = $1')
const sameStatement = sameStatementPage(databases.test)
const conventional = conventionalPage(databases.test)

async function bodyOf(url: string, caller: InstallationCaller): Promise<string | Buffer | undefined> {
  switch (kind) {
    case 'memory':
      return inMemory.get(url)
    case 'stored':
      return (await databases.test.short(STORED, [url]))[0]?.text
    case 'statement':
      return sameStatement(new URL(url, 'http://localhost').searchParams, caller)
    case 'conventional':
      return conventional(new URL(url, 'http://localhost').searchParams, caller.installationId)
  }
}

const server = createServer((request, response) => {
  const answer = async () => {
    const caller = await lookUp(request.headers.authorization?.slice('Bearer '.length) ?? '')
    if (caller === 'ended' || caller?.kind !== 'installation') return response.writeHead(401).end()
    const text = await bodyOf(request.url ?? '', caller)
    if (text === undefined) return response.writeHead(404).end()
    const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': Buffer.byteLength(text) }
    return response.writeHead(200, headers).end(text)
  }
  answer().catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined))
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.send?.({ address: `http://127.0.0.1:${port}` })
})
process.once('SIGTERM', () => process.exit(0))
