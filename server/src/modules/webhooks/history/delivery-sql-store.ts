import type { World } from '#kernel/world.ts'
import type { Delivery } from './delivery.ts'

/**
 * What waits lies in the queue, what has ended in the history; to whoever looks they are one list. It is read on a world's
 * own connection, where names are bare, and on the platform's, which names the schema.
 */
export type Schema = '' | `${World}.`

/** As the statement gives it: the attempts are JSON text. */
export type DeliveryRow = Omit<Delivery, 'attempts'> & { readonly attempts: string }

const SAME = 'd.event_id, d.installation_id, d.api_version, d.created_at, d.redelivery_of, d.attempts'

const waiting = (schema: Schema) => `
  select d.id::text collate "C" as id, ${SAME}, 'pending' as state, null::text as reason, d.due_at, null::timestamptz as ended_at
    from ${schema}delivery_queue d`

const ended = (schema: Schema) => `
  select d.id::text collate "C" as id, ${SAME}, d.state, d.reason, null::timestamptz as due_at, d.ended_at
    from ${schema}delivery_history d`

/** Conditions on alias d, of each of the two. */
export type Which = { readonly waiting: string; readonly ended: string }

/** A delivery moves from the one to the other in one statement, so that no look misses it or sees it twice. */
export const deliveriesText = (schema: Schema, which: Which) => `
  select d.id, d.event_id, e.name::text as event, d.installation_id, d.api_version, d.state, d.reason, d.created_at,
         d.due_at, d.ended_at, d.redelivery_of, d.attempts
    from ((${waiting(schema)} ${which.waiting}) union all (${ended(schema)} ${which.ended})) d
    left join ${schema}events e on e.id = d.event_id`

export function deliveryOf({ attempts, ...row }: DeliveryRow): Delivery {
  return { ...row, attempts: JSON.parse(attempts) as Delivery['attempts'] }
}
