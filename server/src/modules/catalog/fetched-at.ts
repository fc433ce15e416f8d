import type { WallClock } from '#kernel/clock.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { clockAheadMs } from '#system/postgres/world-clock.ts'

/** When figures are read, in milliseconds by the clock of their world: what `fetched_at` and the pages show. */
export async function fetchedAt(db: WorldDatabase, clock: WallClock): Promise<number> {
  return clock.now() + (await clockAheadMs(db))
}
