import type { Id } from '#kernel/ids.ts'
import { inEach, type World } from '#kernel/world.ts'
import type { PlatformQueries, PlatformTx } from '#system/postgres/database.ts'
import { platformStatement } from '#system/postgres/statement.ts'

/** How many of an endpoint's newest ended deliveries are read, and the maximum for the count of waiting ones. */
export const RECENT_MAX = 1_000
export const WAITING_MAX = 10_000

/** Times are world time. */
export type Health = {
  readonly recent: number
  readonly delivered: number
  readonly waiting: number
  readonly last_success_at: string | null
  readonly last_failure_at: string | null
}

/**
 * The time of the last failed attempt. The last attempt of a delivered delivery succeeded, so the attempt before the
 * last is read.
 */
const FAILED_AT = (state: string) =>
  `(d.attempts -> (case when ${state} = 'delivered' then -2 else -1 end) ->> 'at')::timestamptz`

/**
 * Reads the newest deliveries by id, one index scan for each endpoint. The lane has the endpoint's last attempt, which
 * may belong to a delivery that is not among the newest.
 */
const HEALTH = inEach((world) =>
  platformStatement<Health & { readonly endpoint_id: Id<'webhookEndpoint'> }>(
    `webhooks.endpoint_health_${world}`,
    `select l.endpoint_id, ended.recent, ended.delivered,
            least(queued.waiting + batches.waiting, $3)::int as waiting,
            greatest(ended.succeeded_at, case when l.last_delivery_status ~ '^2' then l.last_delivery_at end) as last_success_at,
            greatest(ended.failed_at, queued.failed_at,
                     case when l.last_delivery_status !~ '^2' then l.last_delivery_at end) as last_failure_at
       from ${world}.webhook_lanes l
      cross join lateral (
        select count(*) filter (where d.state <> 'canceled')::int as recent,
               count(*) filter (where d.state = 'delivered')::int as delivered,
               max(d.ended_at) filter (where d.state = 'delivered') as succeeded_at, max(${FAILED_AT('d.state')}) as failed_at
          from (select h.state, h.ended_at, h.attempts from ${world}.delivery_history h
                 where h.endpoint_id = l.endpoint_id order by h.id desc limit $2) d) ended
      cross join lateral (
        select count(*)::int as waiting, max(${FAILED_AT("'pending'")}) as failed_at
          from (select q.attempts from ${world}.delivery_queue q
                 where q.endpoint_id = l.endpoint_id order by q.id desc limit $3) d) queued
      cross join lateral (
        select coalesce(sum(cardinality(p.delivery_ids)), 0) as waiting
          from (select b.delivery_ids from ${world}.delivery_parcels b
                 where b.endpoint_id = l.endpoint_id order by b.id desc limit $3) p) batches
      where l.endpoint_id = any($1)`,
  ),
)

type Place = { readonly id: Id<'webhookEndpoint'>; readonly world: World }

/** The health of each endpoint, by its id. */
export async function findHealth(
  queries: PlatformQueries,
  endpoints: readonly Place[],
): Promise<ReadonlyMap<Id<'webhookEndpoint'>, Health>> {
  const found = new Map<Id<'webhookEndpoint'>, Health>()
  for (const [world, some] of Map.groupBy(endpoints, (endpoint) => endpoint.world)) {
    const ids = some.map(({ id }) => id)
    const rows = await queries.many(HEALTH[world], [ids, RECENT_MAX, WAITING_MAX])
    for (const { endpoint_id, ...health } of rows) found.set(endpoint_id, health)
  }
  return found
}

type CountsRow = {
  readonly begins_at: string
  readonly delivered: number
  readonly failed: number
  readonly mean_lag_ms: number | null
}

const SERIES = platformStatement<CountsRow>(
  'webhooks.attempt_counts',
  `select c.begins_at, sum(c.delivered)::float8 as delivered, sum(c.failed)::float8 as failed,
          sum(c.lag_ms) / nullif(sum(c.first_attempts), 0)::float8 as mean_lag_ms
     from platform.webhook_endpoints e join platform.delivery_counts c on c.endpoint_id = e.id
    where e.app_id = $1 and e.state <> 'removed' and c.unit = $2 and ($3::text is null or e.world = $3)
      and ($4::text is null or e.id = $4)
      and c.begins_at > date_trunc($2, clock_timestamp(), 'UTC') - $5::int * ('1 ' || $2)::interval
    group by c.begins_at order by c.begins_at`,
)

type WantedCounts = {
  readonly unit: 'hour' | 'day'
  readonly mode: World | null
  readonly endpoint: Id<'webhookEndpoint'> | null
  readonly count: number
}

/** Oldest first; hours or days without an attempt are left out. */
export async function attemptCounts(
  queries: PlatformQueries,
  app: Id<'app'>,
  { unit, mode, endpoint, count }: WantedCounts,
): Promise<CountsRow[]> {
  return queries.many(SERIES, [app, unit, mode, endpoint, count])
}

const SERIES_OF_ALL = platformStatement<CountsRow>(
  'webhooks.attempt_counts_of_all',
  `select c.begins_at, sum(c.delivered)::float8 as delivered, sum(c.failed)::float8 as failed,
          sum(c.lag_ms) / nullif(sum(c.first_attempts), 0)::float8 as mean_lag_ms
     from platform.delivery_counts c join platform.webhook_endpoints e on e.id = c.endpoint_id and e.world = $2
    where c.unit = $1 and c.begins_at > date_trunc($1, clock_timestamp(), 'UTC') - $3::int * ('1 ' || $1)::interval
    group by c.begins_at order by c.begins_at`,
)

/** The attempts at all partners' endpoints together, for operators. */
export async function attemptCountsOfAll(
  queries: PlatformQueries,
  world: World,
  { unit, count }: Pick<WantedCounts, 'unit' | 'count'>,
): Promise<CountsRow[]> {
  return queries.many(SERIES_OF_ALL, [unit, world, count])
}

/** How long counts by hour and by day are stored, in real time. */
const RETENTION = { hourDays: 8, dayDays: 400 }

const PURGE = platformStatement(
  'webhooks.purge_attempt_counts',
  `delete from platform.delivery_counts
    where ctid = any (array(select ctid from platform.delivery_counts
                             where (unit = 'hour' and begins_at < clock_timestamp() - make_interval(days => $1))
                                or (unit = 'day' and begins_at < clock_timestamp() - make_interval(days => $2)) limit $3))`,
)

/** Deletes up to `limit` expired counts. */
export async function purgeAttemptCounts(tx: PlatformTx, limit: number): Promise<number> {
  return tx.run(PURGE, [RETENTION.hourDays, RETENTION.dayDays, limit])
}
