import type { WorldTime } from '#kernel/clock.ts'
import type { World } from '#kernel/world.ts'
import type { Tx, WorldDatabase, WorldQueries } from './database.ts'
import { sharedRead } from './shared-lookup.ts'
import { shortStatement, statement } from './statement.ts'

type Schema = '' | `${World}.`

/**
 * SQL: how far the world's clock is ahead, for a column `clock_ahead`; null if it shows real time. The column's default has the
 * same value, but a function call costs several times as much as reading this one row.
 */
export const clockAhead = (schema: Schema) => `(select nullif(ahead, interval '0') from ${schema}world_clock)`

/** SQL: the current world time without the function call of `world_now()`, for statements that run for every fact. */
export const worldTime = (schema: Schema) => `(select clock_timestamp() + ahead from ${schema}world_clock)`

/**
 * SQL: the world time of a row that stores real time and how far the clock was ahead then. Real time is used for internal
 * comparisons; responses, events and delivery records show world time.
 */
export const shownTime = (row: string, real: string) => `(${row}.${real} + coalesce(${row}.clock_ahead, interval '0'))`

const NOW = statement<{ now: WorldTime }>('world_clock.now', `select ${worldTime('')} as now`)

export async function worldNow(queries: WorldQueries): Promise<WorldTime> {
  return (await queries.one(NOW)).now
}

/** A time without microseconds, only for display. Never store or compare it. */
export async function worldNowMs(queries: WorldQueries): Promise<number> {
  return Date.parse(await worldNow(queries))
}

const AHEAD = shortStatement<{ ahead_ms: number }>(
  'world_clock.ahead',
  'select (extract(epoch from ahead) * 1000)::float8 as ahead_ms from world_clock',
)

/**
 * How far the world's clock is ahead, for responses that contain their own time. Never cached: the clock may move at any time.
 */
export const clockAheadMs = sharedRead(async (db: WorldDatabase) => {
  if (db.world === 'live') return 0
  const [row] = await db.short(AHEAD)
  if (row === undefined) throw new Error('the world has no clock')
  return row.ahead_ms
})

export type ClockReading = { readonly now: WorldTime; readonly ahead_seconds: number }

/** The clock moves by whole seconds, so `ahead_seconds` is an integer. */
const READ = statement<ClockReading>(
  'world_clock.read',
  'select clock_timestamp() + ahead as now, extract(epoch from ahead)::int as ahead_seconds from world_clock',
)

export async function readClock(queries: WorldQueries): Promise<ClockReading> {
  return queries.one(READ)
}

const LOCK = statement<{ ahead_seconds: number }>(
  'world_clock.lock',
  'select extract(epoch from ahead)::int as ahead_seconds from world_clock for no key update',
)

/** Lock order: the clock before everything else; only moving the clock takes this lock. */
export async function lockClock(tx: Tx): Promise<{ readonly aheadSeconds: number }> {
  return { aheadSeconds: (await tx.one(LOCK)).ahead_seconds }
}

const MOVE = statement('world_clock.move', 'update world_clock set ahead = make_interval(secs => $1)')

export async function moveClock(tx: Tx, aheadSeconds: number): Promise<void> {
  await tx.run(MOVE, [aheadSeconds])
}
