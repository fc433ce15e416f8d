import { randomBytes } from 'node:crypto'
import type { Round, Rounds } from '../load/rounds.ts'
import { runRounds, type Side } from '../load/rounds.ts'
import type { Generator } from '../load/with-generator.ts'
import { type Service, withService } from '../service.ts'
import { median, printTable, range, whole } from '../table.ts'
import { walkPages } from './pages.ts'

type Measuring = {
  readonly dataDirectory: string
  readonly url: string
  readonly generator: Generator
  readonly readers: number
  readonly rounds: number
  readonly seconds: number
  readonly warmUpMs: number
  side(service: Service, pages: Awaited<ReturnType<typeof walkPages>>['sync']): Side
}

const HOOKS = `--import=${new URL('./driver-hooks.ts', import.meta.url).href}`

/**
 * Short reads by our pipeline and by pg's, in turns: two processes of the service that only serve requests, on one database, of
 * which one has `driver-pipeline.ts` in place of ours. "Ours goes if it is worth less than 15 %."
 */
export async function measurePipelines({ dataDirectory, url, generator, side, ...numbers }: Measuring): Promise<void> {
  const shared = { DATABASE_URL: url, PORTICO_SECRET: randomBytes(32).toString('hex'), PORTICO_POOL_SIZE: '4' }
  const node = <T>(settings: Readonly<Record<string, string>>, use: (service: Service) => Promise<T>) =>
    withService(dataDirectory, use, { argv: ['--role', 'api'], settings: { ...shared, ...settings } })
  const results = await node({}, (ours) =>
    node({ NODE_OPTIONS: HOOKS }, async (drivers) => {
      const { sync, list } = await walkPages(ours, numbers.readers)
      const sides = {
        oursSync: side(ours, sync),
        driversSync: side(drivers, sync),
        oursList: side(ours, list),
        driversList: side(drivers, list),
      }
      const length = { rounds: numbers.rounds, ms: numbers.seconds * 1_000, warmUpMs: numbers.warmUpMs }
      return runRounds(sides, length, { generator, dataDirectory })
    }),
  )
  printTable(`Short reads by our pipeline and by pg's: medians of ${numbers.rounds} rounds of ${numbers.seconds} s`, [
    ['', 'ours', 'pg’s', 'pg’s : ours'],
    ...rows('sync', results.oursSync, results.driversSync),
    ...rows('list', results.oursList, results.driversList),
  ])
}

function rows(mode: string, ours: Rounds, drivers: Rounds): (readonly [string, ...string[]])[] {
  const row = (name: string, field: (round: Round) => number) => {
    const [mine, theirs] = [ours.measured.map(field), drivers.measured.map(field)]
    // Of the same round, so that a machine that is slow for a minute is so for both.
    const ratios = mine.map((value, round) => (theirs[round] ?? value) / value)
    return [name, whole(median(mine)), whole(median(theirs)), median(ratios).toFixed(2)] as const
  }
  const spread = ({ measured }: Rounds) => range(measured.map(({ perSecond }) => perSecond))
  return [
    row(`${mode}, pages/s`, ({ perSecond }) => perSecond),
    ['  lowest and highest round', spread(ours), spread(drivers), ''],
    row('  server, µs of processor each', ({ serverUs }) => serverUs),
    row('  PostgreSQL, µs of processor each', ({ postgresUs }) => postgresUs),
    row('  both', ({ serverUs, postgresUs }) => serverUs + postgresUs),
  ]
}
