import type { Id } from '#kernel/ids.ts'
import type { Tx, WorldDatabase, WorldQueries } from '#system/postgres/database.ts'
import { countedRows, type QueueLength, secondsSince, shortStatement, statement } from '#system/postgres/statement.ts'
import { PREVIOUS_SECRETS } from '../endpoints/secret-store.ts'
import type { Recorded } from '../history/delivery.ts'
import { EVENT_JOINS, PROJECTED_COLUMNS, type ProjectedRow, receiverJoins } from '../projection/projected-store.ts'
import { isStopped } from '../queue/stop-store.ts'
import type { LeasedLane } from './lane.ts'
import type { Wanted } from './leased-lanes.ts'
import { SLOTS_MAX } from './settings.ts'

/** The health of an endpoint and the counts of its attempts, collected since the last write. */
export type Health = {
  readonly endpoint: Id<'webhookEndpoint'>
  /** The outcome of the last attempt. */
  readonly status: string
  readonly isFailing: boolean
  /** Whether an attempt succeeded, which ends earlier failures. */
  readonly succeeded: boolean
  readonly delivered: number
  readonly failed: number
  readonly firstAttempts: number
  /** The sum of the times that all first attempts waited. */
  readonly lagMs: number
}

/** "failing_since": the first failure since the last success. */
const SET_HEALTH = statement(
  'webhooks.set_lane_health',
  `with outcome as (
     select t.endpoint_id, t.status, t.failing, t.succeeded, t.delivered, t.failed, t.first_attempts, t.lag_ms
       from jsonb_to_recordset($1::jsonb)
              as t (endpoint_id text collate "C", status text, failing boolean, succeeded boolean, delivered bigint, failed bigint,
                    first_attempts bigint, lag_ms double precision)),
   counted as (
     insert into platform.delivery_counts as known
       (endpoint_id, unit, begins_at, delivered, failed, first_attempts, lag_ms)
     select o.endpoint_id, u.unit, date_trunc(u.unit, clock_timestamp(), 'UTC'), o.delivered, o.failed, o.first_attempts, o.lag_ms
       from outcome o, (values ('day'), ('hour')) as u (unit)
      order by o.endpoint_id, u.unit
     on conflict on constraint delivery_counts_pkey do update
        set delivered = known.delivered + excluded.delivered, failed = known.failed + excluded.failed,
            first_attempts = known.first_attempts + excluded.first_attempts, lag_ms = known.lag_ms + excluded.lag_ms),
   held as materialized (
     select l.endpoint_id from webhook_lanes l
      where l.endpoint_id in (select outcome.endpoint_id from outcome) order by l.endpoint_id for no key update)
   update webhook_lanes l
      set last_delivery_at = world_now(), last_delivery_status = outcome.status,
          failing_since = case when not outcome.failing then null
                               when outcome.succeeded then world_now() else coalesce(l.failing_since, world_now()) end,
          failing_told = case when outcome.succeeded then 0 else l.failing_told end
     from held, outcome where l.endpoint_id = held.endpoint_id and outcome.endpoint_id = held.endpoint_id`,
)

export async function setHealth(db: WorldDatabase, all: readonly Health[]): Promise<void> {
  const rows = all.map(({ endpoint: endpoint_id, isFailing: failing, firstAttempts, lagMs, ...health }) => ({
    ...{ endpoint_id, failing, ...health },
    ...{ first_attempts: firstAttempts, lag_ms: lagMs },
  }))
  await db.reads.run(SET_HEALTH, [JSON.stringify(rows)])
}

/**
 * Records a batch: deliveries that ended move from the queue into the history, the others get their next due time. A
 * delivery without a row in the queue was canceled meanwhile and is already in the history. A stopped row counts as
 * canceled too, so no other outcome is recorded for it. Rows are locked in the order of ids, as everywhere.
 */
