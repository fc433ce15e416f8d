import { readOptions } from '../arguments.ts'
import { ratios, recordHeadline } from '../headlines.ts'
import { type Rounds, runRounds } from '../load/rounds.ts'
import { withGenerator } from '../load/with-generator.ts'
import { watchMemory } from '../processes.ts'
import { withDatabaseAndService } from '../service.ts'
import { median, printTable, range, whole } from '../table.ts'
import { copyNewestHeads } from './head-copies.ts'
import { inOpenCursors } from './open-cursors.ts'
import { pagesSide, walkPages } from './pages.ts'
import { publishedBy } from './publishing.ts'
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
    const publishing: Publishing[] = []
    for (let round = 1; round <= rounds; round++) {
      const memory = watchMemory(service.pid)
      await seedInvestments(dataDirectory, round * count)
      const { perSecond } = await publishedBy(url)
      const memoryMib = memory.stop()
      await settleLedger(url)
      publishing.push({ perSecond, memoryMib, copiedPerSecond: await copyNewestHeads(url, count) })
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
    report(results, publishing)
  })
}

type Publishing = { readonly perSecond: number; readonly memoryMib: number; readonly copiedPerSecond: number }
type Results = Readonly<Record<'sync' | 'bareSync' | 'list' | 'bareList', Rounds>>

function report(results: Results, publishing: readonly Publishing[]): void {
  const servers = ({ measured }: Rounds) => measured.map(({ serverUs }) => serverUs)
  const sides = [results.sync, results.bareSync, results.list, results.bareList]
  const costs = {
    sync: ratios(servers(results.sync), servers(results.bareSync)),
    list: ratios(servers(results.list), servers(results.bareList)),
  }
  const rates = publishing.map(({ perSecond }) => perSecond)
  const copies = publishing.map(({ copiedPerSecond }) => copiedPerSecond)
  const memory = publishing.map(({ memoryMib }, round) =>
    Math.max(memoryMib, ...memoryOf(round, results.sync, results.list)),
  )
  const bareMemory = publishing.map((_, round) => Math.max(...memoryOf(round, results.bareSync, results.bareList)))
  printTable(`Pages of 25 and publishing: medians of ${publishing.length} rounds`, [
    ['', 'sync', 'bare server', 'list', 'bare server'],
    ['pages/s', ...sides.map(({ measured }) => whole(median(measured.map(({ perSecond }) => perSecond))))],
    ['server, µs of processor a page', ...sides.map((side) => whole(median(servers(side))))],
    [
      'PostgreSQL, µs of processor a page',
      ...sides.map(({ measured }) => whole(median(measured.map(({ postgresUs }) => postgresUs)))),
    ],
    ['server, ours : bare', whole(median(costs.sync), 2), '', whole(median(costs.list), 2), ''],
    [
      'memory of the server, at most MiB',
      ...sides.map(({ measured }) => whole(median(measured.map(({ memoryMib }) => memoryMib)))),
    ],
  ])
  printTable(`Publishing: medians of ${publishing.length} rounds`, [
    ['', '', 'lowest and highest'],
    ['changes published a second', whole(median(rates)), range(rates)],
    ['the same rows copied, rows/s', whole(median(copies)), range(copies)],
    ['memory of API and workers, at most MiB', whole(median(publishing.map(({ memoryMib }) => memoryMib))), ''],
  ])
  const atMost = { digits: 2, goal: { atMost: 1.25 } }
  recordHeadline({ name: 'sync page, processor of the server : bare server', ...atMost, rounds: costs.sync })
  recordHeadline({ name: 'list page, processor of the server : bare server', ...atMost, rounds: costs.list })
  recordHeadline({
    name: 'publishing, changes/s',
    goal: { atLeast: 10_000 },
    rounds: rates,
    control: { name: 'the same rows copied in SQL, rows/s', rounds: copies },
  })
  recordHeadline({
    name: 'memory of API and workers, at most MiB',
    goal: { atMost: 180 },
    rounds: memory,
    control: { name: 'bare server, at most MiB', rounds: bareMemory },
  })
}

function memoryOf(round: number, ...sides: readonly Rounds[]): readonly number[] {
  return sides.flatMap(({ measured }) => measured[round]?.memoryMib ?? [])
}
