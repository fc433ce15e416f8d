import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

/**
 * A delivery that was never tried can be in the queue or in a delivery batch. Tests run with both forms, because the
 * same rules apply to both.
 */
export const FORMS = ['in the queue', 'in delivery batches'] as const
export type Form = (typeof FORMS)[number]

const PACK = statement(
  'webhooks.testing_pack',
  `with gone as (
     delete from delivery_queue
      where ($2::text[] is null or event_id = any($2)) and attempt = 0 and redelivery_of is null
     returning id, endpoint_id, installation_id, event_id, api_version, created_at, clock_ahead, due_at),
   placed as (
     select id, endpoint_id, installation_id, event_id, api_version, created_at, clock_ahead, due_at,
            (row_number() over (partition by endpoint_id, api_version order by id) - 1) / $1::int as nth
       from gone)
   insert into delivery_parcels
     (id, endpoint_id, api_version, created_at, clock_ahead, due_at, delivery_ids, event_ids, installation_ids)
   select max(id::text), endpoint_id, api_version, min(created_at), min(clock_ahead), min(due_at), array_agg(id::text order by id),
          array_agg(event_id order by id), array_agg(coalesce(installation_id, '') order by id)
     from placed group by endpoint_id, api_version, nth`,
)

/**
 * Packs the queued deliveries of these events (null: of all) into delivery batches. Must run in the transaction that
 * queued them, before a worker can send them.
 */
export async function packAll(tx: Tx, events: readonly Id<'event'>[] | null, size = 64): Promise<void> {
  await tx.run(PACK, [size, events])
}

/** The waiting deliveries of the test world, in the queue or in delivery batches, with the columns of the queue. */
export const WAITING = `(
  select id::text as id, endpoint_id, installation_id, event_id, attempt, due_at, redelivery_of from test.delivery_queue
  union all
  select m.id, p.endpoint_id, nullif(m.installation_id, ''), m.event_id, 0, p.due_at, null
    from test.delivery_parcels p
   cross join lateral unnest(p.delivery_ids, p.event_ids, p.installation_ids) as m (id, event_id, installation_id))`
