import type { Id } from '#kernel/ids.ts'
import { type InWorld, worldText } from '../in-world-store.ts'
import type { Stop, StopReason } from './stop.ts'

type DeliveryId = Id<'delivery'>

/** By what a stop knows its deliveries; each has its index. */
export const STOPPED_COLUMN = { installation_revoked: 'installation_id', endpoint_removed: 'endpoint_id' } as const

const pick = (reason: StopReason) =>
  worldText<{ id: DeliveryId }>(
    `webhooks.pick_${reason}`,
    (schema) => `
    select few.id from unnest($1::text[]) as stopped (id)
     cross join lateral (
       select d.id::text as id from ${schema}delivery_queue d where d.${STOPPED_COLUMN[reason]} = stopped.id
        order by d.id limit $2) few
     limit $2`,
  )

const PICK = { installation_revoked: pick('installation_revoked'), endpoint_removed: pick('endpoint_removed') }

/** Some of what is queued for them. Nobody can queue more meanwhile: whoever does holds what was stopped. */
export async function pickQueued(here: InWorld, { reason, ids }: Stop, limit: number): Promise<DeliveryId[]> {
  return (await here.many(PICK[reason], [ids, limit])).map(({ id }) => id)
}

const INSERT = worldText(
  'webhooks.insert_stops',
  (schema) => `
  insert into ${schema}delivery_stops (stopped_id, reason, rows_left, ended_at)
  select stopped.id, $2, $3, ${schema}world_now() from unnest($1::text[]) as stopped (id)`,
)

export async function insertStops(here: InWorld, { reason, ids }: Stop, rowsLeft: boolean): Promise<void> {
  await here.run(INSERT, [ids, reason, rowsLeft])
}
