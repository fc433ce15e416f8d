import { readOptions } from '../arguments.ts'
import { onDatabase } from '../database.ts'
import { runRounds } from '../load/rounds.ts'
import { type Generator, withGenerator } from '../load/with-generator.ts'
import { watchMemory } from '../processes.ts'
import { operatorKey, type Service, withDatabaseAndService } from '../service.ts'
import { type Freshness, measureFreshness, sendPrerequisites } from './freshness.ts'
import { measureLibraries } from './libraries.ts'
import { inOpenCursors } from './open-cursors.ts'
import { type PageRequest, type Pages, pagesSide, walkPages } from './pages.ts'
import { publishedBy } from './publishing.ts'
import { companyId, FACT_COMPANY, installOn, tokenText } from './readers.ts'
import { reportLedger } from './report.ts'
import { seedInvestments, settleLedger } from './seeded.ts'
import { type OtherKind, withOtherServer } from './with-other-server.ts'

const OPTIONS = {
  count: { usual: 1_000_000, most: 1_000_000 },
  rounds: { usual: 7, most: 50 },
  seconds: { usual: 3, most: 60 },
  connections: { usual: 64, most: 256 },
} as const

/**
 * The number of investments in the small ledger, which is measured first. The seed makes blocks of 20,000 investments
 * in ten companies. The small ledger is half of the first block, so each measured company of the seed has about half
 * as many investments as in the large ledger.
 */
const SMALL = 10_000
const READERS = 5
const WARM_UP_MS = 3_000
const FRESHNESS_SECONDS = 20

/**
 * Compares our pages of the ledger with those of four simpler servers (other-server.ts). Also measures publishing, and
 * how soon a fact is visible.
 */
export async function measureLedger(argv: readonly string[]): Promise<void> {
  const { numbers, flags } = readOptions(argv, OPTIONS, ['libraries'])
  await withDatabaseAndService(async ({ service, url, dataDirectory }) => {
    const memory = watchMemory(service.pid)
    const length = { rounds: numbers.rounds, ms: numbers.seconds * 1_000, warmUpMs: WARM_UP_MS }
    await withGenerator(async (generator) => {
      const setup = { generator, dataDirectory }
      const key = await operatorKey(dataDirectory)
      const lives = await sendPrerequisites(service, key)
      await seedInvestments(dataDirectory, Math.min(SMALL, numbers.count))
      await publishedBy(url)
      await settleLedger(url)
      // The measured companies: the first ones of the seed, and last the company whose facts `measureFreshness` sends.
      const companies = [...Array.from({ length: READERS }, (_, at) => companyId(at)), FACT_COMPANY]
      await installOn(url, companies)
      const side = (of: Service, pages: readonly PageRequest[]) => pagesSide(of, pages, numbers.connections)
      const libraries = { ...setup, ...numbers, url, side, readers: READERS, warmUpMs: WARM_UP_MS }
      if (flags.has('libraries')) return measureLibraries(libraries)
      const smallPages = await walkPages(service, READERS)
      const small = await runRounds(ours(service, smallPages, numbers.connections), length, setup)
      await seedInvestments(dataDirectory, numbers.count)
      const published = await publishedBy(url)
      await settleLedger(url)
      const pages = await walkPages(service, READERS)
      const results = await compareAll({ service, url, generator, dataDirectory, pages, ...numbers })
      const token = tokenText(companies.length - 1)
      const fresh: Freshness = await measureFreshness(service, lives, { key, token, seconds: FRESHNESS_SECONDS })
      const [page] = pages.sync
      const pageBytes = Buffer.byteLength(page?.text ?? '')
      reportLedger({ ...numbers, small, results, published, fresh, pageBytes, memoryMib: memory.stop() })
      await measureLibraries(libraries)
    })
  })
}

type Compared = {
  readonly service: Service
  readonly url: string
  readonly generator: Generator
  readonly dataDirectory: string
  readonly pages: Pages
  readonly rounds: number
  readonly seconds: number
  readonly connections: number
}

async function compareAll({ service, url, generator, dataDirectory, pages, ...numbers }: Compared) {
  await storePages(url, [...pages.list, ...pages.sync])
  const open = await inOpenCursors(url, pages)
  const length = { rounds: numbers.rounds, ms: numbers.seconds * 1_000, warmUpMs: WARM_UP_MS }
  const other = <T>(kind: OtherKind, work: (server: Service) => Promise<T>) =>
    withOtherServer({ databaseUrl: url, kind, pages: kind === 'memory' ? [...pages.list, ...pages.sync] : [] }, work)
  return other('memory', (memory) =>
    other('stored', (stored) =>
      other('statement', (statement) =>
        other('conventional', (conventional) => {
          const { connections } = numbers
          const { list, sync } = ours(service, pages, connections)
          // Each of our sides is measured directly before the same side of `statement`, because the machine's speed changes
          // from minute to minute.
          const sides = {
            list,
            statementList: pagesSide(statement, open.list, connections),
            sync,
            statementSync: pagesSide(statement, open.sync, connections),
            storedSync: pagesSide(stored, pages.sync, connections),
            storedList: pagesSide(stored, pages.list, connections),
            memoryList: pagesSide(memory, pages.list, connections),
            memorySync: pagesSide(memory, pages.sync, connections),
            conventionalList: pagesSide(conventional, open.list, connections),
            conventionalSync: pagesSide(conventional, open.sync, connections),
          }
          return runRounds(sides, length, { generator, dataDirectory })
        }),
      ),
    ),
  )
}

function ours(service: Service, pages: Pages, connections: number) {
  return { list: pagesSide(service, pages.list, connections), sync: pagesSide(service, pages.sync, connections) }
}

async function storePages(url: string, pages: readonly PageRequest[]): Promise<void> {
  await onDatabase(url, async (client) => {
    await client.query('create table test.bench_pages (path text collate "C" primary key, text text not null)')
    await client.query('grant select on test.bench_pages to public')
    await client.query(
      `insert into test.bench_pages (path, text) select path, text from unnest($1::text[], $2::text[]) page (path, text)
       on conflict do nothing`,
      [pages.map(({ path }) => path), pages.map(({ text }) => text)],
    )
    await client.query('vacuum analyze test.bench_pages')
  })
}
