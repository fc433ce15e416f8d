import type pg from 'pg'
import { newId } from '../../server/src/kernel/ids.ts'
import type { Partner } from './partners.ts'

const BODY_BYTES = 2_048

const data = {
  id: newId('investment'),
  status: 'active',
  offering: newId('offering'),
  amounts: { committed: 250 },
  investor: { id: newId('user') },
  investor_totals: {
    active_investment_count: 1,
    total_committed: 250,
    latest_applied_at: '2026-11-01T12:00:00.000000Z',
    investor_status: 'active',
  },
}
/** Long enough for a body of two kilobytes: names are the variable part of events. */
const identity = { investor: { name: 'Ada '.repeat(360), email: 'ada@example.com' } }

/** A body of these events, as an endpoint receives it. */
export const BODY = JSON.stringify({
  id: newId('event'),
  event: 'investment.created',
  created_at: '2026-11-01T12:00:00.000000Z',
  mode: 'test',
  installation: { id: newId('installation'), target: { type: 'company', id: newId('company') } },
  data: { ...data, investor: { ...data.investor, name: identity.investor.name }, occurred_at: '2026-11-01T12:00:00Z' },
}).padEnd(BODY_BYTES)

/** Writes this many events for each partner in one transaction, like a batch of facts. Returns their ids. */
export async function writeEvents(
  client: pg.Client,
  partners: readonly Pick<Partner, 'company'>[],
  each: number,
): Promise<readonly string[]> {
  const rows = partners.flatMap(({ company }) => Array.from({ length: each }, () => [newId('event'), company] as const))
  const ids = rows.map(([id]) => id)
  await client.query(
    `with made as (
       insert into test.events (id, name, occurred_at, company_id, data, identity)
       select id, 'investment.created', now(), company, $3, $4 from unnest($1::text[], $2::text[]) as n (id, company)
       returning id)
     insert into test.event_queue (event_id) select id from made`,
    [ids, rows.map(([, company]) => company), JSON.stringify(data), JSON.stringify(identity)],
  )
  return ids
}

const LEFT = `select exists (select from test.event_queue) or exists (select from test.deferred_events)
                  or exists (select from test.delivery_parcels where endpoint_id = any($1))
                  or exists (select from test.delivery_queue where endpoint_id = any($1)) as left`
/** A long interval, because one poll costs the database as much as a few deliveries. */
const POLL_MS = 50

/** Waits until every event has been fanned out and every delivery to these partners is recorded as delivered. */
export async function untilRecorded(client: pg.Client, partners: readonly Partner[]): Promise<void> {
  const endpoints = partners.map(({ endpoint }) => endpoint)
  // Reads by index, because scans over rows that were just deleted took a tenth of the database's time.
  await client.query('set enable_seqscan = off')
  for (;;) {
    const { rows } = await client.query<{ left: boolean }>(LEFT, [endpoints])
    if (rows[0]?.left === false) return
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}
