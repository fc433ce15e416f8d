import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { PlatformQueries, PlatformTx } from '#system/postgres/database.ts'
import { platformStatement } from '#system/postgres/statement.ts'

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

type Wanted = {
  readonly unit: 'hour' | 'day'
  readonly mode: World | null
  readonly endpoint: Id<'webhookEndpoint'> | null
  readonly count: number
}

/** Oldest first; hours or days without an attempt are left out. */
export async function attemptCounts(
  queries: PlatformQueries,
  app: Id<'app'>,
  { unit, mode, endpoint, count }: Wanted,
): Promise<CountsRow[]> {
  return queries.many(SERIES, [app, unit, mode, endpoint, count])
}

/** How long counts by hour and by day are stored, in real time. */
const KEPT = { hourDays: 8, dayDays: 400 }

const PURGE = platformStatement(
  'webhooks.purge_attempt_counts',
  `delete from platform.delivery_counts
    where ctid = any (array(select ctid from platform.delivery_counts
                             where (unit = 'hour' and begins_at < clock_timestamp() - make_interval(days => $1))
                                or (unit = 'day' and begins_at < clock_timestamp() - make_interval(days => $2)) limit $3))`,
)

/** Deletes up to `limit` expired counts. */
export async function purgeAttemptCounts(tx: PlatformTx, limit: number): Promise<number> {
  return tx.run(PURGE, [KEPT.hourDays, KEPT.dayDays, limit])
}
