import { cpuSeconds, postgresOf } from '../processes.ts'
import type { Bench } from '../service.ts'
import type { Child } from './child.ts'
import { BODY, untilRecorded, writeEvents } from './events.ts'
import type { Partner } from './partners.ts'
import type { Load, Result } from './posting.ts'

export type Round = {
  readonly perSecond: number
  /** Microseconds of processor time per delivery. */
  readonly serverUs: number
  readonly postgresUs: number
}

/** Runs one round: from the rows of the events until at least `count` deliveries are recorded as successful. */
export async function deliverRound(
  { client, dataDirectory, pid }: Bench,
  partners: readonly Partner[],
  count: number,
): Promise<Round> {
  // Every event of a company goes to all partners of that company, so each partner gets as many deliveries as its company has events.
  const companies = [...new Map(partners.map((partner) => [partner.company, partner])).values()]
  const each = Math.ceil(count / partners.length)
  await writeEvents(client, companies, each)
  // Notifies the workers, as an API process does after a commit. Without the notification, the workers would find the
  // events only at their next poll, up to a second later.
  await client.query(`select pg_notify('portico_work', '')`)
  // The time and the work of writing the events are not measured.
  const before = [cpuSeconds([pid]), cpuSeconds(postgresOf(dataDirectory))] as const
  const startedAt = performance.now()
  await untilRecorded(client, partners)
  const deliveries = each * partners.length
  const us = (seconds: number) => (seconds * 1_000_000) / deliveries
  return {
    perSecond: (deliveries * 1_000) / (performance.now() - startedAt),
    serverUs: us(cpuSeconds([pid]) - before[0]),
    postgresUs: us(cpuSeconds(postgresOf(dataDirectory)) - before[1]),
  }
}

export type Throughput = {
  /** Our deliveries, round by round. */
  readonly ours: readonly Round[]
  /** Requests of bare undici per second, round by round. */
  readonly bare: readonly number[]
}

type Sending = {
  readonly partners: readonly Partner[]
  readonly bare: Child<Load, Result>
  readonly rounds: number
  readonly count: number
}

/** Measures our deliveries, and undici with the same bodies, in turns. */
export async function measureThroughput(bench: Bench, { partners, bare, rounds, count }: Sending): Promise<Throughput> {
  const ours = () => deliverRound(bench, partners, count)
  const theirs = async () => {
    const requests = Math.ceil(count / partners.length) * partners.length
    const { ms } = await bare.send({ by: 'undici', urls: partners.map(({ url }) => url), count: requests, body: BODY })
    return (requests * 1_000) / ms
  }
  await ours()
  await theirs()
  const measured: { ours: Round[]; bare: number[] } = { ours: [], bare: [] }
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 1) measured.bare.push(await theirs())
    measured.ours.push(await ours())
    if (round % 2 === 0) measured.bare.push(await theirs())
  }
  return measured
}
