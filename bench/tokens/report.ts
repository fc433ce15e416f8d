import { ratios, recordHeadline } from '../headlines.ts'
import type { Round, Rounds } from '../load/rounds.ts'
import { median, printTable, range, whole } from '../table.ts'
import type { ServerSettings } from './server-process.ts'

type Results = { readonly ours: Rounds; readonly peer: Rounds; readonly storing: Rounds; readonly floor: Rounds }

type Measured = {
  readonly rounds: number
  readonly seconds: number
  readonly connections: number
  readonly clients: number
  readonly durability: string
  readonly stores: ServerSettings['stores']
}

/** Prints medians of the rounds. A ratio divides our median by that of a peer. */
export function reportTokens({ ours, peer, storing, floor }: Results, measured: Measured): void {
  const sides = [ours, peer, storing, floor]
  const row = (name: string, of: (round: Round) => number, digits = 0) => {
    const medians = sides.map((side) => median(side.measured.map(of)))
    const [mine = 0, theirs = 0, storings = 0] = medians
    const ratios = [mine / theirs, mine / storings].map((ratio) => `${ratio.toFixed(2)}×`)
    return [name, ...medians.map((value) => whole(value, digits)), ...ratios] as const
  }
  const spread = ({ measured }: Rounds) => range(measured.map(({ perCpuSecond }) => perCpuSecond))
  const total = ({ measured }: Rounds) => whole(measured.reduce((sum, { answers }) => sum + answers, 0))
  const { rounds, seconds, connections, clients } = measured
  printTable(
    `Client-credentials tokens of ${clients} clients: medians of ${rounds} rounds of ${seconds} s, ${connections} connections`,
    [
      ['', 'ours', 'peer', 'peer, clients stored', 'floor', 'ours : peer', ': stored'],
      row('tokens/s', ({ perSecond }) => perSecond),
      row('tokens per CPU-second of the server', ({ perCpuSecond }) => perCpuSecond),
      ['  lowest and highest round', ...sides.map(spread), '', ''],
      row('server, µs of processor a token', ({ serverUs }) => serverUs),
      row('PostgreSQL, µs of processor a token', ({ postgresUs }) => postgresUs),
      row('generator, µs of processor a token', ({ generatorUs }) => generatorUs),
      row('response time, p50 ms', ({ p50Ms }) => p50Ms, 1),
      row('response time, p99 ms', ({ p99Ms }) => p99Ms, 1),
      ['tokens, each a committed row', ...sides.map(total), '', ''],
      ['durability', measured.durability],
      ['peer and floor store tokens', measured.stores],
    ],
  )
  const perCpuSecond = (side: Rounds) => side.measured.map((round) => round.perCpuSecond)
  recordHeadline({
    name: 'tokens per CPU-second : oidc-provider, clients stored',
    goal: { atLeast: 3 },
    rounds: ratios(perCpuSecond(ours), perCpuSecond(storing)),
    digits: 2,
  })
}
