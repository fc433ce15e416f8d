import type { WorldTime } from '#kernel/clock.ts'
import type { World } from '#kernel/world.ts'
import type { WorldDatabase, WorldQueries } from './database.ts'
import { sharedRead } from './shared-read.ts'
import { shortStatement, statement } from './statement.ts'

type Schema = '' | `${World}.`

/**
 * SQL: how far the world's clock is ahead, for a column `clock_ahead`; null where it shows real time. The column's default
 * says the same, but a function costs several times as much as this look at one row.
 */
export const clockAhead = (schema: Schema) => `(select nullif(ahead, interval '0') from ${schema}world_clock)`

/** SQL: the world's time at this moment, for statements that run for every fact. */
export const worldTime = (schema: Schema) => `(select clock_timestamp() + ahead from ${schema}world_clock)`

/**
 * SQL: the world's time of a row that keeps the real time, which is compared inside, and how far the clock was ahead then.
 * Answers, events and delivery records show this one.
 */
export const shownTime = (row: string, real: string) => `(${row}.${real} + coalesce(${row}.clock_ahead, interval '0'))`

const NOW = statement<{ now: WorldTime }>('world_clock.now', `select ${worldTime('')} as now`)

export async function worldNow(queries: WorldQueries): Promise<WorldTime> {
  return (await queries.one(NOW)).now
}

const AHEAD = shortStatement<{ ahead_ms: number }>(
  'world_clock.ahead',
  'select (extract(epoch from ahead) * 1000)::float8 as ahead_ms from world_clock',
)

/** How far the world's clock is ahead, for answers that say when they were made. Never remembered: it may be moved at any time. */
export const clockAheadMs = sharedRead(async (db: WorldDatabase) => {
  if (db.world === 'live') return 0
  const [row] = await db.short(AHEAD)
  if (row === undefined) throw new Error('the world has no clock')
  return row.ahead_ms
})
