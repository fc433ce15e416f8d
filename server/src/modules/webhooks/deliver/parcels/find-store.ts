import type { Version } from '#http/versions.ts'
import type { Id } from '#kernel/ids.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { shortStatement } from '#system/postgres/statement.ts'

export type FoundParcel = {
  readonly id: Id<'delivery'>
  readonly endpoint_id: Id<'webhookEndpoint'>
  readonly api_version: Version
  readonly delivery_ids: readonly Id<'delivery'>[]
  readonly event_ids: readonly Id<'event'>[]
  /** An empty text for none. */
  readonly installation_ids: readonly (Id<'installation'> | '')[]
}

/** A parcel is due from when it is made. Named as one of a list, so that only the lane's own index is in its order. */
const FIND = shortStatement<FoundParcel>(
  'webhooks.find_parcels',
  `select p.id::text as id, p.endpoint_id, p.api_version, p.delivery_ids, p.event_ids, p.installation_ids
     from jsonb_to_recordset($2::jsonb) as want (endpoint_id text collate "C", count integer, known text[])
     join webhook_lanes lane on lane.endpoint_id = want.endpoint_id
      and lane.owner = $1 and lane.state = 'enabled' and lane.lease_until > clock_timestamp()
     cross join lateral (
       select d.id, d.endpoint_id, d.api_version, d.delivery_ids, d.event_ids, d.installation_ids
         from delivery_parcels d
        where d.endpoint_id = any(array[want.endpoint_id]) and d.id::text <> all (want.known)
        order by d.endpoint_id, d.id limit want.count) p
    order by p.id`,
)

export type Searching = {
  readonly endpoint: Id<'webhookEndpoint'>
  readonly count: number
  /** Those that its owner has in hand. */
  readonly known: readonly Id<'delivery'>[]
}

/** The oldest of each lane. */
export async function findParcels(
  db: WorldDatabase,
  owner: string,
  searching: readonly Searching[],
): Promise<FoundParcel[]> {
  const wants = searching.map(({ endpoint, count, known }) => ({ endpoint_id: endpoint, count, known }))
  return db.short(FIND, [owner, JSON.stringify(wants)])
}
