import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { readOptions } from '../arguments.ts'
import { fillCatalog } from '../catalog/fill.ts'
import { fixedLoopMs } from '../headlines.ts'
import { pagesSide, walkPages } from '../ledger/pages.ts'
import { fillLedger } from '../ledger/seeded.ts'
import { type Round, type Rounds, runRounds, type Side } from '../load/rounds.ts'
import { withGenerator } from '../load/with-generator.ts'
import { type Service, withDatabaseAndService, withService } from '../service.ts'
import { median, printTable, type Row, range, whole } from '../table.ts'
import { makeManyTokens, tokenText } from '../tokens/many-tokens.ts'

const OPTIONS = {
  count: { usual: 10_000, most: 1_000_000 },
  // Rounds are short: the compared measurements are seconds apart, so the machine has the same speed.
  rounds: { usual: 15, most: 99 },
  seconds: { usual: 1, most: 60 },
  connections: { usual: 64, most: 256 },
} as const

const READERS = 5
const OFFERINGS = 1_000
const TOKENS = 100
const WARM_UP_MS = 3_000
const LOOPS = 3
const WANTED = 5
const WITHOUT = `--import=${new URL('./untraced-hooks.ts', import.meta.url).href}`
const PAUSING = `--import=${new URL('./pausing-hooks.ts', import.meta.url).href}`
const SWITCH_MS = 50

type Process = 'without' | 'again' | 'off' | 'on'
/**
 * `again` is a second process like `without`. It shows that two equal processes can differ by more than traces may cost. So
 * `on` is compared with `paused`, the same process with its traces switched off.
 */
type Kind = Process | 'paused'
const KINDS: readonly Kind[] = ['without', 'again', 'off', 'paused', 'on']
const READS = ['sync', 'explore'] as const
type Read = (typeof READS)[number]
type Results = Readonly<Record<Read, Readonly<Record<Kind, Rounds>>>>

/** Measures a sync page and a page of the catalogue: without the code of traces, with traces off, and with one request in ten sampled. */
export async function measureTraces(argv: readonly string[]): Promise<void> {
  const { numbers } = readOptions(argv, OPTIONS, [])
  const { count, rounds, seconds, connections } = numbers
  await using opened = new AsyncDisposableStack()
  const collector = await openCollector()
  opened.defer(collector.close)
  const loopsMs: number[] = []
  const timeLoops = () => {
    for (let loop = 0; loop < LOOPS; loop++) loopsMs.push(fixedLoopMs())
  }
  await withDatabaseAndService(async ({ url, dataDirectory }) => {
    await fillLedger(dataDirectory, url, { count, readers: READERS })
    await fillCatalog(url, OFFERINGS)
    await makeManyTokens(url, TOKENS)
    await withNodes({ dataDirectory, url, collector: collector.url }, async (nodes) => {
      const pages = (await walkPages(nodes.off, READERS)).sync
      const switchTo = pausable(nodes.on)
      const sidesOf = (side: (service: Service) => Side) => ({
        without: side(nodes.without),
        again: side(nodes.again),
        off: side(nodes.off),
        paused: { ...side(nodes.on), prepare: () => switchTo('paused') },
        on: { ...side(nodes.on), prepare: () => switchTo('on') },
      })
      const length = { rounds, ms: seconds * 1_000, warmUpMs: WARM_UP_MS }
      timeLoops()
      const results = await withGenerator(async (generator) => {
        const run = (side: (service: Service) => Side) => runRounds(sidesOf(side), length, { generator, dataDirectory })
        return {
          sync: await run((service) => pagesSide(service, pages, connections)),
          explore: await run((service) => exploreSide(service, connections)),
        }
      })
      timeLoops()
      report(results, { ...numbers, loopsMs, received: collector.received, dropped: await droppedBy(nodes.on) })
    })
  })
}

type Setup = { readonly dataDirectory: string; readonly url: string; readonly collector: string }

/** Starts API processes that can read each other's cursors. The service on `dataDirectory` runs the workers. */
function withNodes<T>(
  { dataDirectory, url, collector }: Setup,
  work: (nodes: Readonly<Record<Process, Service>>) => Promise<T>,
): Promise<T> {
  const shared = { DATABASE_URL: url, PORTICO_SECRET: randomBytes(32).toString('hex'), PORTICO_POOL_SIZE: '4' }
  const node = <R>(settings: Readonly<Record<string, string>>, use: (service: Service) => Promise<R>) =>
    withService(dataDirectory, use, { argv: ['--role', 'api'], settings: { ...shared, ...settings } })
  return node({ NODE_OPTIONS: WITHOUT }, (without) =>
    node({ NODE_OPTIONS: WITHOUT }, (again) =>
      node({}, (off) =>
        // By default the service samples one request in ten.
        node({ NODE_OPTIONS: PAUSING, OTEL_EXPORTER_OTLP_ENDPOINT: collector }, (on) =>
          work({ without, again, off, on }),
        ),
      ),
    ),
  )
}

