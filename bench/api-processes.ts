import { randomBytes } from 'node:crypto'
import { readOptions } from './arguments.ts'
import { pagesSide, walkPages } from './ledger/pages.ts'
import { fillLedger } from './ledger/seeded.ts'
import { type Rounds, runRounds } from './load/rounds.ts'
import { withGenerator } from './load/with-generator.ts'
import { type Service, withDatabaseAndService, withService } from './service.ts'
import { median, printTable, whole } from './table.ts'

const OPTIONS = {
  count: { usual: 10_000, most: 1_000_000 },
  rounds: { usual: 7, most: 99 },
  seconds: { usual: 3, most: 60 },
  connections: { usual: 64, most: 256 },
} as const

const READERS = 5
const WARM_UP_MS = 4_000
const COUNTS = { one: '1', two: '2', four: '4' } as const
type Count = keyof typeof COUNTS
const NAMES = Object.keys(COUNTS) as Count[]

/** A limit that no request reaches. The primary process counts requests for all processes, as in production. */
const NEVER = '1000000000'
const COUNTING = { PORTICO_LIMITS: 'on', PORTICO_LIMIT_ACCESS_TOKEN: NEVER, PORTICO_LIMIT_ADDRESS: NEVER }

/** Measures sync pages of services with one, two and four processes on one database, in turns. */
export async function measureApiProcesses(argv: readonly string[]): Promise<void> {
  const { numbers } = readOptions(argv, OPTIONS, [])
  const { count, rounds, seconds, connections } = numbers
  await withDatabaseAndService(async ({ url, dataDirectory }) => {
    await fillLedger(dataDirectory, url, { count, readers: READERS })
    await withServices({ dataDirectory, url }, async (services) => {
      const pages = (await walkPages(services.one, READERS)).sync
      const side = (service: Service) => pagesSide(service, pages, connections)
      const sides = { one: side(services.one), two: side(services.two), four: side(services.four) }
      const length = { rounds, ms: seconds * 1_000, warmUpMs: WARM_UP_MS }
      const results = await withGenerator((generator) => runRounds(sides, length, { generator, dataDirectory }))
      report(results, numbers)
    })
  })
}

type Setup = { readonly dataDirectory: string; readonly url: string }

/**
 * Starts services that can read each other's cursors, because they share a secret. Their role is api: the service that the bench
 * started before runs the workers.
 */
function withServices<T>(
  { dataDirectory, url }: Setup,
  work: (services: Readonly<Record<Count, Service>>) => Promise<T>,
): Promise<T> {
  const shared = { DATABASE_URL: url, PORTICO_SECRET: randomBytes(32).toString('hex'), ...COUNTING }
  const service = <R>(processes: Count, use: (service: Service) => Promise<R>) => {
    const settings = { ...shared, PORTICO_API_PROCESSES: COUNTS[processes], PORTICO_POOL_SIZE: '4' }
    return withService(dataDirectory, use, { argv: ['--role', 'api'], settings })
  }
  return service('one', (one) => service('two', (two) => service('four', (four) => work({ one, two, four }))))
}

type Figures = Readonly<Record<keyof typeof OPTIONS, number>>

function report(results: Readonly<Record<Count, Rounds>>, { count, rounds, seconds, connections }: Figures): void {
  const each = (shown: (measured: Rounds['measured']) => number, digits = 0) =>
    NAMES.map((name) => whole(shown(results[name].measured), digits))
  /** How many cores were in use: seconds of processor time for a page, times pages a second. */
  const cores = (us: 'serverUs' | 'postgresUs' | 'generatorUs') => (measured: Rounds['measured']) =>
    median(measured.map((round) => (round[us] * round.perSecond) / 1_000_000))
  printTable(
    `Sync pages of several processes (${whole(count)} investments): medians of ${rounds} rounds of ${seconds} s, ${connections} connections`,
    [
      ['processes', ...NAMES.map((name) => COUNTS[name])],
      ['pages a second', ...each((measured) => median(measured.map(({ perSecond }) => perSecond)))],
      ['cores of Node', ...each(cores('serverUs'), 2)],
      ['cores of PostgreSQL', ...each(cores('postgresUs'), 2)],
      ['cores of the load generator', ...each(cores('generatorUs'), 2)],
      ['Node, µs a page', ...each((measured) => median(measured.map(({ serverUs }) => serverUs)))],
      ['PostgreSQL, µs a page', ...each((measured) => median(measured.map(({ postgresUs }) => postgresUs)))],
      ['p50, ms', ...each((measured) => median(measured.map(({ p50Ms }) => p50Ms)), 1)],
      ['p99, ms', ...each((measured) => median(measured.map(({ p99Ms }) => p99Ms)), 1)],
    ],
  )
}
