import { type Id, newId } from '#kernel/ids.ts'
import { inEach, type World } from '#kernel/world.ts'
import type { PlatformTx, Tx, WorldQueries } from '#system/postgres/database.ts'
import { platformStatement, statement } from '#system/postgres/statement.ts'
import { shownTime, worldTime } from '#system/postgres/world-clock.ts'
import { EVENT_JOINS, PROJECTED_COLUMNS, type ProjectedRow, receiverJoins } from '../projection/projected-store.ts'
import { isStopped, someStopped, stopJoin } from '../queue/stop-store.ts'
import { DELIVERY_BATCH_COLUMNS, deliveryBatchHolding, membersOf, type Schema } from '../queue/store.ts'
import type { Delivery, DeliveryState } from './delivery.ts'

/** Only the owner of the tables may create and drop partitions, and a world's role does not own them. */
const TURN = platformStatement<{ turned: number }>(
  'webhooks.turn_delivery_history',
  'select platform.turn_delivery_history($1, make_interval(days => $2)) as turned',
)

/** Lets one worker at a time create and drop partitions, because two workers would create the same partition. */
const LOCK_TURN = platformStatement<{ locked: string }>(
  'webhooks.lock_history_turn',
  `select pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtext('portico delivery history'))::text as locked`,
)

export async function turnPartitions(tx: PlatformTx, world: World, days: number): Promise<number> {
  await tx.one(LOCK_TURN)
  return (await tx.one(TURN, [world, days])).turned
}

const DELETE_STRAYS = statement(
  'webhooks.delete_stray_history',
  `delete from delivery_history_rest
    where ctid = any (array(select ctid from delivery_history_rest
                             where ended_at < world_now() - make_interval(days => $1) limit $2))`,
)

export async function deleteStrays(tx: Tx, days: number, limit: number): Promise<number> {
  return tx.run(DELETE_STRAYS, [days, limit])
}

/** A delivery as the statement returns it, with its attempts as JSON text. */
export type DeliveryRow = Omit<Delivery, 'attempts'> & { readonly attempts: string }

const SAME = `d.event_id, d.installation_id, d.api_version, ${shownTime('d', 'created_at')} as shown_at, d.redelivery_of, d.attempts`

/** A stopped delivery is shown as canceled, even while it is still in the queue. */
export const waitingDeliveries = (schema: Schema, source: string) => `
  select d.id::text collate "C" as id, ${SAME}, case when stop.reason is null then 'pending' else 'canceled' end as state, stop.reason,
         case when stop.reason is null then d.due_at end as due_at, stop.ended_at
    from ${source} d ${stopJoin(schema, 'd', 'stop')}`

export const endedDeliveries = (schema: Schema) => `
  select d.id::text collate "C" as id, ${SAME}, d.state, d.reason, null::timestamptz as due_at, d.ended_at
    from ${schema}delivery_history d`

/**
 * `waiting` and `ended`: conditions on the alias d, for waiting and for ended deliveries. `deliveryBatches` selects the
 * delivery batches; their members are waiting deliveries.
 */
type Which = { readonly waiting: string; readonly deliveryBatches: string; readonly ended: string }

/**
 * Queue, delivery batches and history as one list. A delivery moves between them in one statement, so no query misses it or
 * sees it twice.
 */
const deliveriesText = (schema: Schema, which: Which) => `
  select d.id, d.event_id, e.name::text as event, d.installation_id, d.api_version, d.state, d.reason, d.shown_at as created_at,
         d.due_at, d.ended_at, d.redelivery_of, d.attempts
    from ((${waitingDeliveries(schema, `${schema}delivery_queue`)} ${which.waiting})
          union all (${waitingDeliveries(schema, `(${membersOf(which.deliveryBatches)})`)} ${which.waiting})
          union all (${endedDeliveries(schema)} ${which.ended})) d
    left join ${schema}events e on e.id = d.event_id`

/** The delivery $2 of the endpoint $1. */
const oneDelivery = (schema: Schema) => {
  const one = 'where d.endpoint_id = $1 and d.id = $2'
  return deliveriesText(schema, {
    waiting: one,
    deliveryBatches: `select ${DELIVERY_BATCH_COLUMNS} from ${deliveryBatchHolding(schema)}`,
    ended: one,
  })
}

export function deliveryOf({ attempts, ...row }: DeliveryRow): Delivery {
  return { ...row, attempts: JSON.parse(attempts) as Delivery['attempts'] }
}

type EndpointId = Id<'webhookEndpoint'>

const OLDER = 'where d.endpoint_id = $1 and ($2::text is null or d.id < $2)'
const FEW = 'order by d.id desc limit $3'

/**
 * Selects enough delivery batches for a page. A delivery batch has the id of its last member, so the first $3 delivery
 * batches before the cursor contain the newest members. Delivery batches that begin before the cursor and end after it
 * are added. If members may be skipped because they were stopped, all delivery batches are selected.
 */
