import { setTimeout as wait } from 'node:timers/promises'
import type { Acknowledged } from './facts.ts'
import { bearer, retryUntilAnswered, type Statuses } from './http.ts'
import { deliveryKey, type Receiver } from './receiver.ts'
import type { Stage } from './stage.ts'

type ListedEvent = {
  readonly id: string
  readonly attributes: { readonly installation_id: string | null; readonly created_at: string }
}
type Page = { readonly data: readonly ListedEvent[]; readonly meta: { readonly next_cursor: string | null } }

/** The deliveries that the endpoint must receive: events of acknowledged facts about investments, and events of the app's list. */
async function entitledDeliveries(
  { baseUrl, teamToken, installation, endpointSince }: Stage,
  acknowledged: readonly Acknowledged[],
  statuses: Statuses,
): Promise<ReadonlySet<string>> {
  const keys = acknowledged
    .flatMap(({ events }) => events)
    .filter(({ event }) => event.startsWith('investment.'))
    .map(({ id }) => deliveryKey(id, installation))
  for (let cursor: string | null = ''; cursor !== null; ) {
    const path = `/events?types=investment.*&per_page=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`
    const reply = await retryUntilAnswered(statuses, baseUrl + path, { headers: bearer(teamToken), timeoutMs: 30_000 })
    if (reply?.status !== 200) throw new Error(`GET ${path}: ${reply?.status} ${reply?.text}`)
    const page: Page = JSON.parse(reply.text)
    // The list also has events from before the endpoint was created, such as those of the demo.
    const since = page.data.filter(({ attributes }) => attributes.created_at >= endpointSince)
    keys.push(...since.map(({ id, attributes }) => deliveryKey(id, attributes.installation_id)))
    cursor = page.meta.next_cursor
  }
  return new Set(keys)
}

/** Long enough for retries, which follow a failed attempt within minutes. */
const PATIENCE_MS = 600_000
const POLL_MS = 2_000

export type Delivered = { readonly entitled: number; readonly missing: readonly string[] }

/** Waits until the endpoint has received every delivery that it is entitled to. Deliveries that are missing at the deadline are lost. */
export async function missingDeliveries(
  stage: Stage,
  acknowledged: readonly Acknowledged[],
  { receiver, statuses }: { readonly receiver: Receiver; readonly statuses: Statuses },
): Promise<Delivered> {
  const deadline = performance.now() + PATIENCE_MS
  for (let previous = -1; ; ) {
    const entitled = await entitledDeliveries(stage, acknowledged, statuses)
    const missing = [...entitled].filter((key) => !receiver.received.has(key))
    // The publisher records events too, so the wait ends only when a second reading lists no further event.
    if (missing.length === 0 && entitled.size === previous) return { entitled: entitled.size, missing }
    if (performance.now() > deadline) return { entitled: entitled.size, missing }
    previous = entitled.size
    await wait(POLL_MS)
  }
}
