import type { Rounds } from '../load/rounds.ts'
import { median, printTable, whole } from '../table.ts'

type Name = 'off' | 'process' | 'redis'

export type LimitFigures = {
  readonly count: number
  readonly rounds: number
  readonly seconds: number
  readonly connections: number
  readonly results: Readonly<Record<Name, Rounds>>
  /** The number of keys in Redis after all rounds: 0 would mean that Redis did not count. */
  readonly countedInRedis: number
}

const WANTED = { process: 5, redis: 15 }

export function reportLimits(figures: LimitFigures): void {
  const { count, rounds, seconds, connections, results, countedInRedis } = figures
  const serverUs = (name: Name) => results[name].measured.map((round) => round.serverUs)
  const perSecond = (name: Name) => whole(median(results[name].measured.map((round) => round.perSecond)))
  const each = (shown: (name: Name) => string) => [shown('off'), shown('process'), shown('redis')] as const
  // Compares within one round, so other load on the machine affects both sides.
  const more = (name: Name) => {
    const off = serverUs('off')
    return `${whole(median(serverUs(name).map((us, round) => (us / (off[round] ?? us) - 1) * 100)), 1)} %`
  }
  printTable(
    `Cost of rate limits for a sync page (ledger of ${whole(count)} investments): medians of ${rounds} rounds of ${seconds} s, ${connections} connections`,
    [
      ['', 'off', 'in process', 'in Redis'],
      ['server CPU a request, µs', ...each((name) => whole(median(serverUs(name)), 1))],
      ['more CPU than without limits', '–', more('process'), more('redis')],
      ['wanted, at most', '–', `${WANTED.process} %`, `${WANTED.redis} %`],
      ['pages a second', ...each(perSecond)],
      ['keys in Redis afterwards', String(countedInRedis)],
    ],
  )
}
