import type { Id } from '#kernel/ids.ts'
import { inEach, type World } from '#kernel/world.ts'
import type { PlatformTx, Tx } from '#system/postgres/database.ts'
import {
  type PlatformStatement,
  platformStatement,
  type SqlValue,
  statement,
  type WorldStatement,
} from '#system/postgres/statement.ts'

/**
 * A world's tables are used on the world's own connection, with bare names, and on the platform's connection, with the
 * schema. `worldText` makes both statements from one text.
 */
export type Schema = '' | `${World}.`

export type WorldText<Row> = {
  readonly own: WorldStatement<Row>
  readonly named: Readonly<Record<World, PlatformStatement<Row>>>
}

export function worldText<Row = never>(name: string, text: (schema: Schema) => string): WorldText<Row> {
  return {
    own: statement<Row>(name, text('')),
    named: inEach((world) => platformStatement<Row>(`${name}_${world}`, text(`${world}.`))),
  }
}

type Values = readonly SqlValue[]

/** A transaction in one world, on the world's or the platform's connection. */
export type InWorld = {
  many<Row>(text: WorldText<Row>, values: Values): Promise<Row[]>
  run(text: WorldText<never>, values: Values): Promise<number>
}

export const ownWorld = (tx: Tx): InWorld => ({
  many: ({ own }, values) => tx.many(own, values),
  run: ({ own }, values) => tx.run(own, values),
})

export const fromPlatform = (tx: PlatformTx, world: World): InWorld => ({
  many: ({ named }, values) => tx.many(named[world], values),
  run: ({ named }, values) => tx.run(named[world], values),
})

type EndpointId = Id<'webhookEndpoint'>

const LOCK = worldText<{ endpoint_id: EndpointId }>(
  'webhooks.lock_lanes',
  (schema) => `select endpoint_id from ${schema}webhook_lanes
    where endpoint_id = any($1) order by endpoint_id for no key update`,
)

/** Lock order: endpoints, lanes, queue; each in the order of ids. */
export async function lockLanes(here: InWorld, endpoints: readonly EndpointId[]): Promise<void> {
  await here.many(LOCK, [endpoints])
}

/** The columns that `membersOf` needs. */
export const DELIVERY_BATCH_COLUMNS =
  'p.endpoint_id, p.api_version, p.created_at, p.clock_ahead, p.due_at, p.delivery_ids, p.event_ids, p.installation_ids'

/** The members of delivery batches in the form of queue rows. `deliveryBatches` is a query that selects DELIVERY_BATCH_COLUMNS. */
export const membersOf = (deliveryBatches: string) => `
  select m.id collate "C" as id, p.endpoint_id, nullif(m.installation_id, '') collate "C" as installation_id,
         m.event_id collate "C" as event_id, p.api_version, 0::smallint as attempt, p.due_at, p.created_at, p.clock_ahead,
         null::text collate "C" as redelivery_of, '[]'::jsonb as attempts
    from (${deliveryBatches}) p
   cross join lateral unnest(p.delivery_ids, p.event_ids, p.installation_ids) as m (id, event_id, installation_id)`

/** The delivery batch of endpoint $1 that contains delivery $2. A delivery batch has the id of its last member. */
export const deliveryBatchHolding = (schema: Schema) => `${schema}delivery_parcels p
  where p.endpoint_id = $1 and p.id >= $2 and p.delivery_ids[1] <= $2 and $2 = any(p.delivery_ids)`

type DeliveryId = Id<'delivery'>

/**
 * Locks delivery batches in the order of ids, and before rows of the queue, as everywhere. A second caller finds no
 * rows and changes nothing. Members keep their ids, so that outcomes can be recorded on their rows.
 */
const OPEN = worldText(
  'webhooks.open_delivery_batches',
  (schema) => `
  with held as materialized (
    select id from ${schema}delivery_parcels where id = any($1) order by id for update),
  gone as (
    delete from ${schema}delivery_parcels where id = any(array(select id from held))
    returning endpoint_id, api_version, created_at, clock_ahead, due_at, delivery_ids, event_ids, installation_ids)
  insert into ${schema}delivery_queue (id, endpoint_id, installation_id, event_id, api_version, created_at,
                                       clock_ahead, due_at)
  select member.id, gone.endpoint_id, nullif(member.installation_id, ''), member.event_id, gone.api_version,
         gone.created_at, gone.clock_ahead, gone.due_at
    from gone cross join lateral unnest(gone.delivery_ids, gone.event_ids, gone.installation_ids)
           as member (id, event_id, installation_id)`,
)

/** Moves the members of delivery batches into the queue. */
export async function openDeliveryBatches(here: InWorld, ids: readonly DeliveryId[]): Promise<void> {
  if (ids.length > 0) await here.run(OPEN, [ids])
}

const HOLDING = worldText<{ id: DeliveryId }>(
  'webhooks.delivery_batch_holding',
  (schema) => `select p.id::text as id from ${deliveryBatchHolding(schema)}`,
)

/** Opens the delivery batch that contains the delivery, if there is one. */
export async function openAround(
  here: InWorld,
  { endpoint, delivery }: { readonly endpoint: Id<'webhookEndpoint'>; readonly delivery: DeliveryId },
): Promise<void> {
  const found = await here.many(HOLDING, [endpoint, delivery])
  await openDeliveryBatches(
    here,
    found.map(({ id }) => id),
  )
}
