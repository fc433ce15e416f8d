import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import { clockAhead } from '#system/postgres/world-clock.ts'
import { ownWorld } from '../in-world-store.ts'
import { lockLanes } from '../lanes/lock-store.ts'
import type { Due } from './deliveries-of.ts'
import { type Named, named } from './pack.ts'

/** An empty text stands for no installation: the driver's arrays hold no nulls. */
const INSERT = statement(
  'webhooks.queue_deliveries',
  `insert into delivery_queue (id, event_id, installation_id, endpoint_id, api_version, due_at, clock_ahead)
   select id, event_id, nullif(installation_id, ''), endpoint_id, api_version, (select world_now()), ${clockAhead('')}
     from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
       as due (id, event_id, installation_id, endpoint_id, api_version)`,
)

const INSERT_CANCELED = statement(
  'webhooks.tell_canceled',
  `insert into delivery_history (id, event_id, installation_id, endpoint_id, api_version, state, reason, created_at,
                                 clock_ahead, ended_at)
   select id, event_id, nullif(installation_id, ''), endpoint_id, api_version, 'canceled', reason, clock_timestamp(),
          ${clockAhead('')}, (select world_now())
     from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
       as over (id, event_id, installation_id, endpoint_id, api_version, reason)`,
)

/** Rows at once: a large batch must not hold up everything else that this thread does. */
const ROWS = 500

export async function queueDeliveries(tx: Tx, due: readonly Named[]): Promise<void> {
  for (const some of slices(due)) await tx.run(INSERT, columnsOf(some))
}

/** The ids of all of a parcel in one text: the driver knows arrays, and none of arrays. */
const INSERT_PARCELS = statement(
  'webhooks.queue_parcels',
  `insert into delivery_parcels (id, endpoint_id, api_version, delivery_ids, event_ids, installation_ids, due_at,
                                 clock_ahead)
   select id, endpoint_id, api_version, string_to_array(delivery_ids, ','), string_to_array(event_ids, ','),
          string_to_array(installation_ids, ','), (select world_now()), ${clockAhead('')}
     from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
       as parcel (id, endpoint_id, api_version, delivery_ids, event_ids, installation_ids)`,
)

export async function queueParcels(tx: Tx, parcels: readonly (readonly Named[])[]): Promise<void> {
  if (parcels.length > 0) await tx.run(INSERT_PARCELS, parcelColumns(parcels))
}

function parcelColumns(parcels: readonly (readonly Named[])[]): (readonly string[])[] {
  const lasts = parcels.flatMap((parcel) => parcel.slice(-1))
  const each = (of: (one: Named) => string) => parcels.map((parcel) => parcel.map(of).join(','))
  return [
    lasts.map(({ id }) => id),
    lasts.map(({ endpoint }) => endpoint),
    lasts.map(({ version }) => version),
    each(({ id }) => id),
    each(({ event }) => event),
    each(({ installation }) => installation ?? ''),
  ]
}

/** Of these, what is over before it began: it stands in the history alone. */
export async function tellCanceled(tx: Tx, made: readonly Due[]): Promise<void> {
  const over = named(made.filter(({ canceled }) => canceled !== null))
  for (const some of slices(over)) {
    await tx.run(INSERT_CANCELED, [...columnsOf(some), some.map(({ canceled }) => canceled ?? '')])
  }
}

function slices(all: readonly Named[]): (readonly Named[])[] {
  return Array.from({ length: Math.ceil(all.length / ROWS) }, (_, nth) => all.slice(nth * ROWS, (nth + 1) * ROWS))
}

function columnsOf(due: readonly Named[]): (readonly string[])[] {
  return [
    due.map(({ id }) => id),
    due.map(({ event }) => event),
    due.map(({ installation }) => installation ?? ''),
    due.map(({ endpoint }) => endpoint),
    due.map(({ version }) => version),
  ]
}

const WAKE_LANES = statement(
  'webhooks.wake_lanes',
  `update webhook_lanes set next_due_at = world_now()
    where endpoint_id = any($1) and (next_due_at is null or next_due_at > world_now())`,
)

/**
 * Locked even where nothing has to be written: whoever is about to put a lane to sleep either sees these deliveries or
 * is seen to have done so. The last locks of fan-out, because a lane's owner waits for them.
 */
export async function wakeLanes(tx: Tx, endpoints: readonly Id<'webhookEndpoint'>[]): Promise<void> {
  if (endpoints.length === 0) return
  await lockLanes(ownWorld(tx), endpoints)
  await tx.run(WAKE_LANES, [endpoints])
}
