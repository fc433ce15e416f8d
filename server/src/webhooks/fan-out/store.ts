import { offTheQueue } from '#events/index.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx, WorldDatabase } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import { clockAhead } from '#system/postgres/world-clock.ts'
import { SLOTS_MAX } from '../deliver/settings.ts'
import { ACTION, HIDDEN, IDENTITY_ONLY } from '../projection/projected-store.ts'
import { lockLanes, ownWorld } from '../queue/store.ts'
import { listensApp } from '../stream/queue-store.ts'
import {
  type Due,
  type ListeningEndpoint,
  type ListeningInstallation,
  type Named,
  named,
  type Subjects,
  type TakenEvent,
} from './plan-deliveries.ts'

export type FoundInstallation = {
  readonly id: Id<'installation'>
  readonly app_id: Id<'app'>
  readonly target_id: string
}

/**
 * SQL: whether an installation is active, or was revoked so recently that events from before the revocation may still
 * be in the queue.
 */
const LISTENS = `(i.state = 'active' or exists (select from delivery_stops s where s.stopped_id = i.id))`

/**
 * Finds the installations on the subjects of the events, and those that the events name, if their app has an endpoint or
 * may read events.
 */
const FIND_INSTALLATIONS = statement<FoundInstallation>(
  'webhooks.find_concerned_installations',
  `select about.id, about.app_id, about.target_id
     from (select i.id, i.app_id, i.company_id as target_id from installations i where i.company_id = any($1) and ${LISTENS}
           union select i.id, i.app_id, i.syndicate_id from installations i where i.syndicate_id = any($2) and ${LISTENS}
           union select i.id, i.app_id, i.user_id from installations i where i.user_id = any($3) and ${LISTENS}
           union select i.id, i.app_id, coalesce(i.company_id, i.syndicate_id, i.user_id) from installations i
                  where i.id = any($4)) about
    where ${listensApp('about.app_id', '$5')}`,
)

export async function findConcerned(tx: Tx, about: Subjects): Promise<FoundInstallation[]> {
  const { companies, syndicates, users, installations } = about
  return tx.many(FIND_INSTALLATIONS, [companies, syndicates, users, installations, tx.world])
}

/**
 * `for share` makes a revocation or a scope change wait until the deliveries are queued. A revocation then cancels
 * them.
 */
const LOCK_INSTALLATIONS = statement<{ id: Id<'installation'> }>(
  'webhooks.lock_concerned_installations',
  'select id from installations where id = any($1) order by id for share skip locked',
)

const LOOK_AT_INSTALLATIONS = statement<{
  id: Id<'installation'>
  app_id: Id<'app'>
  state: ListeningInstallation['state']
  target_type: ListeningInstallation['target']['type']
  target_id: string
  scopes: readonly string[]
  recorded_at: string
  stopped_at: string | null
}>(
  'webhooks.look_at_concerned',
  `select i.id, i.app_id, i.state, i.target_type, coalesce(i.company_id, i.syndicate_id, i.user_id) as target_id,
          i.scopes, i.recorded_at, s.stopped_at
     from installations i left join delivery_stops s on s.stopped_id = i.id where i.id = any($1)`,
)

/** Locks and reads the installations that no other transaction has locked. */
export async function lockConcerned(tx: Tx, ids: readonly Id<'installation'>[]): Promise<ListeningInstallation[]> {
  const locked = (await tx.many(LOCK_INSTALLATIONS, [ids])).map(({ id }) => id)
  const rows = await tx.many(LOOK_AT_INSTALLATIONS, [locked])
  return rows.map(({ target_type: type, target_id: id, ...row }) => ({ ...row, target: { type, id } }))
}

type FoundEndpoint = { readonly id: Id<'webhookEndpoint'>; readonly app_id: Id<'app'> }

/**
 * Includes disabled endpoints: "What is undelivered is kept." Leaves out endpoints of an ended organization or a deleted
 * app, because neither can be restored.
 */
const FIND_ENDPOINTS = statement<FoundEndpoint>(
  'webhooks.find_concerned_endpoints',
  `select w.id, w.app_id
     from platform.webhook_endpoints w
     join platform.apps a on a.id = w.app_id
     join platform.organizations o on o.id = a.organization_id and o.state = 'active'
    where w.app_id = any($1) and w.world = $2 and w.state <> 'removed' and a.deleted_at is null`,
)

export async function findEndpoints(tx: Tx, apps: readonly Id<'app'>[]): Promise<FoundEndpoint[]> {
  return tx.many(FIND_ENDPOINTS, [apps, tx.world])
}

