import type { Schema } from '../in-world-store.ts'

/** What `membersOf` looks at. */
export const PARCEL_COLUMNS =
  'p.endpoint_id, p.api_version, p.created_at, p.clock_ahead, p.due_at, p.delivery_ids, p.event_ids, p.installation_ids'

/** Every delivery of some parcels, as if each were a row of the queue; `parcels` selects their columns. */
export const membersOf = (parcels: string) => `
  select m.id collate "C" as id, p.endpoint_id, nullif(m.installation_id, '') collate "C" as installation_id,
         m.event_id collate "C" as event_id, p.api_version, 0::smallint as attempt, p.due_at, p.created_at, p.clock_ahead,
         null::text collate "C" as redelivery_of, '[]'::jsonb as attempts
    from (${parcels}) p
   cross join lateral unnest(p.delivery_ids, p.event_ids, p.installation_ids) as m (id, event_id, installation_id)`

/** The one of the endpoint $1 that holds the delivery $2, if any does: a parcel has the id of its last. */
export const parcelHolding = (schema: Schema) => `${schema}delivery_parcels p
  where p.endpoint_id = $1 and p.id >= $2 and p.delivery_ids[1] <= $2 and $2 = any(p.delivery_ids)`
