import { readOptions } from '../arguments.ts'
import { countRows, makeDatabase, onDatabase, readDurability } from '../database.ts'
import type { RequestToPrepare } from '../load/http-connection.ts'
import { type Rounds, runRounds, type Side } from '../load/rounds.ts'
import { withGenerator } from '../load/with-generator.ts'
import { type Service, withDatabaseAndService } from '../service.ts'
import { makeOurClients } from './our-client.ts'
import { makePeerTable } from './peer-adapter.ts'
import { peerClients } from './peer-client.ts'
import { reportTokens } from './report.ts'
import { type ClientCredentials, type ServerSettings, withServerProcess } from './server-process.ts'

const SCOPE = 'read:public'
const WARM_UP_MS = 5_000

const OPTIONS = {
  rounds: { usual: 7, most: 50 },
  seconds: { usual: 5, most: 60 },
  connections: { usual: 32, most: 256 },
  clients: { usual: 32, most: 100 },
  'peer-pool': { usual: 16, most: 32 },
} as const

/** Measures client-credentials tokens a second, ours against `oidc-provider`, in turns on the same PostgreSQL. */
export async function measureTokens(argv: readonly string[]): Promise<void> {
  const { numbers, flags } = readOptions(argv, OPTIONS, ['peer-stores-together'])
  await withDatabaseAndService(async ({ service, url: ourUrl, dataDirectory }) => {
    const settings: PeerSettings = {
      databaseUrl: await makeDatabase(ourUrl, 'peer'),
      poolSize: numbers['peer-pool'],
      clients: await makeOurClients(ourUrl, numbers.clients),
      scope: SCOPE,
      stores: flags.has('peer-stores-together') ? 'together' : 'one by one',
    }
    const { databaseUrl, clients } = settings
    await onDatabase(databaseUrl, (connection) => makePeerTable(connection, peerClients(settings)))
    await withOthers(settings, (others) =>
      withGenerator(async (generator) => {
        const side = ({ address, pid }: Service, path: string): Side => ({
          pid,
          load: tokenLoad(address + path, clients, numbers.connections),
        })
        const sides = {
          ours: side(service, '/oauth/token'),
          peer: side(others.peer, '/token'),
          storing: side(others.storing, '/token'),
          floor: side(others.floor, '/token'),
        }
        const length = { rounds: numbers.rounds, ms: numbers.seconds * 1_000, warmUpMs: WARM_UP_MS }
        const results = await runRounds(sides, length, { generator, dataDirectory })
        requireRows([results.ours], await countRows(ourUrl, 'live.access_tokens'))
        const theirs = await countRows(databaseUrl, `things where model = 'ClientCredentials'`)
        requireRows([results.peer, results.storing], theirs)
        reportTokens(results, { ...numbers, durability: await readDurability(ourUrl), stores: settings.stores })
      }),
    )
  })
}

const PEER = new URL('./peer.ts', import.meta.url)
const FLOOR = new URL('./floor-server.ts', import.meta.url)

type PeerSettings = Omit<ServerSettings, 'clientsIn'>
type Others = { readonly peer: Service; readonly storing: Service; readonly floor: Service }

function withOthers(settings: PeerSettings, work: (others: Others) => Promise<void>): Promise<void> {
  const configured: ServerSettings = { ...settings, clientsIn: 'configuration' }
  return withServerProcess(PEER, configured, (peer) =>
    withServerProcess(PEER, { ...settings, clientsIn: 'postgres' }, (storing) =>
      withServerProcess(FLOOR, configured, (floor) => work({ peer, storing, floor })),
    ),
  )
}

function tokenLoad(url: string, clients: readonly ClientCredentials[], connections: number): Side['load'] {
  const body = new URLSearchParams({ grant_type: 'client_credentials', scope: SCOPE }).toString()
  const requests = clients.map(({ id, secret }): RequestToPrepare => {
    const basic = Buffer.from(`${id}:${secret}`).toString('base64')
    const type = 'application/x-www-form-urlencoded'
    return { url, headers: { Authorization: `Basic ${basic}`, 'Content-Type': type, Accept: 'application/json' }, body }
  })
  return { requests, connections, expected: '"access_token":"' }
}

/** Every returned token must be committed, once each; otherwise the measurement is invalid. */
function requireRows(sides: readonly Rounds[], rows: number): void {
  const rounds = sides.flatMap(({ warmUp, measured }) => [warmUp, ...measured])
  const answered = rounds.reduce((sum, { answers }) => sum + answers, 0)
  if (rows !== answered) throw new Error(`${answered} tokens were answered, and there are ${rows} rows`)
}
