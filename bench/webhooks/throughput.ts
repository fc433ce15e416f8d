import { cpuSeconds, postgresOf } from '../processes.ts'
import type { Bench } from '../service.ts'
import type { Child } from './child.ts'
import { BODY, untilRecorded, writeEvents } from './events.ts'
import type { Partner } from './partners.ts'
import type { Load, Result } from './posting.ts'

export type Throughput = {
  /** Per second, round by round. */
  readonly ours: readonly number[]
  readonly bare: readonly number[]
  /** Microseconds of processor time per delivery. */
  readonly serverUs: number
  readonly postgresUs: number
}

type Sending = {
  readonly partners: readonly Partner[]
  readonly bare: Child<Load, Result>
  readonly rounds: number
  readonly count: number
}

/** From the event's row to the recorded success, and undici with the same bodies, in turns. */
export async function measureThroughput(
  { client, dataDirectory, pid }: Bench,
  { partners, bare, rounds, count }: Sending,
): Promise<Throughput> {
  // Every event of a company goes to all its partners: this many events make as many deliveries to each.
  const companies = [...new Map(partners.map((partner) => [partner.company, partner])).values()]
  const each = Math.ceil(count / partners.length)
  let [serverS, postgresS] = [0, 0]
  const ours = async () => {
    await writeEvents(client, companies, each)
    // The time and the work of writing the events are not measured.
    const before = [cpuSeconds([pid]), cpuSeconds(postgresOf(dataDirectory))] as const
    const startedAt = performance.now()
    await untilRecorded(client, partners)
    const rate = (each * partners.length * 1_000) / (performance.now() - startedAt)
    serverS += cpuSeconds([pid]) - before[0]
    postgresS += cpuSeconds(postgresOf(dataDirectory)) - before[1]
    return rate
  }
  const theirs = async () => {
    const { ms } = await bare.send({
      by: 'undici',
      urls: partners.map(({ url }) => url),
      count: each * partners.length,
      body: BODY,
    })
    return (each * partners.length * 1_000) / ms
  }
  await ours()
  await theirs()
  serverS = 0
  postgresS = 0
  const measured: { ours: number[]; bare: number[] } = { ours: [], bare: [] }
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 1) measured.bare.push(await theirs())
    measured.ours.push(await ours())
    if (round % 2 === 0) measured.bare.push(await theirs())
  }
  const us = (seconds: number) => (seconds * 1_000_000) / (rounds * each * partners.length)
  return { ...measured, serverUs: us(serverS), postgresUs: us(postgresS) }
}
