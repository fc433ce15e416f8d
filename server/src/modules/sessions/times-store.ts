import type { WorldTime } from '#kernel/clock.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

type Times = { readonly now: WorldTime; readonly later: WorldTime }

const TIMES = statement<Times>(
  'sessions.times',
  // Asked once: the clock goes on within a statement too, and PostgreSQL would ask it for each of the two.
  `with clock as materialized (select world_now() as now)
   select now, now + make_interval(hours => $1) as later from clock`,
)

/** The world's time, and so many hours after it. */
export async function nowAndLater(queries: WorldQueries, hours: number): Promise<Times> {
  return queries.one(TIMES, [hours])
}
