import type { Id } from '#kernel/ids.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

/** How an endpoint fared since it was last told. */
export type Health = {
  readonly endpoint: Id<'webhookEndpoint'>
  /** Of the last attempt. */
  readonly status: string
  readonly isFailing: boolean
  /** There was a success among them: what failed before it is over. */
  readonly succeeded: boolean
}

/** "failing_since": the first failure since the last success. */
const SET_HEALTH = statement(
  'webhooks.set_lane_health',
  `with told as (
     select t.endpoint_id, t.status, t.failing, t.succeeded
       from jsonb_to_recordset($1::jsonb)
              as t (endpoint_id text collate "C", status text, failing boolean, succeeded boolean)),
   held as materialized (
     select l.endpoint_id from webhook_lanes l
      where l.endpoint_id in (select told.endpoint_id from told) order by l.endpoint_id for no key update)
   update webhook_lanes l
      set last_delivery_at = world_now(), last_delivery_status = told.status,
          failing_since = case when not told.failing then null
                               when told.succeeded then world_now() else coalesce(l.failing_since, world_now()) end,
          failing_told = case when told.succeeded then 0 else l.failing_told end
     from held, told where l.endpoint_id = held.endpoint_id and told.endpoint_id = held.endpoint_id`,
)

export async function setHealth(db: WorldDatabase, all: readonly Health[]): Promise<void> {
  const rows = all.map(({ endpoint, status, isFailing, succeeded }) => ({
    endpoint_id: endpoint,
    status,
    failing: isFailing,
    succeeded,
  }))
  await db.reads.run(SET_HEALTH, [JSON.stringify(rows)])
}
