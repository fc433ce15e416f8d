import type { WorldTime } from '#kernel/clock.ts'
import type { Tx, WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

export type ClockReading = { readonly now: WorldTime; readonly ahead_seconds: number }

/** The clock moves by whole seconds, so `ahead_seconds` is an integer. */
const READ_CLOCK = statement<ClockReading>(
  'sandbox.read_clock',
  'select clock_timestamp() + ahead as now, extract(epoch from ahead)::int as ahead_seconds from world_clock',
)

export async function readClock(queries: WorldQueries): Promise<ClockReading> {
  return queries.one(READ_CLOCK)
}

const LOCK_CLOCK = statement<{ ahead_seconds: number }>(
  'sandbox.lock_clock',
  'select extract(epoch from ahead)::int as ahead_seconds from world_clock for no key update',
)

/** Lock order: the clock before everything, and nothing but advancing it takes this lock. */
export async function lockClock(tx: Tx): Promise<{ readonly aheadSeconds: number }> {
  return { aheadSeconds: (await tx.one(LOCK_CLOCK)).ahead_seconds }
}

const MOVE_CLOCK = statement('sandbox.move_clock', 'update world_clock set ahead = make_interval(secs => $1)')

export async function moveClock(tx: Tx, aheadSeconds: number): Promise<void> {
  await tx.run(MOVE_CLOCK, [aheadSeconds])
}

const WORLD_NOW = statement<{ now: WorldTime }>('sandbox.world_now', 'select world_now() as now')

export async function worldNow(queries: WorldQueries): Promise<WorldTime> {
  return (await queries.one(WORLD_NOW)).now
}

const LATER = statement<{ at: WorldTime }>('sandbox.later', 'select $1::timestamptz + make_interval(hours => $2) as at')

/** Computed in PostgreSQL, because a JavaScript Date would lose microseconds. */
export async function hoursAfter(queries: WorldQueries, time: WorldTime, hours: number): Promise<WorldTime> {
  return (await queries.one(LATER, [time, hours])).at
}
