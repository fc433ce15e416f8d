import type { Tx } from '#system/postgres/database.ts'
import { ownWorld } from '../in-world-store.ts'
import { openParcels } from '../parcels/store.ts'
import { OPENED_AT_ONCE } from './stop-deliveries.ts'
import {
  cancelQueued,
  deleteSeen,
  findParcelsOf,
  finish,
  hasLeft,
  lockLeft,
  lockUnfinished,
  type UnfinishedStop,
} from './store.ts'

/**
 * Moves what was stopped and still lies in the queue or in parcels into the history: at most so many rows, and of one stop, so
 * that they are locked in the order of their ids as by everybody. Holds nothing else, so nobody waits for it who does not want
 * one of them. True where there may be more.
 */
export async function endStopped(tx: Tx, limit: number): Promise<boolean> {
  const stop = await lockUnfinished(tx)
  if (stop === null) return false
  const parcels = await parcelsLeft(tx, stop, OPENED_AT_ONCE)
  await openParcels(ownWorld(tx), parcels)
  const ids = await lockLeft(tx, stop, limit)
  await cancelQueued(ownWorld(tx), ids, { reason: stop.reason, endedAt: stop.ended_at })
  if (!(await hasAnyLeft(tx, stop))) await finish(tx, stop)
  return true
}

/** Parcels before rows: what is in neither of the two was not opened between these looks, and is nowhere. */
async function hasAnyLeft(tx: Tx, stop: UnfinishedStop): Promise<boolean> {
  return (await parcelsLeft(tx, stop, 1)).length > 0 || hasLeft(tx, stop)
}

async function parcelsLeft(tx: Tx, { reason, stopped_id, stopped_at: until }: UnfinishedStop, limit: number) {
  return findParcelsOf(ownWorld(tx), { reason, ids: [stopped_id] }, { limit, until })
}

/** A stop that nothing is left of, nor of the events recorded before it, says nothing any more. */
export async function forgetStops(tx: Tx, limit: number): Promise<number> {
  return deleteSeen(tx, limit)
}
