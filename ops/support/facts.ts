import { setTimeout as wait } from 'node:timers/promises'
import { newId } from '../../server/src/kernel/ids.ts'
import type { Random } from '../../server/test/prove/random.ts'
import { bearer, call, type Reply, retryUntilAnswered, type Statuses } from './http.ts'
import type { Stage } from './stage.ts'

type Fact = { readonly id: string; readonly type: string; readonly occurred_at: string; readonly data: object }
type Outcome = {
  readonly id: string
  readonly status: 'applied' | 'duplicate' | 'refused'
  readonly events: readonly { readonly id: string; readonly event: string }[]
}

/** An acknowledged fact, with the events that the response named. */
export type Acknowledged = { readonly fact: Fact; readonly events: Outcome['events'] }

/** The facts of one person, who registers, invests, changes the amount, and pays or cancels. */
function storyOf(offering: string, random: Random): readonly Fact[] {
  const [user, investment] = [newId('user'), newId('investment')]
  const amount_cents = (200 + random.below(500)) * 100
  const parts: readonly (readonly [string, object])[] = [
    ['user.registered', { id: user, name: `Investor ${user.slice(-6)}`, email: `${user}@example.com` }],
    ['investment.created', { id: investment, offering, investor: user, amount_cents: 10_000, currency: 'usd' }],
    ['investment.amount_changed', { id: investment, amount_cents }],
    random.oneIn(3)
      ? ['investment.canceled', { id: investment }]
      : ['investment.payment_received', { id: investment, in_escrow_cents: amount_cents }],
  ]
  return parts.map(([type, data]) => ({ id: crypto.randomUUID(), type, occurred_at: new Date().toISOString(), data }))
}

function registration(): Fact {
  const user = newId('user')
  const data = { id: user, name: 'Probe', email: `${user}@example.com` }
  return { id: crypto.randomUUID(), type: 'user.registered', occurred_at: new Date().toISOString(), data }
}

const PAUSE_MS = 500

const factsCall = (operatorKey: string, facts: readonly Fact[]) => ({
  headers: { ...bearer(operatorKey), 'content-type': 'application/json' },
  body: JSON.stringify(facts),
})

export type FactLoad = {
  readonly acknowledged: readonly Acknowledged[]
  /** Facts and requests of `write` and `writeMany` that the service rejected. There should be none. */
  readonly refused: readonly string[]
  /** Sends batches until `isOver`. Repeats a batch while its request gets 5xx or no response. */
  write(random: Random, pauseMs: number, isOver: () => boolean): Promise<void>
  /** Sends long requests one after the other, until `isOver`. Each request registers `count` people. */
  writeMany(count: number, isOver: () => boolean): Promise<void>
  /** Sends one fact once. Resolves to whether the response was 200. */
  probe(timeoutMs: number): Promise<boolean>
}

export function factLoad({ baseUrl, operatorKey, offering }: Stage, statuses: Statuses): FactLoad {
  const url = `${baseUrl}/platform/facts`
  const acknowledged: Acknowledged[] = []
  const refused: string[] = []
  function note(facts: readonly Fact[], { status, text }: Reply): void {
    if (status !== 200) {
      refused.push(`${status} ${text.slice(0, 300)}`)
      return
    }
    const { data } = JSON.parse(text) as { data: readonly Outcome[] }
    for (const [at, fact] of facts.entries()) {
      const outcome = data[at]
      if (outcome?.status === 'applied' || outcome?.status === 'duplicate') {
        acknowledged.push({ fact, events: outcome.events })
      } else refused.push(`${fact.type}: ${JSON.stringify(outcome)}`)
    }
  }
  return {
    acknowledged,
    refused,
    write: async (random, pauseMs, isOver) => {
      while (!isOver()) {
        const facts = storyOf(offering, random)
        const reply = await retryUntilAnswered(statuses, url, factsCall(operatorKey, facts), isOver)
        if (reply !== null) note(facts, reply)
        await wait(pauseMs / 2 + random.below(pauseMs))
      }
    },
    writeMany: async (count, isOver) => {
      while (!isOver()) {
        const facts = Array.from({ length: count }, () => registration())
        const reply = await retryUntilAnswered(
          statuses,
          url,
          { ...factsCall(operatorKey, facts), timeoutMs: 60_000 },
          isOver,
        )
        if (reply !== null) note(facts, reply)
        await wait(PAUSE_MS)
      }
    },
    probe: async (timeoutMs) => {
      const fact = registration()
      const reply = await call(statuses, url, { ...factsCall(operatorKey, [fact]), timeoutMs })
      if (reply.status === 200) note([fact], reply)
      return reply.status === 200
    },
  }
}

const BATCH = 500

/**
 * Sends every acknowledged fact again, and returns the lost ones. The service must report each fact as a duplicate, with the
 * same events as before. A fact that it lost would be applied now.
 */
export async function lostFacts(
  { baseUrl, operatorKey }: Stage,
  acknowledged: readonly Acknowledged[],
  statuses: Statuses,
): Promise<readonly string[]> {
  const lost: string[] = []
  for (let from = 0; from < acknowledged.length; from += BATCH) {
    const batch = acknowledged.slice(from, from + BATCH)
    const request = {
      ...factsCall(
        operatorKey,
        batch.map(({ fact }) => fact),
      ),
      timeoutMs: 60_000,
    }
    const reply = await retryUntilAnswered(statuses, `${baseUrl}/platform/facts`, request)
    const { data } = JSON.parse(reply?.text ?? '{}') as { data: readonly Outcome[] }
    for (const [at, { fact, events }] of batch.entries()) {
      const now = data[at]
      const isSame = now?.status === 'duplicate' && idsOf(now.events) === idsOf(events)
      if (!isSame) lost.push(`${fact.id} (${fact.type}) is now ${JSON.stringify(now)}, was ${JSON.stringify(events)}`)
    }
  }
  return lost
}

/** Sends all facts again in order, as the platform does after a restore. Returns each fact with the events of the new response. */
export async function resend(
  { baseUrl, operatorKey }: Stage,
  acknowledged: readonly Acknowledged[],
  statuses: Statuses,
): Promise<readonly Acknowledged[]> {
  const again: Acknowledged[] = []
  for (let from = 0; from < acknowledged.length; from += BATCH) {
    const facts = acknowledged.slice(from, from + BATCH).map(({ fact }) => fact)
    const request = { ...factsCall(operatorKey, facts), timeoutMs: 60_000 }
    const reply = await retryUntilAnswered(statuses, `${baseUrl}/platform/facts`, request)
    const { data } = JSON.parse(reply?.text ?? '{}') as { data: readonly Outcome[] }
    again.push(...facts.map((fact, at) => ({ fact, events: data[at]?.events ?? [] })))
  }
  return again
}

const idsOf = (events: Outcome['events']) =>
  events
    .map(({ id }) => id)
    .sort()
    .join()
