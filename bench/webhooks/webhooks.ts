import { join } from 'node:path'
import { connectionUrlOfRunning } from '@portico/embedded-postgres'
import { readOptions } from '../arguments.ts'
import { onDatabase } from '../database.ts'
import { type Bench, withDataDirectory, withService } from '../service.ts'
import { median, percentile, perSecond, printTable, range, whole } from '../table.ts'
import { withChild } from './child.ts'
import { measureDrain } from './drain.ts'
import { measureIdle } from './idle.ts'
import { measureNeighbours } from './neighbours.ts'
import { makeOnOneCompany, makePartners } from './partners.ts'
import { measurePortalCost } from './portal-cost.ts'
import type { Load, Result } from './posting.ts'
import type { Order, Report } from './receivers.ts'
import { measureThroughput, type Throughput } from './throughput.ts'

const OPTIONS = {
  rounds: { usual: 5, most: 50 },
  /** Deliveries of one round. */
  count: { usual: 10_000, most: 200_000 },
  /** How long neighbours are watched at a time. */
  seconds: { usual: 5, most: 60 },
  queued: { usual: 100_000, most: 1_000_000 },
  idle: { usual: 40, most: 1_000 },
}
const ENDPOINTS = 20
const NEIGHBOURS = 50

/** Deliveries: throughput, isolation, latency and memory. */
export async function measureWebhooks(argv: readonly string[]): Promise<void> {
  const { numbers, flags } = readOptions(argv, OPTIONS, ['portal'])
  await withDataDirectory((dataDirectory) =>
    withService(dataDirectory, async ({ address, pid }) => {
      const url = await connectionUrlOfRunning({ dataDirectory: join(dataDirectory, 'postgres'), database: 'portico' })
      if (url === undefined) throw new Error('the service’s PostgreSQL is not running')
      const measure = flags.has('portal') ? measureWithAndWithout : measureAll
      await onDatabase(url, (client) => measure({ client, dataDirectory, address, pid }, numbers))
    }),
  )
}

type Numbers = Readonly<Record<keyof typeof OPTIONS, number>>

async function measureAll(bench: Bench, { rounds, count, seconds, queued, idle }: Numbers): Promise<void> {
  const { client, dataDirectory } = bench
  await withChild<Order, Report, void>('receivers.ts', (receivers) =>
    withChild<Load, Result, void>('posting.ts', async (bare) => {
      const { urls = [] } = await receivers.send({ say: 'open', count: 2 * ENDPOINTS + NEIGHBOURS + 1 })
      const soon = await measureIdle(bench, { receivers, url: urls.at(-1) ?? '', count: idle })
      const taken = (from: number, many: number) => urls.slice(from, from + many)
      const together = await makeOnOneCompany(client, { dataDirectory, urls: taken(NEIGHBOURS, ENDPOINTS) })
      const toAll = await measureThroughput(bench, { partners: together, bare, rounds, count })
      const partners = await makePartners(client, { dataDirectory, urls: taken(NEIGHBOURS + ENDPOINTS, ENDPOINTS) })
      const toOne = await measureThroughput(bench, { partners, bare, rounds, count })
      const drained = await measureDrain(bench, partners, queued)
      const neighbours = await makePartners(client, { dataDirectory, urls: taken(0, NEIGHBOURS) })
      const apart = await measureNeighbours(bench, { partners: neighbours, receivers, seconds }, Math.ceil(rounds / 2))
      const p99 = [percentile(apart.without, 0.99), percentile(apart.with, 0.99)] as const
      printTable(`Deliveries of 2 KB, from the event’s row to the recorded success`, [
        ...speedRows('20 endpoints, every event to all', toAll),
        ...speedRows('20 endpoints, every event to one', toOne),
        ['p99 to arrive, 48 of 50 endpoints', `${whole(p99[0])} ms`, `${apart.without.length} events`],
        ['  while one hangs and one fails', `${whole(p99[1])} ms`, `${apart.with.length} events`],
        ['  ratio', (p99[1] / p99[0]).toFixed(2), 'wanted: at most 1.5'],
        ['fact to received when idle, median', `${whole(median(soon))} ms`, 'wanted: under 150'],
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

/** Every event goes to one endpoint, so that each delivery bears the whole cost. */
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
    ['  ratio', (median(rates) / median(bare)).toFixed(2), 'wanted: 0.4'],
    ['  processor, server', `${whole(mean(ours.map(({ serverUs }) => serverUs)))} µs each`],
    ['  processor, PostgreSQL', `${whole(mean(ours.map(({ postgresUs }) => postgresUs)))} µs each`],
  ]
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