function pausable({ pid }: Service): (wanted: 'paused' | 'on') => Promise<void> {
  let state = 'on'
  return async (wanted) => {
    if (state !== wanted) process.kill(pid, 'SIGUSR2')
    state = wanted
    await wait(SWITCH_MS)
  }
}

function exploreSide({ address, pid }: Service, connections: number): Side {
  const requests = Array.from({ length: connections }, (_, at) => ({
    url: `${address}/explore`,
    headers: { Authorization: `Bearer ${tokenText(1 + (at % TOKENS))}` },
  }))
  return { pid, load: { requests, connections, expected: '{"data":' } }
}

type Received = { requests: number; spans: number }
const SPAN = Buffer.from('"spanId"')

/** A collector that only counts spans. Its processor time is not measured. */
async function openCollector(): Promise<{ url: string; received: Received; close(): Promise<void> }> {
  const received: Received = { requests: 0, spans: 0 }
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    received.requests++
    for (let at = body.indexOf(SPAN); at !== -1; at = body.indexOf(SPAN, at + 1)) received.spans++
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** How many spans the service dropped or failed to export. Such spans would make traces look cheaper. */
async function droppedBy({ address }: Service): Promise<number> {
  const text = await fetch(`${address}/metrics`).then((response) => response.text())
  const found = new Map<string, number>()
  for (const [, outcome = '', value] of text.matchAll(
    /^portico_trace_spans_total\{[^}]*outcome="(\w+)"[^}]*\} (\d+)/gm,
  ))
    found.set(outcome, Number(value))
  if ((found.get('exported') ?? 0) === 0) throw new Error('no span was exported')
  return (found.get('dropped') ?? 0) + (found.get('failed') ?? 0)
}

type Measured = Readonly<Record<keyof typeof OPTIONS, number>> & {
  readonly loopsMs: readonly number[]
  readonly received: Received
  readonly dropped: number
}

function report(results: Results, { count, rounds, seconds, connections, ...measured }: Measured): void {
  const rows = READS.flatMap((read): Row[] => {
    const of = (kind: Kind) => results[read][kind].measured
    const row = (name: string, field: (round: Round) => number, digits = 0): Row => [
      name,
      ...KINDS.map((kind) => whole(median(of(kind).map(field)), digits)),
    ]
    /** Compares within one round, so other load on the machine affects both sides. */
    const more = (kind: Kind, than: Kind) =>
      of(kind).map((round, at) => (round.serverUs / (of(than)[at] ?? round).serverUs - 1) * 100)
    const compared = [more('again', 'without'), more('off', 'without'), more('on', 'paused')] as const
    const cells = (shown: (each: readonly number[]) => string) => {
      const [again, off, on] = compared
      return ['–', shown(again), shown(off), '–', shown(on)]
    }
    const percent = (value: number) => `${whole(value, 1)} %`
    const quartiles = (values: readonly number[]) => {
      const sorted = [...values].sort((a, b) => a - b)
      const at = (part: number) => sorted[Math.round((sorted.length - 1) * part)] ?? 0
      return `${whole(at(0.25), 1)} to ${whole(at(0.75), 1)}`
    }
    return [
      row(`${read}: pages/s`, ({ perSecond }) => perSecond),
      ['  lowest and highest round', ...KINDS.map((kind) => range(of(kind).map(({ perSecond }) => perSecond)))],
      row('  server, µs of processor a response', ({ serverUs }) => serverUs, 1),
      row('  PostgreSQL, µs of processor a response', ({ postgresUs }) => postgresUs, 1),
      ['  server, more than without, or than paused', ...cells((each) => percent(median(each)))],
      ['  half of the rounds lie within, %', ...cells(quartiles)],
    ]
  })
  const { received, dropped, loopsMs } = measured
  printTable(
    `Traces, of ${whole(count)} investments and ${whole(OFFERINGS)} offerings: medians of ${rounds} rounds of ${seconds} s, ${connections} connections`,
    [
      ['', 'without the code', 'the same again', 'off', 'paused', 'on, 10 %'],
      ...rows,
      ['wanted, at most', '', '', 'as “again”', '', `${WANTED} %`],
      ['spans exported, in requests, and dropped', `${received.spans}, ${received.requests}, ${dropped}`],
      ['noise: a fixed loop, ms', `${whole(median(loopsMs))} (${range(loopsMs)})`],
    ],
  )
}
