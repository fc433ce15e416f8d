import { randomBytes } from 'node:crypto'
import { replicatedServer } from '../../server/test/support/standby.ts'
import { readOptions } from '../arguments.ts'
import { fixedLoopMs } from '../headlines.ts'
import { type Round, type Rounds, runRounds, type Side } from '../load/rounds.ts'
import { withGenerator } from '../load/with-generator.ts'
import { type Service, withDataDirectory, withService } from '../service.ts'
import { median, printTable, range, whole } from '../table.ts'
import { makeManyTokens, tokenText } from '../tokens/many-tokens.ts'
import { fillCatalog } from './fill.ts'
import { searches } from './searches.ts'

const OPTIONS = {
  offerings: { usual: 10_000, most: 100_000 },
  rounds: { usual: 7, most: 50 },
  seconds: { usual: 3, most: 60 },
  // With more connections, requests would only wait for a processor. If the replica takes longer than a second, the read runs on
  // the primary, and the comparison would be wrong.
  connections: { usual: 8, most: 256 },
} as const

const WARM_UP_MS = 4_000
const TOKENS = 1_000
/** More pages than the service caches, so that each request for a page reads the database. */
const PAGES = 2_000
const SEARCHES = 2_000
const LOOPS = 3

type Numbers = Readonly<Record<keyof typeof OPTIONS, number>>
type Kind = 'cached' | 'page' | 'search'
type Results = Readonly<Record<`${'primary' | 'replica'}_${Kind}`, Rounds>>

/** Measures the catalogue and search of two API processes on one primary: one reads from the primary only, one has a replica. */
export async function measureReplicas(argv: readonly string[]): Promise<void> {
  const { numbers } = readOptions(argv, OPTIONS, [])
  const loopsMs: number[] = []
  const timeLoops = () => {
    for (let loop = 0; loop < LOOPS; loop++) loopsMs.push(fixedLoopMs())
  }
  await using opened = new AsyncDisposableStack()
  const server = await replicatedServer(1)
  opened.defer(() => server.close())
  const [standby] = server.standbys
  if (standby === undefined) throw new Error('there is no standby')
  await fillCatalog(server.url, numbers.offerings)
  await makeManyTokens(server.url, TOKENS)
  await withDataDirectory((dataDirectory) =>
    withNodes({ dataDirectory, url: server.url, replica: standby.url }, async (nodes) => {
      const setup = { dataDirectory, servers: { primary: server.folder, replica: standby.folder } }
      const length = { rounds: numbers.rounds, ms: numbers.seconds * 1_000, warmUpMs: WARM_UP_MS }
      timeLoops()
      const sides = { ...sidesOf(nodes.primary, 'primary', numbers), ...sidesOf(nodes.replica, 'replica', numbers) }
      const results = await withGenerator((generator) => runRounds(sides, length, { generator, ...setup }))
      timeLoops()
      report(results, { ...numbers, loopsMs, outcomes: await outcomesOf(nodes.replica) })
    }),
  )
}

type Setup = { readonly dataDirectory: string; readonly url: string; readonly replica: string }
type Nodes = { readonly primary: Service; readonly replica: Service }

function withNodes<T>({ dataDirectory, url, replica }: Setup, work: (nodes: Nodes) => Promise<T>): Promise<T> {
  const shared = { DATABASE_URL: url, PORTICO_SECRET: randomBytes(32).toString('hex') }
  const node = <R>(settings: Readonly<Record<string, string>>, use: (service: Service) => Promise<R>) =>
    withService(dataDirectory, use, { argv: ['--role', 'api'], settings: { ...shared, ...settings } })
  return node({}, (primary) =>
    node({ PORTICO_REPLICA_URLS: replica }, (withReplica) => work({ primary, replica: withReplica })),
  )
}

