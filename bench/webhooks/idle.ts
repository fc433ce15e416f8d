import { setTimeout as wait } from 'node:timers/promises'
import { lane } from '../fact-mix.ts'
import type { Bench } from '../service.ts'
import { operatorKey } from '../service.ts'
import type { Child } from './child.ts'
import { nowMs } from './clock.ts'
import { makePartners } from './partners.ts'
import type { Order, Report } from './receivers.ts'

type Idle = { readonly receivers: Child<Order, Report>; readonly url: string; readonly count: number }

const BETWEEN_MS = 300
const GIVE_UP_MS = 5_000

/**
 * The milliseconds from sending a fact that creates an investment until the receiver gets the event of this fact. Facts are
 * sent one at a time, to an idle service.
 */
export async function measureIdle(bench: Bench, { receivers, url, count }: Idle): Promise<readonly number[]> {
  const key = await operatorKey(bench.dataDirectory)
  const sendFacts = async (facts: unknown) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const answer = await fetch(`${bench.address}/platform/facts`, {
      method: 'POST',
      headers,
      body: JSON.stringify(facts),
    })
    if (!answer.ok) throw new Error(`facts were rejected: ${await answer.text()}`)
  }
  const { prerequisites, facts } = lane(9, Date.now() - 3_600_000)
  await sendFacts(prerequisites)
  const company = prerequisites.find(({ type }) => type === 'company.created')?.data['id']
  await makePartners(bench.client, { dataDirectory: bench.dataDirectory, urls: [url], company: String(company) })
  await receivers.send({ say: 'report' })
  const took: number[] = []
  for (const fact of facts(count * 8)) {
    if (fact.type !== 'investment.created') {
      await sendFacts([fact])
      continue
    }
    // A random pause, so that each fact is sent at another moment between two polls of the workers.
    await wait(BETWEEN_MS + Math.random() * BETWEEN_MS)
    const from = nowMs()
    await sendFacts([fact])
    took.push((await firstArrival(receivers, from)) - from)
    if (took.length === count) break
  }
  return took
}

async function firstArrival(receivers: Idle['receivers'], from: number): Promise<number> {
  while (nowMs() - from < GIVE_UP_MS) {
    const { arrivals = [] } = await receivers.send({ say: 'report' })
    const [first] = arrivals
    if (first !== undefined) return first[2]
    await wait(2)
  }
  throw new Error('the receiver did not get an event')
}
