import type { WorldTime } from '#kernel/clock.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

const LATER = statement<{ at: WorldTime }>('sandbox.later', 'select $1::timestamptz + make_interval(hours => $2) as at')

/** Computed in PostgreSQL, because a JavaScript Date would lose microseconds. */
export async function hoursAfter(queries: WorldQueries, time: WorldTime, hours: number): Promise<WorldTime> {
  return (await queries.one(LATER, [time, hours])).at
}
