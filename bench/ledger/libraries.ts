import { randomBytes } from 'node:crypto'
import type { Round, Rounds } from '../load/rounds.ts'
import { runRounds, type Side } from '../load/rounds.ts'
import type { Generator } from '../load/with-generator.ts'
import { type Service, withService } from '../service.ts'
import { median, printTable, range, whole } from '../table.ts'
import { INSTEAD_KEY, type Instead } from './instead-hooks.ts'
import { type PageRequest, walkPages } from './pages.ts'

type Measuring = {
  readonly dataDirectory: string
  readonly url: string
  readonly generator: Generator
  readonly readers: number
  readonly rounds: number
  readonly seconds: number
  readonly warmUpMs: number
  side(service: Service, pages: readonly PageRequest[]): Side
}

const HOOKS = `--import=${new URL('./instead-hooks.ts', import.meta.url).href}`

/**
 * Compares our own code with libraries. API processes on one database are measured in turns: one unchanged, and two with a
 * library instead of our code. Our rule: if our code saves less than 15 %, the project uses the library instead. A fourth
 * process does not log the requests of apps: the log may cost a sync page at most 3 %.
 */
export async function measureLibraries({ dataDirectory, url, generator, side, ...numbers }: Measuring): Promise<void> {
  const shared = { DATABASE_URL: url, PORTICO_SECRET: randomBytes(32).toString('hex'), PORTICO_POOL_SIZE: '4' }
  const node = <T>(settings: Readonly<Record<string, string>>, use: (service: Service) => Promise<T>) =>
    withService(dataDirectory, use, { argv: ['--role', 'api'], settings: { ...shared, ...settings } })
  const withLibrary = <T>(instead: Instead, use: (service: Service) => Promise<T>) =>
    node({ NODE_OPTIONS: HOOKS, [INSTEAD_KEY]: instead }, use)
  const results = await node({}, (ours) =>
    withLibrary('pg-pipeline', (driver) =>
      withLibrary('hmac-numbers', (hmac) =>
        node({ PORTICO_REQUEST_LOG_PER_MINUTE: '0' }, async (unlogged) => {
          const { sync, list } = await walkPages(ours, numbers.readers)
          // The cursors of the process with HMAC open only in that process.
          const { sync: hmacSync } = await walkPages(hmac, numbers.readers)
          const sides = {
            driverSync: side(driver, sync),
            oursSync: side(ours, sync),
            unloggedSync: side(unlogged, sync),
            hmacSync: side(hmac, hmacSync),
            driverList: side(driver, list),
            oursList: side(ours, list),
          }
          const length = { rounds: numbers.rounds, ms: numbers.seconds * 1_000, warmUpMs: numbers.warmUpMs }
          return runRounds(sides, length, { generator, dataDirectory })
        }),
      ),
    ),
  )
  const heading = `medians of ${numbers.rounds} rounds of ${numbers.seconds} s`
  printTable(`Short reads by our pipeline and by pg's: ${heading}`, [
    ['', 'ours', 'pg’s', 'pg’s : ours'],
    ...rows('sync', results.oursSync, results.driverSync),
    ...rows('list', results.oursList, results.driverList),
  ])
  printTable(`Cursors of the rows of a sync page by bound numbers and by HMAC: ${heading}`, [
    ['', 'ours', 'HMAC', 'HMAC : ours'],
    ...rows('sync', results.oursSync, results.hmacSync),
  ])
  printTable(`Sync pages with the request log and without it: ${heading}`, [
    ['', 'with', 'without', 'without : with'],
    ...rows('sync', results.oursSync, results.unloggedSync),
  ])
}

function rows(mode: string, ours: Rounds, library: Rounds): (readonly [string, ...string[]])[] {
  const row = (name: string, field: (round: Round) => number) => {
    const [mine, theirs] = [ours.measured.map(field), library.measured.map(field)]
    // Each ratio is within one round, so a slow minute of the machine affects both sides.
    const ratios = mine.map((value, round) => (theirs[round] ?? value) / value)
    return [name, whole(median(mine)), whole(median(theirs)), median(ratios).toFixed(2)] as const
  }
  const spread = ({ measured }: Rounds) => range(measured.map(({ perSecond }) => perSecond))
  return [
    row(`${mode}, pages/s`, ({ perSecond }) => perSecond),
    ['  lowest and highest round', spread(ours), spread(library), ''],
    row('  server, µs of processor a response', ({ serverUs }) => serverUs),
    row('  PostgreSQL, µs of processor a response', ({ postgresUs }) => postgresUs),
    row('  both', ({ serverUs, postgresUs }) => serverUs + postgresUs),
  ]
}