const RECORD = statement(
  'webhooks.record_deliveries',
  `with outcome as (
     select r.id, r.state, r.reason, r.after_seconds, r.attempt
       from jsonb_to_recordset($1::jsonb)
              as r (id text collate "C", state text, reason text, after_seconds double precision, attempt jsonb)),
   held as materialized (
     select q.id from delivery_queue q
      where q.id = any(array(select outcome.id from outcome))
        and (not ${isStopped('', 'q')} or q.id = any(array(select outcome.id from outcome where outcome.state = 'canceled')))
      order by q.id for update),
   gone as (
     delete from delivery_queue q
      where q.id = any(array(select id from held join outcome using (id) where outcome.state <> 'again'))
     returning q.id, q.endpoint_id, q.installation_id, q.event_id, q.api_version, q.created_at, q.clock_ahead,
               q.redelivery_of, q.attempts),
   recorded as (
     insert into delivery_history (id, endpoint_id, installation_id, event_id, api_version, created_at, clock_ahead,
                                   redelivery_of, state, reason, attempts, ended_at)
     select id, gone.endpoint_id, gone.installation_id, gone.event_id, gone.api_version, gone.created_at,
            gone.clock_ahead, gone.redelivery_of, outcome.state, outcome.reason, gone.attempts || coalesce(outcome.attempt, '[]'),
            (select world_now())
       from gone join outcome using (id))
   update delivery_queue q
      set attempt = q.attempt + 1, attempts = q.attempts || outcome.attempt,
          due_at = (select world_now()) + make_interval(secs => outcome.after_seconds)
     from outcome
    where q.id = outcome.id and outcome.state = 'again'
      and q.id = any(array(select id from held join outcome using (id) where outcome.state = 'again'))`,
)

export async function recordDeliveries(db: WorldDatabase, all: readonly Recorded[]): Promise<void> {
  const rows = all.map(({ afterSeconds, ...rest }) => ({ ...rest, after_seconds: afterSeconds }))
  await db.reads.run(RECORD, [JSON.stringify(rows)])
}

/**
 * Leases due lanes that are free and not paused. Lanes that have been due longest come first. Failing lanes are leased
 * only if $4 is true. next_due_at does not change during the lease, so the lane of a dead worker is still due. Leases
 * use the database's clock, which all workers share.
 */
const LEASE = statement<LeasedLane>(
  'webhooks.lease_lanes',
  `with due as (
     select endpoint_id from webhook_lanes
      where state = 'enabled' and next_due_at <= (select world_now())
        and (owner is null or lease_until < clock_timestamp())
        and (paused_until is null or paused_until <= (select world_now())) and ($4 or failing_since is null)
      order by next_due_at limit $3 for no key update skip locked)
   update webhook_lanes l set owner = $1, lease_until = clock_timestamp() + make_interval(secs => $2)
     from due where l.endpoint_id = due.endpoint_id
   returning l.endpoint_id, l.slots, l.by_id`,
)

/**
 * SQL: for how many seconds the longest-waiting lane has been due while no worker leases it. Leased lanes are left out,
 * because their speed depends on the receiver. Paused lanes and lanes of failing or disabled endpoints are left out
 * too, because their deliveries wait on purpose.
 */
const LANE_SECONDS = `
     (select extract(epoch from world_now() - next_due_at) from webhook_lanes
       where state = 'enabled' and next_due_at <= (select world_now()) and failing_since is null
         and (owner is null or lease_until < clock_timestamp())
         and (paused_until is null or paused_until <= (select world_now()))
       order by next_due_at limit 1)`

/**
 * A delivery can wait for our workers in two places: as an event that fan-out has not processed, or in a due lane that
 * no worker leases.
 */
const LAG = shortStatement<{ seconds: number }>(
  'webhooks.lag',
  `select greatest(0,
     (select extract(epoch from clock_timestamp() - e.recorded_at)
        from (select event_id from event_queue order by seq limit 1) q join events e on e.id = q.event_id),
     ${LANE_SECONDS})::int as seconds`,
)

/** How many seconds the oldest delivery that `LAG` counts has waited for a worker. */
export async function deliveryLagSeconds(db: WorldDatabase): Promise<number> {
  const [lag] = await db.short(LAG)
  return lag?.seconds ?? 0
}

/** SQL: when the first event of a queue was recorded. Events are taken from the queue in the order of `seq`. */
const recordedAtHead = (queue: string) =>
  `select e.recorded_at from (select event_id from ${queue} order by seq limit 1) q join events e on e.id = q.event_id`

type LengthsRow = {
  readonly events: number
  readonly events_seconds: number
  readonly entries: number
  readonly entries_seconds: number
  readonly deliveries: number
  readonly deliveries_seconds: number
  readonly deferred: number
  readonly deferred_seconds: number
  readonly failing: number
}

