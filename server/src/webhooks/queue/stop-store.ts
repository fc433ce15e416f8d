import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import { type InWorld, type Schema, worldText } from './store.ts'

type StopDeliveryId = Id<'delivery'>

/** The indexed column by which a stop finds its deliveries. */
const STOPPED_COLUMN = { installation_revoked: 'installation_id', endpoint_removed: 'endpoint_id' } as const

const pick = (reason: StopReason) =>
  worldText<{ id: StopDeliveryId }>(
    `webhooks.pick_${reason}`,
    (schema) => `
    select few.id from unnest($1::text[]) as stopped (id)
     cross join lateral (
       select d.id::text as id from ${schema}delivery_queue d where d.${STOPPED_COLUMN[reason]} = stopped.id
        order by d.id limit $2) few
     limit $2`,
  )

const PICK = { installation_revoked: pick('installation_revoked'), endpoint_removed: pick('endpoint_removed') }

/**
 * Returns at most `limit` queued deliveries of the stopped records. Fan-out queues no delivery for them meanwhile,
 * because it would have to lock the stopped record.
 */
export async function pickQueued(here: InWorld, { reason, ids }: Stop, limit: number): Promise<StopDeliveryId[]> {
  return (await here.many(PICK[reason], [ids, limit])).map(({ id }) => id)
}

/**
 * SQL: the delivery batches with members of a stopped record. The batches of an installation are found by the endpoints
 * of its app. They may also contain members of other installations.
 */
const DELIVERY_BATCHES_OF: Readonly<Record<StopReason, (schema: Schema) => string>> = {
  installation_revoked: (schema) => `
    ${schema}installations i
      join platform.webhook_endpoints w on w.app_id = i.app_id
      join ${schema}delivery_parcels p on p.endpoint_id = w.id and i.id::text = any(p.installation_ids)
     where i.id = any($1)`,
  endpoint_removed: (schema) => `${schema}delivery_parcels p where p.endpoint_id = any($1)`,
}

const pickDeliveryBatches = (reason: StopReason) =>
  worldText<{ id: StopDeliveryId }>(
    `webhooks.pick_delivery_batches_${reason}`,
    (schema) => `
    select distinct p.id::text as id from ${DELIVERY_BATCHES_OF[reason](schema)}
       and ($2::timestamptz is null or p.created_at <= $2)
     order by id limit $3`,
  )

const PICK_DELIVERY_BATCHES = {
  installation_revoked: pickDeliveryBatches('installation_revoked'),
  endpoint_removed: pickDeliveryBatches('endpoint_removed'),
}

type Stopped = { readonly reason: StopReason; readonly ids: readonly string[] }

/** At most `limit` rows that were created at `until` or earlier; null for any time. */
type Few = { readonly limit: number; readonly until: string | null }

