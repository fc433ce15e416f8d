import { readOptions } from '../arguments.ts'
import { median, printTable, range, whole } from '../table.ts'
import { type Child, withChild } from './child.ts'
import { BODY } from './events.ts'
import type { Load, Result } from './posting.ts'
import type { Order, Report } from './receivers.ts'

const OPTIONS = { rounds: { usual: 7, most: 50 }, count: { usual: 20_000, most: 500_000 } }
const RECEIVERS = 20

type By = Load['by']
type Poster = Child<Load, Result>
type Measured = { readonly rates: number[]; readonly cpuUs: number[] }

/** Measures the service's sender without the service, and undici without the sender: the same requests to the same receivers, in turns. */
export async function measureSender(argv: readonly string[]): Promise<void> {
  const { numbers } = readOptions(argv, OPTIONS, [])
  await withChild<Order, Report, void>('receivers.ts', (receivers) =>
    withChild<Load, Result, void>('posting.ts', (undici) =>
      withChild<Load, Result, void>('posting.ts', async (sender) => {
        const { urls = [] } = await receivers.send({ say: 'open', count: RECEIVERS })
        const measured = await inTurns({ undici, sender }, { urls, ...numbers })
        printTable('Requests of 2 KB to 20 receivers, 16 connections each', [
          ...rows('bare undici', measured.undici),
          ...rows('our sender', measured.sender),
          ['processor, ours to bare', ratio(measured.sender.cpuUs, measured.undici.cpuUs)],
        ])
      }),
    ),
  )
}

type Size = { readonly urls: readonly string[]; readonly rounds: number; readonly count: number }

async function inTurns(posters: Readonly<Record<By, Poster>>, { urls, rounds, count }: Size) {
  const measured: Record<By, Measured> = { undici: { rates: [], cpuUs: [] }, sender: { rates: [], cpuUs: [] } }
  const order: readonly By[] = ['undici', 'sender']
  for (let round = -1; round < rounds; round++) {
    for (const by of round % 2 === 0 ? order : order.toReversed()) {
      const { ms, cpuUs } = await posters[by].send({ by, urls, count, body: BODY })
      // The first round is a warm-up.
      if (round < 0) continue
      measured[by].rates.push((count * 1_000) / ms)
      measured[by].cpuUs.push(cpuUs)
    }
  }
  return measured
}

function rows(what: string, { rates, cpuUs }: Measured): (readonly [string, ...string[]])[] {
  return [
    [`${what}, requests/s`, whole(median(rates)), range(rates)],
    ['  processor, user and system', `${whole(median(cpuUs), 1)} µs each`, range(cpuUs)],
  ]
}

/** The median of the rounds' ratios: other load on the machine affects both sides of a round. */
function ratio(ours: readonly number[], bare: readonly number[]): string {
  return median(ours.map((us, round) => us / (bare[round] ?? us))).toFixed(2)
}