const LENGTHS = statement<LengthsRow>(
  'webhooks.queue_lengths',
  `select ${countedRows('event_queue')} as events, ${secondsSince(recordedAtHead('event_queue'))} as events_seconds,
          ${countedRows('event_stream_queue')} as entries,
          ${secondsSince(recordedAtHead('event_stream_queue'))} as entries_seconds,
          ${countedRows('delivery_queue')} + ${countedRows('delivery_parcels p, unnest(p.delivery_ids)')} as deliveries,
          coalesce(greatest(0, ${LANE_SECONDS}), 0)::float8 as deliveries_seconds,
          ${countedRows('deferred_events')} as deferred,
          ${secondsSince('select min(e.recorded_at) from (select event_id from deferred_events order by tried_at limit 100) d join events e on e.id = d.event_id')}
            as deferred_seconds,
          ${countedRows(`webhook_lanes where failing_since is not null and state = 'enabled'`)} as failing`,
)

export type WebhookQueues = Readonly<
  Record<'events' | 'deferred_events' | 'stream_entries' | 'deliveries', QueueLength>
> & {
  /** Endpoints whose deliveries wait for a retry. */
  readonly failingEndpoints: number
}

/**
 * `deliveries.waiting` counts all deliveries that wait; `deliveries.oldestSeconds` leaves out the lanes that
 * `LANE_SECONDS` leaves out.
 */
export async function webhookQueues(db: WorldDatabase): Promise<WebhookQueues> {
  const row = await db.reads.one(LENGTHS)
  return {
    events: { waiting: row.events, oldestSeconds: row.events_seconds },
    deferred_events: { waiting: row.deferred, oldestSeconds: row.deferred_seconds },
    stream_entries: { waiting: row.entries, oldestSeconds: row.entries_seconds },
    deliveries: { waiting: row.deliveries, oldestSeconds: row.deliveries_seconds },
    failingEndpoints: row.failing,
  }
}

export type Lease = { readonly owner: string; readonly seconds: number }

export type Leasing = { readonly limit: number; readonly alsoFailing: boolean }

export async function leaseLanes(
  db: WorldDatabase,
  { owner, seconds }: Lease,
  { limit, alsoFailing }: Leasing,
): Promise<LeasedLane[]> {
  return db.reads.many(LEASE, [owner, seconds, limit, alsoFailing])
}

/** Locks in the same order as fan-out, to avoid deadlocks. */
const RENEW = statement<{ endpoint_id: Id<'webhookEndpoint'> }>(
  'webhooks.renew_lanes',
  `with mine as (
     select l.endpoint_id, has.slots from webhook_lanes l
       join jsonb_to_recordset($3::jsonb) as has (endpoint_id text collate "C", slots integer) using (endpoint_id)
      where l.owner = $1 and l.state = 'enabled' order by l.endpoint_id for no key update of l)
   update webhook_lanes l set lease_until = clock_timestamp() + make_interval(secs => $2), slots = mine.slots
     from mine where l.endpoint_id = mine.endpoint_id
   returning l.endpoint_id`,
)

export type HeldLane = { readonly endpoint: Id<'webhookEndpoint'>; readonly slots: number }

/** Returns the lanes that this worker still leases: another worker may have leased some of them, or they were disabled. */
export async function renewLanes(
  db: WorldDatabase,
  { owner, seconds }: Lease,
  lanes: readonly HeldLane[],
): Promise<readonly Id<'webhookEndpoint'>[]> {
  const has = lanes.map(({ endpoint, slots }) => ({ endpoint_id: endpoint, slots }))
  const renewed = await db.reads.many(RENEW, [owner, seconds, JSON.stringify(has)])
  return renewed.map(({ endpoint_id }) => endpoint_id)
}

const LOCK_OWN = statement<{ endpoint_id: Id<'webhookEndpoint'> }>(
  'webhooks.lock_own_lane',
  'select endpoint_id from webhook_lanes where endpoint_id = $1 and owner = $2 for no key update',
)

/** False if this worker does not lease the lane any more. */
export async function lockOwnLane(tx: Tx, endpoint: Id<'webhookEndpoint'>, owner: string): Promise<boolean> {
  return (await tx.maybeOne(LOCK_OWN, [endpoint, owner])) !== null
}

const NEXT_DUE = statement<{ due_at: string }>(
  'webhooks.next_due',
  `select due_at
     from ((select due_at from delivery_queue where endpoint_id = $1 order by due_at limit 1)
           union all (select due_at from delivery_parcels where endpoint_id = $1 order by id limit 1)) next
    order by due_at limit 1`,
)

export async function findNextDue(queries: WorldQueries, endpoint: Id<'webhookEndpoint'>): Promise<string | null> {
  return (await queries.maybeOne(NEXT_DUE, [endpoint]))?.due_at ?? null
}

/**
 * $3: whether the sweep is finished. A lane whose sweep is unfinished, or was requested meanwhile, is due at once. If
 * the lane is already due, its due time is set to now, so that lanes that have waited longer come first.
 */