const DELIVERY_BATCHES = `
  (select ${DELIVERY_BATCH_COLUMNS} from delivery_parcels p
    where p.endpoint_id = $1 and ($2::text is null or p.id < $2)
    order by p.id desc limit case when not ${someStopped('')} then $3::bigint end)
  union all
  (select ${DELIVERY_BATCH_COLUMNS} from delivery_parcels p
    where p.endpoint_id = $1 and p.id >= $2 and p.delivery_ids[1] < $2)`

const LIST = statement<DeliveryRow>(
  'webhooks.list_deliveries',
  `${deliveriesText('', {
    waiting: `${OLDER} and ($4::text is null or ($4 = 'pending') <> ${isStopped('', 'd')})
                and ($4 is null or $4 = 'pending' or ($4 = 'canceled' and ${someStopped('')})) ${FEW}`,
    deliveryBatches: DELIVERY_BATCHES,
    ended: `${OLDER} and ($4::text is null or d.state = $4) ${FEW}`,
  })} ${FEW}`,
)

type DeliveriesPage = {
  readonly before: string | null
  readonly limit: number
  /** Null for all states. */
  readonly state: DeliveryState | null
}

/** Returns the newest deliveries first. */
export async function listDeliveries(
  queries: WorldQueries,
  endpoint: EndpointId,
  { before, limit, state }: DeliveriesPage,
): Promise<Delivery[]> {
  return (await queries.many(LIST, [endpoint, before, limit, state])).map(deliveryOf)
}

const FIND = statement<DeliveryRow>('webhooks.find_delivery', oneDelivery(''))

export async function findDelivery(
  queries: WorldQueries,
  endpoint: EndpointId,
  id: Id<'delivery'>,
): Promise<Delivery | null> {
  const row = await queries.maybeOne(FIND, [endpoint, id])
  return row === null ? null : deliveryOf(row)
}

const PROJECTED = statement<ProjectedRow>(
  'webhooks.project_one_delivery',
  `select ${PROJECTED_COLUMNS}
     from (select $1::text collate "C" as endpoint_id, $2::text collate "C" as event_id,
                  $3::text collate "C" as installation_id, $4::text as api_version) q
          ${receiverJoins('q')} ${EVENT_JOINS}`,
)

type Sent = Pick<Delivery, 'event_id' | 'installation_id' | 'api_version'>

/** The current data that decides what would be sent to the endpoint. */
export async function findProjected(
  queries: WorldQueries,
  endpoint: EndpointId,
  delivery: Sent,
): Promise<ProjectedRow> {
  const { event_id, installation_id, api_version } = delivery
  return queries.one(PROJECTED, [endpoint, event_id, installation_id, api_version])
}

type DeliveryId = Id<'delivery'>

type Lane = { readonly id: EndpointId; readonly world: World }

const WAKE_LANE = inEach((world) =>
  platformStatement(
    `webhooks.wake_lane_to_redeliver_${world}`,
    `update ${world}.webhook_lanes set next_due_at = least(next_due_at, ${world}.world_now()) where endpoint_id = $1`,
  ),
)

export async function wakeLane(tx: PlatformTx, { id, world }: Lane): Promise<void> {
  await tx.run(WAKE_LANE[world], [id])
}

const FIND_IN_WORLD = inEach((world) =>
  platformStatement<DeliveryRow>(`webhooks.find_delivery_${world}`, oneDelivery(`${world}.`)),
)

export async function findDeliveryIn(tx: PlatformTx, { id, world }: Lane, delivery: DeliveryId) {
  const row = await tx.maybeOne(FIND_IN_WORLD[world], [id, delivery])
  return row === null ? null : deliveryOf(row)
}

const SEND_NOW = inEach((world) =>
  platformStatement<{ id: DeliveryId }>(
    `webhooks.send_now_${world}`,
    `update ${world}.delivery_queue q set due_at = least(q.due_at, ${world}.world_now())
      where q.endpoint_id = $1 and (q.id = $2 or q.redelivery_of = $2) and not ${isStopped(`${world}.`, 'q')}
     returning q.id::text as id`,
  ),
)

/** Makes the waiting delivery, or its waiting redelivery, due now. Null if neither waits. */
export async function sendWaitingNow(tx: PlatformTx, { id, world }: Lane, delivery: DeliveryId) {
  const [waiting] = await tx.many(SEND_NOW[world], [id, delivery])
  return waiting?.id ?? null
}

const INSERT = inEach((world) =>
  platformStatement(
    `webhooks.queue_again_${world}`,
    `insert into ${world}.delivery_queue (id, endpoint_id, event_id, installation_id, api_version, redelivery_of)
     select id, $1, event_id, installation_id, api_version, redelivery_of
       from pg_catalog.jsonb_to_recordset($2::jsonb)
         as again (id text, event_id text, installation_id text, api_version text, redelivery_of text)`,
  ),
)

type Again = Pick<Delivery, 'id' | 'event_id' | 'installation_id' | 'api_version'>

