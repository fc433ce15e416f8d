import type { Id } from '#kernel/ids.ts'
import { type InWorld, worldText } from '../in-world-store.ts'

type DeliveryId = Id<'delivery'>

const LOCK = worldText<{ id: DeliveryId }>(
  'webhooks.lock_queued',
  (schema) => `select id::text as id from ${schema}delivery_queue where id = any($1) order by id for update`,
)

/** In the order of ids, as everybody who takes several. Those that were still there. */
export async function lockQueued(here: InWorld, ids: readonly DeliveryId[]): Promise<DeliveryId[]> {
  return (await here.many(LOCK, [ids])).map(({ id }) => id)
}

const CANCEL = worldText(
  'webhooks.cancel_queued',
  (schema) => `
  with gone as (
    delete from ${schema}delivery_queue where id = any($1)
    returning id, endpoint_id, installation_id, event_id, api_version, created_at, clock_ahead, redelivery_of, attempts)
  insert into ${schema}delivery_history
    (id, endpoint_id, installation_id, event_id, api_version, state, reason, created_at, clock_ahead, ended_at,
     redelivery_of, attempts)
  select id, endpoint_id, installation_id, event_id, api_version, 'canceled', $2, created_at, clock_ahead,
         coalesce($3::timestamptz, (select ${schema}world_now())), redelivery_of, attempts
    from gone`,
)

export type Cancellation = {
  readonly reason: string
  /** World time; null for now. */
  readonly endedAt: string | null
}

/** Locked by whoever calls. What is being sent at this moment finds its row gone. */
export async function cancelQueued(
  here: InWorld,
  ids: readonly DeliveryId[],
  { reason, endedAt }: Cancellation,
): Promise<void> {
  if (ids.length > 0) await here.run(CANCEL, [ids, reason, endedAt])
}