function sidesOf<Name extends 'primary' | 'replica'>(
  { address, pid }: Service,
  name: Name,
  { offerings, connections }: Numbers,
): Record<`${Name}_${Kind}`, Side> {
  const side = (paths: readonly string[]): Side => {
    const requests = Array.from({ length: Math.max(paths.length, connections) }, (_, at) => ({
      url: address + paths[at % paths.length],
      headers: { Authorization: `Bearer ${tokenText(1 + (at % TOKENS))}` },
    }))
    return { pid, load: { requests, connections, expected: '{"data":' } }
  }
  const pages = Array.from({ length: PAGES }, (_, at) => `/explore?min_amount_raised=${at}`)
  const names = searches(SEARCHES, offerings).map((q) => `/companies/search?q=${encodeURIComponent(q)}`)
  const sides = { cached: side(['/explore']), page: side(pages), search: side(names) }
  return Object.fromEntries(Object.entries(sides).map(([kind, each]) => [`${name}_${kind}`, each])) as Record<
    `${Name}_${Kind}`,
    Side
  >
}

/** Where the reads of this process ran: on the replica, or on the primary and why. */
async function outcomesOf({ address }: Service): Promise<readonly (readonly [string, number])[]> {
  const text = await fetch(`${address}/metrics`).then((response) => response.text())
  const counts = text.matchAll(/^portico_stale_reads_total\{[^}]*outcome="(\w+)"[^}]*\} (\d+)/gm)
  return [...counts].map(([, outcome = '', count]) => [outcome, Number(count)])
}

type Measured = Numbers & {
  readonly loopsMs: readonly number[]
  readonly outcomes: readonly (readonly [string, number])[]
}

const KINDS: readonly Kind[] = ['cached', 'page', 'search']

function report(results: Results, { offerings, rounds, seconds, connections, loopsMs, outcomes }: Measured): void {
  const each = (shown: (of: { readonly alone: Rounds; readonly replica: Rounds }) => readonly string[]) =>
    KINDS.flatMap((kind) => shown({ alone: results[`primary_${kind}`], replica: results[`replica_${kind}`] }))
  const of = ({ measured }: Rounds, field: (round: Round) => number) => median(measured.map(field))
  const row = (name: string, field: (round: Round) => number, digits = 0) =>
    [
      name,
      ...each(({ alone, replica }) => [whole(of(alone, field), digits), whole(of(replica, field), digits)]),
    ] as const
  const spread = ({ measured }: Rounds) => range(measured.map(({ perSecond }) => perSecond))
  /** Compares within one round, so other load on the machine affects both sides. */
  const ratio = (name: string, field: (round: Round) => number) =>
    [
      name,
      ...each(({ alone, replica }) => {
        const ratios = replica.measured.map((round, at) => field(round) / field(alone.measured[at] ?? round))
        return ['', median(ratios).toFixed(2)]
      }),
    ] as const
  const total = ({ serverUs, postgresUs, replicaUs }: Round) => serverUs + postgresUs + replicaUs
  const read = outcomes.reduce((sum, [, count]) => sum + count, 0)
  printTable(
    `Reads of ${whole(offerings)} offerings without and with one replica: medians of ${rounds} rounds of ${seconds} s, ${connections} connections`,
    [
      ['', '/explore', 'with', 'other pages', 'with', 'search', 'with'],
      row('responses/s', ({ perSecond }) => perSecond),
      ['  lowest and highest round', ...each(({ alone, replica }) => [spread(alone), spread(replica)])],
      ratio('responses/s, with : without', ({ perSecond }) => perSecond),
      row('primary, µs of processor a response', ({ postgresUs }) => postgresUs),
      ratio('  with : without', ({ postgresUs }) => postgresUs),
      row('replica, µs of processor a response', ({ replicaUs }) => replicaUs),
      row('server, µs of processor a response', ({ serverUs }) => serverUs),
      ratio('all three, with : without', total),
      row('p50, ms', ({ p50Ms }) => p50Ms, 1),
      row('p99, ms', ({ p99Ms }) => p99Ms, 1),
      [
        'reads of the side with a replica, by where they ran',
        outcomes.map(([outcome, count]) => `${outcome} ${whole((count * 100) / read, 1)} %`).join(', '),
      ],
      ['noise: a fixed loop, ms', `${whole(median(loopsMs))} (${range(loopsMs)})`],
    ],
  )
}
