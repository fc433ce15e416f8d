import type { Id } from '#kernel/ids.ts'
import { type InWorld, type Schema, worldText } from '../in-world-store.ts'
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

/** An installation's lie with the endpoints of its app, and it is one of many that they name. */
const PARCELS_OF: Readonly<Record<StopReason, (schema: Schema) => string>> = {
  installation_revoked: (schema) => `
    ${schema}installations i
      join platform.webhook_endpoints w on w.app_id = i.app_id
      join ${schema}delivery_parcels p on p.endpoint_id = w.id and i.id::text = any(p.installation_ids)
     where i.id = any($1)`,
  endpoint_removed: (schema) => `${schema}delivery_parcels p where p.endpoint_id = any($1)`,
}

const pickParcels = (reason: StopReason) =>
  worldText<{ id: DeliveryId }>(
    `webhooks.pick_parcels_${reason}`,
    (schema) => `
    select distinct p.id::text as id from ${PARCELS_OF[reason](schema)}
       and ($2::timestamptz is null or p.created_at <= $2)
     order by id limit $3`,
  )

const PICK_PARCELS = {
  installation_revoked: pickParcels('installation_revoked'),
  endpoint_removed: pickParcels('endpoint_removed'),
}

type Stopped = { readonly reason: StopReason; readonly ids: readonly string[] }

/** How many are looked for, and of which time at the latest; null for all there are. */
export type Few = { readonly limit: number; readonly until: string | null }

/** Some of the parcels in which something for them lies. */
export async function findParcelsOf(
  here: InWorld,
  { reason, ids }: Stopped,
  { limit, until }: Few,
): Promise<DeliveryId[]> {
  return (await here.many(PICK_PARCELS[reason], [ids, until, limit])).map(({ id }) => id)
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
