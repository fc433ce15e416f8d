import { readOptions } from '../arguments.ts'
import { ratios, recordHeadline } from '../headlines.ts'
import { type Rounds, runRounds } from '../load/rounds.ts'
import { withGenerator } from '../load/with-generator.ts'
import { watchMemory } from '../processes.ts'
import { withDatabaseAndService } from '../service.ts'
import { median, printTable, range, whole } from '../table.ts'
import { inOpenCursors } from './open-cursors.ts'
import { pagesSide, walkPages } from './pages.ts'
import { type Published, publishedBy } from './publishing.ts'
import { companyId, installOn } from './readers.ts'
import { seedInvestments, settleLedger } from './seeded.ts'
import { withOtherServer } from './with-other-server.ts'

const OPTIONS = {
  /** Investments published in each round. */
  count: { usual: 20_000, most: 200_000 },
  rounds: { usual: 5, most: 50 },
  seconds: { usual: 2, most: 60 },
  connections: { usual: 64, most: 256 },
} as const

const READERS = 5
const WARM_UP_MS = 3_000

/** The short form of `ledger`: measures publishing in rounds, then pages against the bare server that runs the same statement. */
export async function measurePages(argv: readonly string[]): Promise<void> {
  const { count, rounds, seconds, connections } = readOptions(argv, OPTIONS, []).numbers
  await withDatabaseAndService(async ({ service, url, dataDirectory }) => {
    const memory = watchMemory(service.pid)
    const published: Published[] = []
    for (let round = 1; round <= rounds; round++) {
      await seedInvestments(dataDirectory, round * count)
      published.push(await publishedBy(url))
      await settleLedger(url)
    }
    const readers = Array.from({ length: READERS }, (_, at) => companyId(at))
    await installOn(url, readers)
    const pages = await walkPages(service, READERS)
    const open = await inOpenCursors(url, pages)
    const results = await withGenerator((generator) =>
      withOtherServer({ databaseUrl: url, kind: 'statement', pages: [] }, (bare) => {
        const sides = {
          sync: pagesSide(service, pages.sync, connections),
          bareSync: pagesSide(bare, open.sync, connections),
          list: pagesSide(service, pages.list, connections),
          bareList: pagesSide(bare, open.list, connections),
        }
        return runRounds(sides, { rounds, ms: seconds * 1_000, warmUpMs: WARM_UP_MS }, { generator, dataDirectory })
      }),
    )
    report(results, published, memory.stop())
  })
}

type Results = Readonly<Record<'sync' | 'bareSync' | 'list' | 'bareList', Rounds>>

function report(results: Results, published: readonly Published[], memoryMib: number): void {
  const servers = ({ measured }: Rounds) => measured.map(({ serverUs }) => serverUs)
  const sides = [results.sync, results.bareSync, results.list, results.bareList]
  const costs = {
    sync: ratios(servers(results.sync), servers(results.bareSync)),
    list: ratios(servers(results.list), servers(results.bareList)),
  }
  const rates = published.map(({ perSecond }) => perSecond)
  printTable(`Pages of 25 and publishing: medians of ${published.length} rounds`, [
    ['', 'sync', 'bare server', 'list', 'bare server'],
    ['pages/s', ...sides.map(({ measured }) => whole(median(measured.map(({ perSecond }) => perSecond))))],
    ['server, µs of processor a page', ...sides.map((side) => whole(median(servers(side))))],
    [
      'PostgreSQL, µs of processor a page',
      ...sides.map(({ measured }) => whole(median(measured.map(({ postgresUs }) => postgresUs)))),
    ],
    ['server, ours : bare', whole(median(costs.sync), 2), '', whole(median(costs.list), 2), ''],
    ['changes published a second', whole(median(rates)), range(rates), '', ''],
    ['memory of the service, at most MiB', whole(memoryMib), '', '', ''],
  ])
  const atMost = { digits: 2, goal: { atMost: 1.25 } }
  recordHeadline({ name: 'sync page, processor of the server : bare server', ...atMost, rounds: costs.sync })
  recordHeadline({ name: 'list page, processor of the server : bare server', ...atMost, rounds: costs.list })
  recordHeadline({ name: 'publishing, changes/s', goal: { atLeast: 10_000 }, rounds: rates })
  recordHeadline({ name: 'memory of API and workers, at most MiB', goal: { atMost: 180 }, rounds: [memoryMib] })
}