const RELEASE = statement(
  'webhooks.release_lane',
  `update webhook_lanes
      set owner = null, lease_until = null, slots = $2, by_id = by_id and not $3,
          next_due_at = case when (by_id and not $3) or $4::timestamptz < world_now() then world_now() else $4 end,
          paused_until = $5
    where endpoint_id = $1`,
)

export type Released = {
  readonly slots: number
  readonly swept: boolean
  readonly nextDueAt: string | null
  /** World time. */
  readonly pausedUntil: string | null
}

export async function releaseLane(tx: Tx, endpoint: Id<'webhookEndpoint'>, released: Released): Promise<void> {
  const { slots, swept, nextDueAt, pausedUntil } = released
  await tx.run(RELEASE, [endpoint, slots, swept, nextDueAt, pausedUntil])
}

export type DueDelivery = ProjectedRow & {
  readonly id: Id<'delivery'>
  readonly endpoint_id: Id<'webhookEndpoint'>
  /** How many attempts were made so far. */
  readonly attempt: number
  readonly url: string
  readonly secret: Buffer
  readonly previous_secrets: readonly Buffer[] | null
  readonly due_at: string
  /** The W3C traceparent of the event's cause; null if the trace is not sampled. */
  readonly event_trace: string | null
  readonly redelivery_of: Id<'delivery'> | null
  /** World time of this statement. */
  readonly now: string
}

/** The world time as text, computed once for all rows of a statement. */
export const NOW = `select to_char(world_now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

const OF_THE_QUEUE =
  'd.id, d.endpoint_id, d.installation_id, d.event_id, d.api_version, d.attempt, d.due_at, d.redelivery_of'

/**
 * Reads the due deliveries of all given lanes, with everything that decides whether and how they are sent: rights, URL,
 * secrets. Taking a delivery writes nothing: only the worker that leases the lane sends the delivery, and it passes the
 * requests in progress as `busy`. The limits are inside the subqueries, so that a lane reads no more rows than it
 * takes. The sweep uses `endpoint_id = any(array[…])`, so that only the index that begins with endpoint_id has the
 * right order. Otherwise the planner scans the deliveries of all lanes by id, which is many times slower with twenty
 * lanes. The query runs on the pipelined connection, where reading rows takes half as long; no API request uses a worker's
 * pipelined connection.
 */
const DUE = shortStatement<DueDelivery>(
  'webhooks.due_deliveries',
  `select q.id, q.endpoint_id, q.attempt, w.url, w.secret, q.due_at, (${NOW}) as now, ${PREVIOUS_SECRETS},
          e.trace as event_trace, q.redelivery_of, ${PROJECTED_COLUMNS}
     from jsonb_to_recordset($2::jsonb)
            as want (endpoint_id text collate "C", count integer, busy text[],
                     sweeping boolean, after text collate "C", due_after timestamptz)
     join webhook_lanes lane on lane.endpoint_id = want.endpoint_id
      and lane.owner = $1 and lane.state = 'enabled' and lane.lease_until > clock_timestamp()
     ${receiverJoins('want')}
     cross join lateral (
       select few.id, few.endpoint_id, few.installation_id, few.event_id, few.api_version, few.attempt,
              few.due_at, few.redelivery_of
         from ((select ${OF_THE_QUEUE} from delivery_queue d
                 where not want.sweeping and d.endpoint_id = want.endpoint_id and d.due_at <= (select world_now())
                   and (d.due_at, d.id) > (want.due_after, want.after) and d.id::text <> all (want.busy)
                 order by d.due_at, d.id limit least(want.count, ${SLOTS_MAX}))
               union all
               (select ${OF_THE_QUEUE} from delivery_queue d
                 where want.sweeping and d.endpoint_id = any(array[want.endpoint_id]) and d.id > want.after
                   and d.id::text <> all (want.busy)
                 order by d.endpoint_id, d.id limit least(want.count, ${SLOTS_MAX}))) few
        order by case when want.sweeping then null else few.due_at end, few.id
        limit want.count) q
     ${EVENT_JOINS}
    order by q.id`,
)

export async function findDue(db: WorldDatabase, owner: string, wanted: readonly Wanted[]): Promise<DueDelivery[]> {
  const wants = wanted.map(({ lane: { endpoint, busy, reading }, count }) => {
    return { endpoint_id: endpoint, count, busy: [...busy], ...reading.place }
  })
  return db.short(DUE, [owner, JSON.stringify(wants)])
}
