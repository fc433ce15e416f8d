import { readOptions } from '../arguments.ts'
import { onDatabase } from '../database.ts'
import { ratios, recordHeadline } from '../headlines.ts'
import { type Bench, withDatabaseAndService } from '../service.ts'
import { median, percentile, perSecond, printTable, range, whole } from '../table.ts'
import { type Child, withChild } from './child.ts'
import { measureDrain } from './drain.ts'
import { measureIdle } from './idle.ts'
import { measureIsolation } from './isolation.ts'
import { makeOnOneCompany, makePartners } from './partners.ts'
import { measurePortalCost } from './portal-cost.ts'
import type { Load, Result } from './posting.ts'
import type { Order, Report } from './receivers.ts'
import { measureThroughput, type Throughput } from './throughput.ts'

const OPTIONS = {
  rounds: { usual: 5, most: 50 },
  /** Deliveries of one round. */
  count: { usual: 10_000, most: 200_000 },
  /** How long one measurement of the isolation of endpoints lasts. */
  seconds: { usual: 5, most: 60 },
  queued: { usual: 100_000, most: 1_000_000 },
  idle: { usual: 40, most: 1_000 },
}
const ENDPOINTS = 20
const ISOLATED = 50
const ALL = '20 endpoints, each event to all'
const ONE = '20 endpoints, each event to one of them'

/** Measures deliveries: throughput, isolation, latency and memory. */
export async function measureWebhooks(argv: readonly string[]): Promise<void> {
  const { numbers, flags } = readOptions(argv, OPTIONS, ['portal'])
  await withDatabaseAndService(async ({ service: { address, pid }, url, dataDirectory }) => {
    const measure = flags.has('portal') ? measureWithAndWithout : measureAll
    await onDatabase(url, (client) => measure({ client, dataDirectory, address, pid }, numbers))
  })
}

/** Measures only the throughput: each event to all of 20 endpoints, and each event to one of 20 endpoints. */
export async function measureDeliveries(argv: readonly string[]): Promise<void> {
  const { rounds, count } = OPTIONS
  const { numbers } = readOptions(argv, { rounds, count }, [])
  await withDatabaseAndService(async ({ service: { address, pid }, url, dataDirectory }) => {
    await onDatabase(url, (client) =>
      withChild<Order, Report, void>('receivers.ts', (receivers) =>
        withChild<Load, Result, void>('posting.ts', async (bare) => {
          const bench = { client, dataDirectory, address, pid }
          const { urls = [] } = await receivers.send({ say: 'open', count: 2 * ENDPOINTS })
          const { toAll, toOne } = await measureShapes(bench, { urls, bare, ...numbers })
          const title = 'Deliveries of 2 KB, from the event’s row to the recorded success'
          printTable(title, [...speedRows(ALL, toAll), ...speedRows(ONE, toOne)])
        }),
      ),
    )
  })
}

type Shapes = { readonly urls: readonly string[]; readonly bare: Child<Load, Result> } & Pick<
  Numbers,
  'rounds' | 'count'
>

/** Measures both shapes: each event to all of 20 endpoints, then each event to one of 20 other endpoints. */
async function measureShapes(bench: Bench, { urls, bare, rounds, count }: Shapes) {
  const { client, dataDirectory } = bench
  const together = await makeOnOneCompany(client, { dataDirectory, urls: urls.slice(0, ENDPOINTS) })
  const toAll = await measureThroughput(bench, { partners: together, bare, rounds, count })
  const partners = await makePartners(client, { dataDirectory, urls: urls.slice(ENDPOINTS, 2 * ENDPOINTS) })
  const toOne = await measureThroughput(bench, { partners, bare, rounds, count })
  const ratioOf = ({ ours, bare: theirs }: Throughput) =>
    ratios(
      ours.map(({ perSecond }) => perSecond),
      theirs,
    )
  const atLeast = { goal: { atLeast: 0.6 }, digits: 2 }
  recordHeadline({ name: 'deliveries/s : bare undici, each event to all', ...atLeast, rounds: ratioOf(toAll) })
  recordHeadline({ name: 'deliveries/s : bare undici, each event to one of 20', ...atLeast, rounds: ratioOf(toOne) })
  return { toAll, toOne, partners }
}