/** Queues new deliveries. Each has all ten attempts again, and its own entry in the history. */
export async function queueAgain(tx: PlatformTx, { id, world }: Lane, originals: readonly Again[]) {
  // Ids of the same millisecond are unordered. They are sorted, so that the first original is sent first.
  const ids = originals.map(() => newId('delivery')).toSorted()
  const rows = originals.map(({ id: redelivery_of, event_id, installation_id, api_version }, index) => {
    return { id: ids[index], event_id, installation_id, api_version, redelivery_of }
  })
  await tx.run(INSERT[world], [id, JSON.stringify(rows)])
  return ids
}

const MADE_AT = shownTime('d', 'created_at')

/**
 * The original deliveries that were created in a range of world time and have ended. Deliveries with a waiting
 * redelivery or a deleted event are left out. If $5 is true, delivered deliveries and those with a delivered redelivery
 * are left out too. An id is made just before its row, so a lower bound on the id, with a margin, limits the scan.
 * Redeliveries are read once (`not in`) instead of per row: PostgreSQL may have cached a plan while there were no
 * redeliveries, and that plan would scan all of them for each row.
 */
const IN_RANGE = inEach((world) =>
  platformStatement<Again & { readonly created_at: string }>(
    `webhooks.replayable_${world}`,
    `select d.id::text as id, d.event_id, d.installation_id, d.api_version, ${MADE_AT} as created_at
       from ${world}.delivery_history d
      where d.endpoint_id = $1 and d.id >= $2 and d.redelivery_of is null
        and ${MADE_AT} >= $3::timestamptz and ${MADE_AT} < coalesce($4::timestamptz, ${worldTime(`${world}.`)})
        and exists (select from ${world}.events e where e.id = d.event_id)
        and d.id::text not in (
              select q.redelivery_of from ${world}.delivery_queue q
               where q.endpoint_id = $1 and q.redelivery_of is not null and not ${isStopped(`${world}.`, 'q')})
        and (not $5 or (d.state <> 'delivered' and d.id::text not in (
              select again.redelivery_of from ${world}.delivery_history again
               where again.endpoint_id = $1 and again.redelivery_of is not null and again.state = 'delivered')))
      order by ${MADE_AT} fetch first ($6::bigint) rows with ties`,
  ),
)

export type Range = {
  /** World time, like `until`. */
  readonly since: string
  /** Null: until now. */
  readonly until: string | null
  readonly onlyFailed: boolean
  readonly limit: number
}

const SLACK_MS = 3_600_000

const AHEAD_MS = inEach((world) =>
  platformStatement<{ ahead_ms: number }>(
    `webhooks.clock_ahead_${world}`,
    `select (extract(epoch from ahead) * 1000)::float8 as ahead_ms from ${world}.world_clock`,
  ),
)

/**
 * The lowest possible id of a delivery at that world time. Ids contain real time, and the world's clock was never
 * further ahead than it is now.
 */
async function lowestId(tx: PlatformTx, world: World, since: string): Promise<DeliveryId> {
  const { ahead_ms } = await tx.one(AHEAD_MS[world])
  return newId('delivery', Math.max(0, Date.parse(since) - ahead_ms - SLACK_MS), (bytes) => bytes.fill(0))
}

/** Oldest first; deliveries of the same time are returned together. */
export async function findReplayable(tx: PlatformTx, { id, world }: Lane, range: Range) {
  const { since, until, onlyFailed, limit } = range
  const lowest = await lowestId(tx, world, since)
  const found = await tx.many(IN_RANGE[world], [id, lowest, since, until, onlyFailed, limit])
  return found.toSorted((a, b) => compare(a.created_at, b.created_at) || compare(a.id, b.id))
}

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b))

/** Locks in the order of ids, as everywhere; rows locked by others are skipped. */
const LOCK_EXPIRED = statement<{ id: DeliveryId }>(
  'webhooks.lock_expired',
  `select id::text as id from delivery_queue where id < $1 and created_at < $2::timestamptz
    order by id limit $3 for update skip locked`,
)

const EXPIRED_DELIVERY_BATCHES = statement<{ id: DeliveryId }>(
  'webhooks.lock_expired_delivery_batches',
  `select id::text as id from delivery_parcels where id < $1 and created_at < $2::timestamptz
    order by id limit $3 for update skip locked`,
)

/** Locks delivery batches whose last member has expired, which means that all members have expired. */
export async function lockExpiredDeliveryBatches(tx: Tx, horizon: string, limit: number): Promise<DeliveryId[]> {
  return (await tx.many(EXPIRED_DELIVERY_BATCHES, [lowestIdAt(horizon), horizon, limit])).map(({ id }) => id)
}

export async function lockExpired(tx: Tx, horizon: string, limit: number): Promise<DeliveryId[]> {
  return (await tx.many(LOCK_EXPIRED, [lowestIdAt(horizon), horizon, limit])).map(({ id }) => id)
}

/** The lowest id that a delivery of this time can have. */
function lowestIdAt(horizon: string): DeliveryId {
  return newId('delivery', Date.parse(horizon), (bytes) => bytes.fill(0))
}
