import type { Round, Rounds } from '../load/rounds.ts'
import { median, printTable, range, seconds, whole } from '../table.ts'
import type { Publishing } from './publishing.ts'

type Measured = {
  readonly codes: number
  readonly investments: number
  readonly rounds: number
  readonly seconds: number
  readonly connections: number
  readonly bytes: number
}

export function reportPublishing(publishing: Publishing, { codes, investments }: Measured): void {
  printTable(`Publishing a week: ${whole(codes)} codes, ${whole(investments)} credited investments`, [
    ['from Monday to published', seconds(publishing.seconds)],
    ['codes and companies reported', whole(publishing.cohorts)],
    [
      'most memory of the service (API and workers)',
      `${whole(publishing.mostMib)} MiB (${whole(publishing.beforeMib)} before)`,
    ],
    ['processor time of the service', seconds(publishing.serverCpu)],
    ['processor time of PostgreSQL', seconds(publishing.postgresCpu)],
  ])
}

type Sides = 'stats' | 'bareChecking' | 'bare'

/** Prints medians of the rounds. A ratio divides our median by a bare server's. */
export function reportStats(results: Readonly<Record<Sides, Rounds>>, measured: Measured): void {
  const of = (side: Sides, field: (round: Round) => number) => median(results[side].measured.map(field))
  const row = (name: string, field: (round: Round) => number, digits = 0) => {
    const [ours, checking, bare] = [of('stats', field), of('bareChecking', field), of('bare', field)]
    const shown = [ours, checking, bare].map((value) => whole(value, digits))
    return [name, ...shown, (ours / checking).toFixed(2), (ours / bare).toFixed(2)] as const
  }
  const spread = (side: Sides) => range(results[side].measured.map(({ perSecond }) => perSecond))
  const { rounds, seconds: length, connections, bytes } = measured
  printTable(
    `Stats of a code with a year of weeks: medians of ${rounds} rounds of ${length} s, ${connections} connections`,
    [
      ['', 'ours', 'bare with token', 'bare', ': with token', ': bare'],
      row('responses/s', ({ perSecond }) => perSecond),
      ['  lowest and highest round', spread('stats'), spread('bareChecking'), spread('bare'), '', ''],
      row('responses per CPU-second of the server', ({ perCpuSecond }) => perCpuSecond),
      row('server, µs of processor a response', ({ serverUs }) => serverUs),
      row('PostgreSQL, µs of processor a response', ({ postgresUs }) => postgresUs),
      row('generator, µs of processor a response', ({ generatorUs }) => generatorUs),
      row('response time, p50 ms', ({ p50Ms }) => p50Ms, 1),
      row('response time, p99 ms', ({ p99Ms }) => p99Ms, 1),
      ['bytes of an answer', whole(bytes)],
    ],
  )
}