/** Returns at most `limit` delivery batches with members of the stopped records. */
export async function findDeliveryBatchesOf(
  here: InWorld,
  { reason, ids }: Stopped,
  { limit, until }: Few,
): Promise<StopDeliveryId[]> {
  return (await here.many(PICK_DELIVERY_BATCHES[reason], [ids, until, limit])).map(({ id }) => id)
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

/**
 * SQL: the stop `s` that applies to a row of the queue. The stop is for the row's installation or endpoint, and is later
 * than the row.
 */
const stopOf = (schema: Schema, queue: string) => `
  ${schema}delivery_stops s
   where s.rows_left and s.stopped_id in (${queue}.installation_id, ${queue}.endpoint_id)
     and ${queue}.created_at <= s.stopped_at`

/** Joins the reason and the time of the stop as `${as}`; both are null without a stop. */
export const stopJoin = (schema: Schema, queue: string, as: string) =>
  `left join lateral (select s.reason, s.ended_at from ${stopOf(schema, queue)} limit 1) ${as} on true`

/**
 * Whether a row of the queue is stopped and only waits to be moved into the history. This runs on a million rows, so
 * the first conditions use the list of unfinished stops, which hardly ever has more than one entry.
 */
export function isStopped(schema: Schema, queue: string): string {
  const unfinished = (what: string) => `(select ${what} from ${schema}delivery_stops where rows_left)`
  const ids = unfinished('stopped_id')
  return `((coalesce(${queue}.installation_id, '') in ${ids} or ${queue}.endpoint_id in ${ids})
    and (${queue}.created_at <= ${unfinished('min(stopped_at)')} or exists (select from ${stopOf(schema, queue)})))`
}

/** Whether any member of a delivery batch is stopped. Then each member has to be checked. */
export const isDeliveryBatchStopped = (schema: Schema, deliveryBatch: string) => `exists (
  select from ${schema}delivery_stops s
   where s.rows_left and ${deliveryBatch}.created_at <= s.stopped_at
     and (s.stopped_id = ${deliveryBatch}.endpoint_id or s.stopped_id = any(${deliveryBatch}.installation_ids)))`

/** Whether there are unfinished stops at all; most of the time there are none. */
export const someStopped = (schema: Schema) => `exists (select from ${schema}delivery_stops where rows_left)`

type DeliveryId = Id<'delivery'>

const LOCK = worldText<{ id: DeliveryId }>(
  'webhooks.lock_queued',
  (schema) => `select id::text as id from ${schema}delivery_queue where id = any($1) order by id for update`,
)

/** Locks in the order of ids, as everywhere. Returns the ids that still exist. */
export async function lockQueued(here: InWorld, ids: readonly DeliveryId[]): Promise<DeliveryId[]> {
  return (await here.many(LOCK, [ids])).map(({ id }) => id)
}

const CANCEL = worldText(
  'webhooks.cancel_queued',
  (schema) => `
  with gone as (
    delete from ${schema}delivery_queue where id = any($1)
    returning id, endpoint_id, installation_id, event_id, api_version, created_at, clock_ahead, redelivery_of, attempts)
  insert into ${schema}delivery_history
    (id, endpoint_id, installation_id, event_id, api_version, state, reason, created_at, clock_ahead, ended_at,
     redelivery_of, attempts)
  select id, endpoint_id, installation_id, event_id, api_version, 'canceled', $2, created_at, clock_ahead,
         coalesce($3::timestamptz, (select ${schema}world_now())), redelivery_of, attempts
    from gone`,
)

type Cancellation = {
  readonly reason: string
  /** World time; null for now. */
  readonly endedAt: string | null
}

/** The caller has locked the rows. The outcome of a request in progress is not recorded, because its row was deleted. */
export async function cancelQueued(
  here: InWorld,
  ids: readonly DeliveryId[],
  { reason, endedAt }: Cancellation,
): Promise<void> {
  if (ids.length > 0) await here.run(CANCEL, [ids, reason, endedAt])
}

export type UnfinishedStop = {
  readonly stopped_id: string
  readonly reason: StopReason
  readonly stopped_at: string
  readonly ended_at: string
}

const END_LOCK = statement<UnfinishedStop>(
  'webhooks.lock_unfinished_stop',
  `select stopped_id, reason, stopped_at, ended_at from delivery_stops
    where rows_left order by stopped_at limit 1 for update skip locked`,
)

/** The oldest stop that no other worker has locked. */
export async function lockUnfinished(tx: Tx): Promise<UnfinishedStop | null> {
  return tx.maybeOne(END_LOCK)
}

const rowsOf = (reason: StopReason) =>
  statement<{ id: Id<'delivery'> }>(
    `webhooks.lock_left_of_${reason}`,
    `select id::text as id from delivery_queue
      where ${STOPPED_COLUMN[reason]} = $1 and created_at <= $2::timestamptz order by id limit $3 for update`,
  )
const ROWS = { installation_revoked: rowsOf('installation_revoked'), endpoint_removed: rowsOf('endpoint_removed') }

/** May return fewer than `limit` rows although more are left: a row may be deleted while this waits for its lock. */
export async function lockLeft(tx: Tx, stop: UnfinishedStop, limit: number): Promise<Id<'delivery'>[]> {
  return (await tx.many(ROWS[stop.reason], [stop.stopped_id, stop.stopped_at, limit])).map(({ id }) => id)
}

const anyOf = (reason: StopReason) =>
  statement<{ left: boolean }>(
    `webhooks.any_left_of_${reason}`,
    `select exists (select from delivery_queue
                     where ${STOPPED_COLUMN[reason]} = $1 and created_at <= $2::timestamptz) as left`,
  )
const ANY = { installation_revoked: anyOf('installation_revoked'), endpoint_removed: anyOf('endpoint_removed') }

export async function hasLeft(tx: Tx, { reason, stopped_id, stopped_at }: UnfinishedStop): Promise<boolean> {
  return (await tx.one(ANY[reason], [stopped_id, stopped_at])).left
}

const FINISH = statement('webhooks.finish_stop', 'update delivery_stops set rows_left = false where stopped_id = $1')

export async function finish(tx: Tx, { stopped_id }: UnfinishedStop): Promise<void> {
  await tx.run(FINISH, [stopped_id])
}

/** Longer than any transaction may run. So all events that were recorded longer ago than this are visible. */
const MARGIN = `interval '5 minutes'`

const FORGET = statement(
  'webhooks.forget_stops',
  `with oldest as materialized (
     select least(clock_timestamp(),
                  (select e.recorded_at from event_queue q join events e on e.id = q.event_id order by q.seq limit 1),
                  (select min(e.recorded_at) from deferred_events d join events e on e.id = d.event_id)) as at)
   delete from delivery_stops where stopped_id = any (array(
     select stopped_id from delivery_stops
      where not rows_left and stopped_at < (select at from oldest) - ${MARGIN} limit $1))`,
)

export async function deleteFinishedStops(tx: Tx, limit: number): Promise<number> {
  return tx.run(FORGET, [limit])
}

/** Revoked installations or removed endpoints whose queued deliveries are canceled. */
export type Stop =
  | { readonly reason: 'installation_revoked'; readonly ids: readonly Id<'installation'>[] }
  | { readonly reason: 'endpoint_removed'; readonly ids: readonly Id<'webhookEndpoint'>[] }

type StopReason = Stop['reason']
