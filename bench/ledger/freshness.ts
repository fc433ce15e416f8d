import { setTimeout as wait } from 'node:timers/promises'
import { lane } from '../fact-mix.ts'
import type { Service } from '../service.ts'
import { PER_PAGE } from './pages.ts'

const EVERY_MS = 100
const PER_BATCH = 30

type Page = {
  readonly data: readonly { readonly id: string }[]
  readonly meta: { readonly next_cursor: string; readonly mode: string; readonly has_more: boolean }
}

/** Milliseconds from reporting an investment (before the request is sent) to its first appearance in sync. */
export type Freshness = { readonly ms: readonly number[]; readonly facts: number; readonly tookMs: number }

export type Feed = { readonly key: string; readonly token: string; readonly seconds: number }

/** Sends the facts that a company needs before people can invest in it. */
export async function sendPrerequisites({ address }: Service, key: string): Promise<ReturnType<typeof lane>> {
  const lives = lane(0, Date.now() - 3_600_000)
  await post(address, key, lives.prerequisites)
  return lives
}

/** Sends 300 facts a second for a while. Meanwhile a partner syncs, and waits 10 ms whenever no further page exists. */
export async function measureFreshness(
  service: Service,
  lives: ReturnType<typeof lane>,
  { key, token, seconds }: Feed,
): Promise<Freshness> {
  const sentAtById = new Map<string, number>()
  const ms: number[] = []
  const feed = { isOver: false }
  const see = (id: string) => {
    const at = sentAtById.get(id)
    if (at !== undefined) ms.push(performance.now() - at)
    sentAtById.delete(id)
  }
  const reading = readOn(service, token, { isOver: () => feed.isOver && sentAtById.size === 0, see })
  const startedAt = performance.now()
  let facts = 0
  for (let batch = 0; performance.now() - startedAt < seconds * 1_000; batch++) {
    const some = [...lives.facts(PER_BATCH)]
    const sentAt = performance.now()
    for (const { type, data } of some) {
      if (type === 'investment.created') sentAtById.set(String(data['id']), sentAt)
      // A canceled investment is not awaited: sync never returns its id if it is canceled before it is published.
      if (type === 'investment.canceled') sentAtById.delete(String(data['id']))
    }
    await post(service.address, key, some)
    facts += some.length
    await wait(Math.max(0, startedAt + (batch + 1) * EVERY_MS - performance.now()))
  }
  const tookMs = performance.now() - startedAt
  feed.isOver = true
  await reading
  return { ms, facts, tookMs }
}

type Reading = { readonly isOver: () => boolean; readonly see: (id: string) => void }

/** Reading fails if sync has not returned every awaited investment within this time. */
const AT_MOST_MS = 120_000

async function readOn({ address }: Service, token: string, { isOver, see }: Reading): Promise<void> {
  const startedAt = performance.now()
  let cursor = ''
  while (!isOver()) {
    if (performance.now() - startedAt > AT_MOST_MS)
      throw new Error('sync did not return an investment that was reported')
    const response = await fetch(`${address}/investments?per_page=${PER_PAGE * 4}${cursor}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    if (response.status !== 200) throw new Error(`sync answered ${response.status}: ${await response.text()}`)
    const { data, meta } = (await response.json()) as Page
    for (const { id } of data) see(id)
    cursor = `&cursor=${meta.next_cursor}`
    if (!meta.has_more) await wait(10)
  }
}

async function post(address: string, key: string, facts: readonly object[]): Promise<void> {
  const response = await fetch(`${address}/platform/facts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(facts),
  })
  const { meta } = (await response.json()) as { meta?: { applied: number } }
  if (meta?.applied !== facts.length) throw new Error(`not every fact was applied: ${JSON.stringify(meta)}`)
}
