import type { WorldTime } from '#kernel/clock.ts'
import type { WorldDatabase, WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

const FACT_TIME = statement<{ occurred_at: WorldTime }>('demo.fact_time', 'select occurred_at from facts where id = $1')

/** When a fact that was applied happened; null if it was not. */
export async function findFactTime(queries: WorldQueries, id: string): Promise<WorldTime | null> {
  return (await queries.maybeOne(FACT_TIME, [id]))?.occurred_at ?? null
}

const DO_NOT_WAIT = statement<{ set: string }>(
  'demo.do_not_wait',
  `select pg_catalog.set_config('synchronous_commit', 'off', true) as set`,
)

/**
 * The same world for thousands of transactions that nobody was promised: none of them waits for the disk, which can take
 * minutes in all. A machine that fails then loses the last of them, never one before another, and whoever commits the
 * ordinary way makes all of those before it last.
 */
export function withoutWaiting(db: WorldDatabase): WorldDatabase {
  return {
    ...db,
    transaction: (work) =>
      db.transaction(async (tx) => {
        await tx.one(DO_NOT_WAIT)
        return work(tx)
      }),
  }
}
