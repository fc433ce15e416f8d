import { ratios, recordHeadline } from '../headlines.ts'
import type { Round, Rounds } from '../load/rounds.ts'
import { median, printTable, range, whole } from '../table.ts'

type Reads = 'explore' | 'bareExplore' | 'offering' | 'bareOffering'
type Results = Readonly<Record<Reads | 'search' | 'searchAlone', Rounds>>

type Measured = {
  readonly offerings: number
  readonly rounds: number
  readonly seconds: number
  readonly connections: number
  readonly pageBytes: number
}

const of = ({ measured }: Rounds, field: (round: Round) => number) => median(measured.map(field))

/** Prints medians of the rounds. A ratio divides our median by the bare server's. */
export function reportCatalog(results: Results, measured: Measured): void {
  const { offerings, rounds, seconds, connections, pageBytes } = measured
  const row = (name: string, field: (round: Round) => number, digits = 0) => {
    const values = (['explore', 'bareExplore', 'offering', 'bareOffering'] as const).map((side) =>
      of(results[side], field),
    )
    const [page = 0, barePage = 0, one = 0, bareOne = 0] = values
    const shown = values.map((value) => whole(value, digits))
    return [
      name,
      ...shown.slice(0, 2),
      (page / barePage).toFixed(2),
      ...shown.slice(2),
      (one / bareOne).toFixed(2),
    ] as const
  }
  const spread = (side: Reads) => range(results[side].measured.map(({ perSecond }) => perSecond))
  printTable(
    `Public reads of ${whole(offerings)} offerings: medians of ${rounds} rounds of ${seconds} s, ${connections} connections`,
    [
      ['', '/explore', 'bare', ':', '/offerings/{id}', 'bare', ':'],
      row('responses/s', ({ perSecond }) => perSecond),
      [
        '  lowest and highest round',
        spread('explore'),
        spread('bareExplore'),
        '',
        spread('offering'),
        spread('bareOffering'),
        '',
      ],
      row('responses per CPU-second of the server', ({ perCpuSecond }) => perCpuSecond),
      row('server, µs of processor a response', ({ serverUs }) => serverUs),
      row('PostgreSQL, µs of processor a response', ({ postgresUs }) => postgresUs),
      row('generator, µs of processor a response', ({ generatorUs }) => generatorUs),
      row('response time, p50 ms', ({ p50Ms }) => p50Ms, 1),
      row('response time, p99 ms', ({ p99Ms }) => p99Ms, 1),
      ['bytes of a page', whole(pageBytes)],
    ],
  )
  reportSearch(results, measured)
  const rates = (side: Reads) => results[side].measured.map(({ perSecond }) => perSecond)
  const atLeast = { goal: { atLeast: 0.9 }, digits: 2 }
  const explore = ratios(rates('explore'), rates('bareExplore'))
  recordHeadline({ name: 'GET /explore, responses/s : bare server', ...atLeast, rounds: explore })
  const offering = ratios(rates('offering'), rates('bareOffering'))
  recordHeadline({ name: 'GET /offerings/{id}, responses/s : bare server', ...atLeast, rounds: offering })
}

function reportSearch({ search, searchAlone }: Results, { connections, offerings }: Measured): void {
  const row = (name: string, side: Rounds) => {
    const [p50, p99] = [of(side, ({ p50Ms }) => p50Ms), of(side, ({ p99Ms }) => p99Ms)]
    const speed = whole(of(side, ({ perSecond }) => perSecond))
    return [name, speed, whole(p50, 1), whole(p99, 1), (p99 / p50).toFixed(1)] as const
  }
  printTable(`Search among ${whole(offerings)} companies`, [
    ['', 'responses/s', 'p50 ms', 'p99 ms', 'p99 : p50'],
    row(`${connections} connections`, search),
    row('one connection', searchAlone),
  ])
}
