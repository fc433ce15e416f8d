import { readOptions } from '../arguments.ts'
import { withBareServer } from '../bare-server/with-bare-server.ts'
import { runRounds, type Side } from '../load/rounds.ts'
import { withGenerator } from '../load/with-generator.ts'
import { type Service, withDatabaseAndService } from '../service.ts'
import { makeManyTokens, tokenText } from '../tokens/many-tokens.ts'
import { fillCatalog, offeringId } from './fill.ts'
import { reportCatalog } from './report.ts'
import { searches } from './searches.ts'

const OPTIONS = {
  offerings: { usual: 10_000, most: 100_000 },
  rounds: { usual: 7, most: 50 },
  seconds: { usual: 3, most: 60 },
  connections: { usual: 64, most: 256 },
} as const

const WARM_UP_MS = 4_000
const TOKENS = 1_000
/** The maximum number of different offerings that are requested. The bare server has their texts in memory. */
const ASKED_FOR = 10_000
const SEARCHES = 2_000

/** Compares `/explore` and offerings with a bare server that sends the same texts, and measures how evenly search responds. */
export async function measureCatalog(argv: readonly string[]): Promise<void> {
  const { numbers } = readOptions(argv, OPTIONS, [])
  await withDatabaseAndService(async ({ service, url, dataDirectory }) => {
    await fillCatalog(url, numbers.offerings)
    await makeManyTokens(url, TOKENS)
    const ids = Array.from({ length: Math.min(ASKED_FOR, numbers.offerings) }, (_, at) => offeringId(at + 1))
    const offerings = await textsOf(service, ids)
    const page = await textOf(service, '/explore')
    const texts = [
      { path: '/explore', text: page },
      ...offerings.map(({ id, text }) => ({ path: `/offerings/${id}`, text })),
    ]
    await withBareServer({ databaseUrl: url, looksUp: true, texts }, (bare) =>
      withGenerator(async (generator) => {
        const { connections } = numbers
        const pages = ['/explore']
        const one = ids.map((id) => `/offerings/${id}`)
        const search = searches(SEARCHES, numbers.offerings).map((q) => `/companies/search?q=${encodeURIComponent(q)}`)
        const sides = {
          explore: side(service, pages, connections),
          bareExplore: side(bare, pages, connections),
          offering: side(service, one, connections),
          bareOffering: side(bare, one, connections),
          search: side(service, search, connections),
          searchAlone: side(service, search, 1),
        }
        const length = { rounds: numbers.rounds, ms: numbers.seconds * 1_000, warmUpMs: WARM_UP_MS }
        const results = await runRounds(sides, length, { generator, dataDirectory })
        reportCatalog(results, { ...numbers, pageBytes: Buffer.byteLength(page) })
      }),
    )
  })
}

const bearer = (number: number) => ({ Authorization: `Bearer ${tokenText(1 + (number % TOKENS))}` })

function side({ address, pid }: Service, paths: readonly string[], connections: number): Side {
  // At least as many requests as connections, so that the connections use different tokens even if all request one
  // path.
  const requests = Array.from({ length: Math.max(paths.length, connections) }, (_, at) => ({
    url: address + paths[at % paths.length],
    headers: bearer(at),
  }))
  return { pid, load: { requests, connections, expected: '{"data":' } }
}

async function textOf({ address }: Service, path: string): Promise<string> {
  const response = await fetch(address + path, { headers: bearer(0) })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${text}`)
  return text
}

async function textsOf(service: Service, ids: readonly string[]) {
  const texts: { id: string; text: string }[] = []
  for (const id of ids) texts.push({ id, text: await textOf(service, `/offerings/${id}`) })
  return texts
}
