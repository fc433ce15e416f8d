import { residentMib } from '../processes.ts'
import type { Bench } from '../service.ts'
import { untilRecorded, writeEvents } from './events.ts'
import type { Partner } from './partners.ts'

const CHUNK = 5_000
const POLL_MS = 100

export type Drained = {
  readonly deliveries: number
  readonly ms: number
  readonly beforeMib: number
  readonly mostMib: number
}

/** Queues deliveries to disabled endpoints, enables the endpoints, and measures time and memory until all are delivered. */
export async function measureDrain(
  { client, pid }: Bench,
  partners: readonly Partner[],
  count: number,
): Promise<Drained> {
  const endpoints = partners.map(({ endpoint }) => endpoint)
  await setState(client, endpoints, 'disabled')
  for (let written = 0; written < count; written += CHUNK) await writeEvents(client, partners, CHUNK / partners.length)
  for (let left = true; left; ) {
    const { rows } = await client.query<{ left: boolean }>('select exists (select from test.event_queue) as left')
    left = rows[0]?.left ?? false
  }
  await client.query('vacuum analyze test.delivery_queue')
  const beforeMib = residentMib(pid)
  let mostMib = beforeMib
  const watch = setInterval(() => {
    mostMib = Math.max(mostMib, residentMib(pid))
  }, POLL_MS)
  const startedAt = performance.now()
  await setState(client, endpoints, 'enabled')
  await untilRecorded(client, partners)
  clearInterval(watch)
  return { deliveries: count, ms: performance.now() - startedAt, beforeMib, mostMib }
}

async function setState(client: Bench['client'], endpoints: readonly string[], state: 'enabled' | 'disabled') {
  await client.query(
    `update platform.webhook_endpoints
        set state = $2, disabled_reason = case when $2 = 'disabled' then 'failing' end where id = any($1)`,
    [endpoints, state],
  )
  await client.query(
    `update test.webhook_lanes set state = $2, by_id = $2 = 'enabled', slots = 1, next_due_at = test.world_now()
      where endpoint_id = any($1)`,
    [endpoints, state],
  )
}
