import type { Tx } from '#system/postgres/database.ts'
import { ownWorld } from '../in-world-store.ts'
import { cancelQueued } from './cancel-store.ts'
import { deleteSeen, finish, hasLeft, lockLeft, lockUnfinished } from './end-store.ts'

/**
 * Moves what was stopped and still lies in the queue into the history: at most so many rows, and of one stop, so that
 * they are locked in the order of their ids as by everybody. Holds nothing else, so nobody waits for it who does not want
 * one of them. True where there may be more.
 */
export async function endStopped(tx: Tx, limit: number): Promise<boolean> {
  const stop = await lockUnfinished(tx)
  if (stop === null) return false
  const ids = await lockLeft(tx, stop, limit)
  await cancelQueued(ownWorld(tx), ids, { reason: stop.reason, endedAt: stop.ended_at })
  if (!(await hasLeft(tx, stop))) await finish(tx, stop)
  return true
}

/** A stop that nothing is left of, nor of the events recorded before it, says nothing any more. */
export async function forgetStops(tx: Tx, limit: number): Promise<number> {
  return deleteSeen(tx, limit)
}
