import { setTimeout as wait } from 'node:timers/promises'
import type { Bench } from '../service.ts'
import type { Child } from './child.ts'
import { nowMs } from './clock.ts'
import { writeEvents } from './events.ts'
import type { Partner } from './partners.ts'
import type { Order, Report } from './receivers.ts'

type Receivers = Child<Order, Report>
type Setting = { readonly partners: readonly Partner[]; readonly receivers: Receivers; readonly seconds: number }

const STEP_MS = 200
/** Longer than the limit of an attempt, so that the hanging endpoint's attempts have ended. */
const CALM_MS = 17_000

export type Isolation = { readonly without: readonly number[]; readonly with: readonly number[] }

/**
 * Measures in turns how many milliseconds events take to all endpoints but the first two: while all endpoints respond,
 * and while the first endpoint hangs and the second fails.
 */
export async function measureIsolation(bench: Bench, setting: Setting, rounds: number): Promise<Isolation> {
  const measured = { without: [] as number[], with: [] as number[] }
  await load(bench, setting)
  for (let round = 0; round < rounds; round++) {
    measured.without.push(...(await load(bench, setting)))
    await behave(setting, 'hang', 'fail')
    // This run is not measured: it lets deliveries reach a steady state.
    await load(bench, setting)
    measured.with.push(...(await load(bench, setting)))
    await behave(setting, 'accept', 'accept')
    await wait(CALM_MS)
  }
  return measured
}

async function behave({ receivers }: Setting, first: 'hang' | 'accept', second: 'fail' | 'accept'): Promise<void> {
  await receivers.send({ say: 'behave', at: 0, as: first })
  await receivers.send({ say: 'behave', at: 1, as: second })
}

/** Writes an event for every endpoint at each step, far below the maximum rate, and measures all endpoints but the first two. */
async function load({ client }: Bench, { partners, receivers, seconds }: Setting): Promise<readonly number[]> {
  await receivers.send({ say: 'report' })
  const sentAt = new Map<string, number>()
  const until = performance.now() + seconds * 1_000
  while (performance.now() < until) {
    const at = nowMs()
    for (const id of await writeEvents(client, partners, 1)) sentAt.set(id, at)
    await wait(Math.max(0, at + STEP_MS - nowMs()))
  }
  await wait(1_000)
  const { arrivals = [] } = await receivers.send({ say: 'report' })
  const first = new Map<string, number>()
  for (const [event, at, ms] of arrivals) if (at > 1 && !first.has(event)) first.set(event, ms)
  return [...first].flatMap(([event, ms]) => {
    const from = sentAt.get(event)
    return from === undefined ? [] : [ms - from]
  })
}