const LOCK_ENDPOINTS = statement<{ id: Id<'webhookEndpoint'> }>(
  'webhooks.lock_concerned_endpoints',
  'select id from platform.webhook_endpoints where id = any($1) order by id for share skip locked',
)

/**
 * SQL: whether the lane `l` is healthy and at full speed. If its health changes later, the worker splits its delivery
 * batches into rows of the queue.
 */
const RESPONSIVE = `l.state = 'enabled' and l.failing_since is null and not l.by_id and l.slots >= ${SLOTS_MAX}
            and (l.paused_until is null or l.paused_until <= (select world_now()))`

/** Times as text with microseconds, in the same form as those of events. */
const LOOK_AT_ENDPOINTS = statement<ListeningEndpoint & { readonly is_removed: boolean }>(
  'webhooks.look_at_concerned_endpoints',
  `select w.id, w.app_id, w.installation_id, w.events, a.api_version, w.state = 'removed' as is_removed,
          coalesce(${RESPONSIVE}, false) as is_responsive,
          array(select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
                  from unnest(w.subscribed_at) with ordinality as s (at, place) order by place) as subscribed_at
     from platform.webhook_endpoints w join platform.apps a on a.id = w.app_id
     left join webhook_lanes l on l.endpoint_id = w.id
    where w.id = any($1)`,
)

/** Locks and reads the endpoints that no other transaction has locked; includes endpoints that were removed meanwhile. */
export async function lockEndpoints(tx: Tx, ids: readonly Id<'webhookEndpoint'>[]) {
  const locked = (await tx.many(LOCK_ENDPOINTS, [ids])).map(({ id }) => id)
  return tx.many(LOOK_AT_ENDPOINTS, [locked])
}

/** An empty text means "no installation", because the driver's arrays cannot contain nulls. */
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

/** Rows per statement, so that a large batch does not block the event loop. */
const ROWS = 500

export async function queueDeliveries(tx: Tx, due: readonly Named[]): Promise<void> {
  for (const some of slices(due)) await tx.run(INSERT, columnsOf(some))
}

/** The ids of a delivery batch are one text, because the driver has no arrays of arrays. */
const INSERT_DELIVERY_BATCHES = statement(
  'webhooks.queue_delivery_batches',
  `insert into delivery_parcels (id, endpoint_id, api_version, delivery_ids, event_ids, installation_ids, due_at,
                                 clock_ahead)
   select id, endpoint_id, api_version, string_to_array(delivery_ids, ','), string_to_array(event_ids, ','),
          string_to_array(installation_ids, ','), (select world_now()), ${clockAhead('')}
     from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
       as delivery_batch (id, endpoint_id, api_version, delivery_ids, event_ids, installation_ids)`,
)

export async function queueDeliveryBatches(tx: Tx, deliveryBatches: readonly (readonly Named[])[]): Promise<void> {
  if (deliveryBatches.length > 0) await tx.run(INSERT_DELIVERY_BATCHES, deliveryBatchColumns(deliveryBatches))
}

function deliveryBatchColumns(deliveryBatches: readonly (readonly Named[])[]): (readonly string[])[] {
  const lasts = deliveryBatches.flatMap((deliveryBatch) => deliveryBatch.slice(-1))
  const each = (of: (one: Named) => string) => deliveryBatches.map((deliveryBatch) => deliveryBatch.map(of).join(','))
  return [
    lasts.map(({ id }) => id),
    lasts.map(({ endpoint }) => endpoint),
    lasts.map(({ version }) => version),
    each(({ id }) => id),
    each(({ event }) => event),
    each(({ installation }) => installation ?? ''),
  ]
}

