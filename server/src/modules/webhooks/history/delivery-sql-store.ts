import { shownTime } from '#system/postgres/world-clock.ts'
import type { Schema } from '../in-world-store.ts'
import { membersOf, PARCEL_COLUMNS, parcelHolding } from '../parcels/members-sql-store.ts'
import { stopJoin } from '../stopping/stopped-sql-store.ts'
import type { Delivery } from './delivery.ts'

/** As the statement gives it: the attempts are JSON text. */
export type DeliveryRow = Omit<Delivery, 'attempts'> & { readonly attempts: string }

const SAME = `d.event_id, d.installation_id, d.api_version, ${shownTime('d', 'created_at')} as shown_at, d.redelivery_of, d.attempts`

/** What was stopped has ended, wherever it still lies. */
const waiting = (schema: Schema, source: string) => `
  select d.id::text collate "C" as id, ${SAME}, case when stop.reason is null then 'pending' else 'canceled' end as state, stop.reason,
         case when stop.reason is null then d.due_at end as due_at, stop.ended_at
    from ${source} d ${stopJoin(schema, 'd', 'stop')}`

const ended = (schema: Schema) => `
  select d.id::text collate "C" as id, ${SAME}, d.state, d.reason, null::timestamptz as due_at, d.ended_at
    from ${schema}delivery_history d`

/** Conditions on alias d: of what waits, in the queue or in one of these parcels, and of what has ended. */
export type Which = { readonly waiting: string; readonly parcels: string; readonly ended: string }

/**
 * To whoever looks they are one list. A delivery moves from one place to the other in one statement, so that no look misses
 * it or sees it twice.
 */
export const deliveriesText = (schema: Schema, which: Which) => `
  select d.id, d.event_id, e.name::text as event, d.installation_id, d.api_version, d.state, d.reason, d.shown_at as created_at,
         d.due_at, d.ended_at, d.redelivery_of, d.attempts
    from ((${waiting(schema, `${schema}delivery_queue`)} ${which.waiting})
          union all (${waiting(schema, `(${membersOf(which.parcels)})`)} ${which.waiting})
          union all (${ended(schema)} ${which.ended})) d
    left join ${schema}events e on e.id = d.event_id`

/** The delivery $2 of the endpoint $1. */
export const oneDelivery = (schema: Schema) => {
  const one = 'where d.endpoint_id = $1 and d.id = $2'
  return deliveriesText(schema, {
    waiting: one,
    parcels: `select ${PARCEL_COLUMNS} from ${parcelHolding(schema)}`,
    ended: one,
  })
}

export function deliveryOf({ attempts, ...row }: DeliveryRow): Delivery {
  return { ...row, attempts: JSON.parse(attempts) as Delivery['attempts'] }
}
