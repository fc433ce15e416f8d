import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readOptions } from './arguments.ts'
import { measureCatalog } from './catalog/catalog.ts'
import { measureFacts } from './facts.ts'
import { fixedLoopMs, headlineRows, recordedHeadlines } from './headlines.ts'
import { measurePages } from './ledger/pages-and-publishing.ts'
import { measureStart } from './start.ts'
import { markdownTable, printedTables, printTable } from './table.ts'
import { measureTokens } from './tokens/tokens.ts'
import { measureDeliveries } from './webhooks/webhooks.ts'

const OPTIONS = { rounds: { usual: 5, most: 50 } } as const

/** The benches, each with options that keep it under five minutes. */
const STEPS = [
  [measureTokens, ['--seconds', '2']],
  [measureFacts, ['--count', '40000']],
  [measurePages, ['--seconds', '2']],
  [measureDeliveries, ['--count', '5000']],
  [measureCatalog, ['--seconds', '2']],
  [measureStart, []],
] as const

const LOOPS = 3
const REPORT = join(import.meta.dirname, '../docs/performance.md')
/** The heading of the section that this bench writes. The section ends at the next heading. */
const SECTION = '\n## Headlines\n'

/** Measures every headline with its control, and how much the speed of the machine varied meanwhile. */
export async function measureAll(argv: readonly string[]): Promise<void> {
  const { numbers, flags } = readOptions(argv, OPTIONS, ['report'])
  const loopsMs: number[] = []
  const measureNoise = () => {
    for (let loop = 0; loop < LOOPS; loop++) loopsMs.push(fixedLoopMs())
  }
  for (const [measure, options] of STEPS) {
    measureNoise()
    await measure([...options, '--rounds', String(numbers.rounds)])
  }
  measureNoise()
  const details = [...printedTables()]
  const title = 'Headlines'
  const rows = headlineRows(recordedHeadlines(), loopsMs)
  printTable(title, rows)
  if (flags.has('report')) await writeReport([{ title, rows }, ...details])
}

async function writeReport(tables: ReturnType<typeof printedTables>): Promise<void> {
  const text = await readFile(REPORT, 'utf8')
  const begin = text.indexOf(SECTION)
  const end = text.indexOf('\n## ', begin + SECTION.length)
  if (begin === -1 || end === -1) throw new Error(`${REPORT} has no section${SECTION}`)
  const command = '```sh\nnpm run bench -- all --report       # about 12 minutes; writes this section\n```'
  const day = `Written on ${new Date().toISOString().slice(0, 10)}:`
  const parts = tables.map(({ title, rows }) => `**${title}**\n\n${markdownTable(rows)}`)
  const section = [SECTION, command, day, ...parts].join('\n\n').replace(`${SECTION}\n`, SECTION)
  await writeFile(REPORT, `${text.slice(0, begin)}${section}\n${text.slice(end)}`)
}