/** Records deliveries in the history that are canceled from the start. */
export async function recordCanceled(tx: Tx, made: readonly Due[]): Promise<void> {
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
 * Locks the lanes even if the update changes no row. So either a worker that releases a lane reads these deliveries, or
 * this update finds the lane released. Fan-out takes these locks last, because the worker of a lane waits for them.
 */
export async function wakeLanes(tx: Tx, endpoints: readonly Id<'webhookEndpoint'>[]): Promise<void> {
  if (endpoints.length === 0) return
  await lockLanes(ownWorld(tx), endpoints)
  await tx.run(WAKE_LANES, [endpoints])
}

/** Delay before a deferred event is tried again; most locks are released by then. */
const TRIED_AGAIN_AFTER = `interval '50 milliseconds'`

/**
 * Whether events wait. This statement runs ten times a second and mostly finds no event. It runs without a transaction,
 * because in a transaction it took 5 % of a core. It reads in the order of the indexes, which skip dead rows.
 */
const GLANCE = statement<{ waiting: boolean }>(
  'webhooks.glance_at_events',
  `select (select seq from event_queue order by seq limit 1) is not null
          or coalesce((select tried_at from deferred_events order by tried_at limit 1)
                        <= clock_timestamp() - ${TRIED_AGAIN_AFTER}, false) as waiting`,
)

/** Whether events wait. Another worker may take them first. */
export async function eventsWait(db: WorldDatabase): Promise<boolean> {
  return (await db.reads.one(GLANCE)).waiting
}

/** The columns of `events e` that decide who receives the event. */
const COLUMNS = `e.id, e.name, e.trace, e.recorded_at, e.company_id, e.syndicate_id, e.user_id, e.installation_id, e.app_id,
          ${HIDDEN} as hidden, ${IDENTITY_ONLY} as identity_only, ${ACTION} as action`

/** Events leave the queue in the transaction that queues their deliveries, so a rollback restores them. */
const TAKE = statement<TakenEvent>(
  'webhooks.take_events',
  `with taken as materialized (select seq from event_queue order by seq limit $1 for update skip locked),
        gone as (${offTheQueue('taken')} returning seq, event_id)
   select ${COLUMNS}, gone.seq::text as seq, null::text as left_to
     from gone join events e on e.id = gone.event_id order by gone.seq`,
)

export async function takeEvents(tx: Tx, limit: number): Promise<TakenEvent[]> {
  return tx.many(TAKE, [limit])
}

const LISTENING_ON = (target: 'company_id' | 'syndicate_id' | 'user_id') =>
  `exists (select from installations i
            where i.${target} = e.${target} and ${listensApp('i.app_id', '$2')})`

/**
 * If no app has an endpoint or reads events, all events are skipped. Otherwise events that name an app or an
 * installation are not skipped, because there are few of them.
 */
const PASS_OVER = statement(
  'webhooks.pass_over_events',
  `with front as materialized (select seq, event_id from event_queue order by seq limit $1),
   unheard as materialized (
     select front.seq from front
      where (select not exists (select from platform.apps a where ${listensApp('a.id', '$2')}))
         or not exists (
           select from events e
            where e.id = front.event_id
              and (e.app_id is not null or e.installation_id is not null
                   or ${LISTENING_ON('company_id')} or ${LISTENING_ON('syndicate_id')} or ${LISTENING_ON('user_id')}))),
   held as materialized (
     select q.seq from unheard join event_queue q on q.seq = unheard.seq for update of q skip locked)
   ${offTheQueue('held')}`,
)

/**
 * Checks the first events of the queue, and removes those that no app can receive. A platform whose partners all poll
 * has millions of such events. Removing thousands of them with one statement takes a tenth of the time of fanning them
 * out.
 */
export async function skipEvents(tx: Tx, first: number): Promise<void> {
  await tx.run(PASS_OVER, [first, tx.world])
}

const TAKE_DEFERRED = statement<TakenEvent>(
  'webhooks.take_deferred',
  `with taken as materialized (
     select event_id, app_id from deferred_events where tried_at <= clock_timestamp() - ${TRIED_AGAIN_AFTER}
      order by tried_at limit $1 for update skip locked),
   gone as (
     delete from deferred_events d using taken where d.event_id = taken.event_id and d.app_id = taken.app_id
     returning d.event_id, d.app_id, d.event_seq)
   select ${COLUMNS}, gone.event_seq::text as seq, gone.app_id as left_to
     from gone join events e on e.id = gone.event_id order by e.recorded_at, e.id`,
)

/** Takes the deferred events that have waited longest since they were deferred. */
export async function takeDeferred(tx: Tx, limit: number): Promise<TakenEvent[]> {
  return tx.many(TAKE_DEFERRED, [limit])
}

export type Deferred = { readonly event: Id<'event'>; readonly app: Id<'app'>; readonly seq: string | null }

const DEFER = statement(
  'webhooks.defer_events',
  `insert into deferred_events (event_id, app_id, event_seq)
   select event_id, app_id, nullif(event_seq, '')::bigint
     from unnest($1::text[], $2::text[], $3::text[]) as left_over (event_id, app_id, event_seq)`,
)

export async function deferEvents(tx: Tx, deferred: readonly Deferred[]): Promise<void> {
  if (deferred.length === 0) return
  await tx.run(DEFER, [
    deferred.map(({ event }) => event),
    deferred.map(({ app }) => app),
    deferred.map(({ seq }) => seq ?? ''),
  ])
}