type Numbers = Readonly<Record<keyof typeof OPTIONS, number>>

async function measureAll(bench: Bench, { rounds, count, seconds, queued, idle }: Numbers): Promise<void> {
  const { client, dataDirectory } = bench
  await withChild<Order, Report, void>('receivers.ts', (receivers) =>
    withChild<Load, Result, void>('posting.ts', async (bare) => {
      const { urls = [] } = await receivers.send({ say: 'open', count: 2 * ENDPOINTS + ISOLATED + 1 })
      const soon = await measureIdle(bench, { receivers, url: urls.at(-1) ?? '', count: idle })
      const urlsFrom = (from: number, many: number) => urls.slice(from, from + many)
      const shapes = { urls: urlsFrom(ISOLATED, 2 * ENDPOINTS), bare, rounds, count }
      const { toAll, toOne, partners } = await measureShapes(bench, shapes)
      const drained = await measureDrain(bench, partners, queued)
      const isolated = await makePartners(client, { dataDirectory, urls: urlsFrom(0, ISOLATED) })
      const isolation = await measureIsolation(bench, { partners: isolated, receivers, seconds }, Math.ceil(rounds / 2))
      const p99 = [percentile(isolation.without, 0.99), percentile(isolation.with, 0.99)] as const
      printTable(`Deliveries of 2 KB, from the event’s row to the recorded success`, [
        ...speedRows(ALL, toAll),
        ...speedRows(ONE, toOne),
        ['p99 until received, 48 of 50 endpoints', `${whole(p99[0])} ms`, `${isolation.without.length} events`],
        ['  while one hangs and one fails', `${whole(p99[1])} ms`, `${isolation.with.length} events`],
        ['  ratio', (p99[1] / p99[0]).toFixed(2), 'wanted: at most 1.5'],
        ['from fact to receipt when idle, median', `${whole(median(soon))} ms`, 'wanted: under 150'],
        ['  p99', `${whole(percentile(soon, 0.99))} ms`, `${soon.length} facts`],
        ['queued, then drained', whole(drained.deliveries), `${perSecond(drained.deliveries, drained.ms)}/s`],
        [
          '  most memory of the service',
          `${whole(drained.mostMib)} MiB`,
          `${whole(drained.beforeMib)} before; wanted: under 400 MB`,
        ],
      ])
    }),
  )
}

/**
 * Measures what the indexes and counts of the portal cost a delivery. Each event goes to one of the 20 endpoints, so no two
 * deliveries share the cost of an event.
 */
async function measureWithAndWithout(bench: Bench, { rounds, count }: Numbers): Promise<void> {
  await withChild<Order, Report, void>('receivers.ts', async (receivers) => {
    const { urls = [] } = await receivers.send({ say: 'open', count: ENDPOINTS })
    const partners = await makePartners(bench.client, { dataDirectory: bench.dataDirectory, urls })
    await measurePortalCost(bench, { partners, rounds, count })
  })
}

function speedRows(what: string, { ours, bare }: Throughput): (readonly [string, ...string[]])[] {
  const rates = ours.map(({ perSecond }) => perSecond)
  return [
    [`deliveries/s, ${what}`, whole(median(rates)), range(rates)],
    ['  bare undici, requests/s', whole(median(bare)), range(bare)],
    ['  ratio', (median(rates) / median(bare)).toFixed(2), 'wanted: at least 0.6'],
    ['  processor, server', `${whole(mean(ours.map(({ serverUs }) => serverUs)))} µs each`],
    ['  processor, PostgreSQL', `${whole(mean(ours.map(({ postgresUs }) => postgresUs)))} µs each`],
  ]
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
