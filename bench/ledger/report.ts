import type { Round, Rounds } from '../load/rounds.ts'
import { median, percentile, printTable, range, whole } from '../table.ts'
import type { Freshness } from './freshness.ts'
import type { Published } from './publishing.ts'

type Mode = 'list' | 'sync'
type OtherKind = 'memory' | 'stored' | 'statement' | 'conventional'
type Others = `${OtherKind}${'List' | 'Sync'}`

type Measured = {
  readonly count: number
  readonly rounds: number
  readonly seconds: number
  readonly connections: number
  readonly small: Readonly<Record<Mode, Rounds>>
  readonly results: Readonly<Record<Mode | Others, Rounds>>
  readonly published: Published
  readonly fresh: Freshness
  readonly pageBytes: number
  readonly memoryMib: number
}

const of = ({ measured }: Rounds, field: (round: Round) => number) => median(measured.map(field))
const cost = (rounds: Rounds) => of(rounds, ({ serverUs, postgresUs }) => serverUs + postgresUs)

/** Divides within each round, so that a slow minute of the machine affects both sides. Returns the median of these ratios. */
function ratio(ours: Rounds, theirs: Rounds, field: (round: Round) => number): number {
  const each = ours.measured.flatMap((round, at) => {
    const other = theirs.measured[at]
    return other === undefined ? [] : [field(round) / field(other)]
  })
  return median(each)
}

/** Prints medians of the rounds, and of their ratios. */
export function reportLedger(all: Measured): void {
  const { count, rounds, seconds, connections, results, pageBytes } = all
  for (const [mode, others] of [
    ['sync', ['memorySync', 'storedSync', 'statementSync', 'conventionalSync']],
    ['list', ['memoryList', 'storedList', 'statementList', 'conventionalList']],
  ] as const) {
    const sides = [results[mode], ...others.map((name) => results[name])]
    const row = (name: string, field: (round: Round) => number, digits = 0) => {
      const values = sides.map((side) => of(side, field))
      const ratios = sides.slice(1).map((side) => ratio(results[mode], side, field).toFixed(2))
      return [name, ...values.map((value) => whole(value, digits)), ...ratios] as const
    }
    printTable(
      `${mode === 'sync' ? 'Sync' : 'List'} pages of 25 (${whole(pageBytes)} bytes) among ${whole(count)} investments: medians of ${rounds} rounds of ${seconds} s, ${connections} connections`,
      [
        [
          '',
          ...['ours', 'bare, in memory', 'bare, stored', 'bare, same statement', 'conventional'],
          ...[': memory', ': stored', ': statement', ': conventional'],
        ],
        row('pages/s', ({ perSecond }) => perSecond),
        [
          '  lowest and highest round',
          ...sides.map((side) => range(side.measured.map(({ perSecond }) => perSecond))),
          ...['', '', '', ''],
        ],
        row('pages per CPU-second of the server', ({ perCpuSecond }) => perCpuSecond),
        row('server, µs of processor a response', ({ serverUs }) => serverUs),
        row('PostgreSQL, µs of processor a response', ({ postgresUs }) => postgresUs),
        row('response time, p50 ms', ({ p50Ms }) => p50Ms, 1),
        row('response time, p99 ms', ({ p99Ms }) => p99Ms, 1),
      ],
    )
  }
  reportRest(all)
}

function reportRest({ count, small, results, published, fresh, memoryMib }: Measured): void {
  const growth = (mode: Mode) => [
    whole(cost(small[mode])),
    whole(cost(results[mode])),
    (cost(results[mode]) / cost(small[mode])).toFixed(2),
  ]
  printTable('What a page costs, µs of processor of server and PostgreSQL', [
    ['', 'small ledger', `${whole(count)} investments`, ':'],
    ['sync', ...growth('sync')],
    ['list', ...growth('list')],
  ])
  printTable('Publishing, and from fact to sync', [
    ['changes published', whole(published.changes)],
    ['changes/s', whole(published.perSecond)],
    ['facts/s meanwhile', whole((fresh.facts * 1_000) / fresh.tookMs)],
    ['investments seen', whole(fresh.ms.length)],
    ['from fact to page, p50 ms', whole(percentile(fresh.ms, 0.5))],
    ['from fact to page, p99 ms', whole(percentile(fresh.ms, 0.99))],
    ['memory of the server, at most MiB', whole(memoryMib)],
  ])
}
