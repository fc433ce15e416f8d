import type { Tx } from '#system/postgres/database.ts'
import type { Lane } from './lane.ts'
import { findNextDue, lockOwnLane, releaseLane } from './lane-store.ts'

/**
 * Leaves a lane to whoever comes next, and says when that should be. Locked first, then looked at in a new statement:
 * fan-out, which locks it after queueing, is either seen here or sees the lane asleep and wakes it. No wake-up is lost.
 * Says whether something is left in it.
 */
export async function release(tx: Tx, lane: Lane, owner: string): Promise<boolean> {
  if (!(await lockOwnLane(tx, lane.endpoint, owner))) return false
  const nextDueAt = await findNextDue(tx, lane.endpoint)
  const { slots, reading, pausedUntil } = lane
  await releaseLane(tx, lane.endpoint, { slots, swept: reading.hasSwept, nextDueAt, pausedUntil })
  return nextDueAt !== null
}
