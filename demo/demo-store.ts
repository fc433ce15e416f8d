import type { WorldTime } from '@portico/server/kernel/clock.ts'
import type { WorldQueries } from '@portico/server/system/postgres/database.ts'
import { statement } from '@portico/server/system/postgres/statement.ts'

const FACT_TIME = statement<{ occurred_at: WorldTime }>('demo.fact_time', 'select occurred_at from facts where id = $1')

/** When a fact that was applied happened; null if it was not. */
export async function findFactTime(queries: WorldQueries, id: string): Promise<WorldTime | null> {
  return (await queries.maybeOne(FACT_TIME, [id]))?.occurred_at ?? null
}
