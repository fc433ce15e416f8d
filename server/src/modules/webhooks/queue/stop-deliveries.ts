import type { Id } from '#kernel/ids.ts'
import type { OnRevoked } from '#modules/installations/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { disableBound } from '../disabling/store.ts'
import {
  cancelQueued,
  deleteSeen,
  findParcelsOf,
  finish,
  hasLeft,
  insertStops,
  lockLeft,
  lockQueued,
  lockUnfinished,
  pickQueued,
  type Stop,
  type UnfinishedStop,
} from './stop-store.ts'
import { fromPlatform, type InWorld, openParcels, ownWorld } from './store.ts'

/** A moment's work. Whoever is revoked with a million waiting is held no longer than anybody else. */
export const CANCELED_AT_ONCE = 1_000
export const OPENED_AT_ONCE = 16

/**
 * "Queued deliveries are canceled", at once and in the transaction that revokes or removes: the stop is written with it,
 * and from then on nothing that was queued before is sent, recorded as anything else, or shown as anything else. Moving it
 * into the history is all that may take longer; what is not moved here is moved by `endStopped`.
 */
export async function stopDeliveries(here: InWorld, stop: Stop): Promise<void> {
  const parcels = await findParcelsOf(here, stop, { limit: OPENED_AT_ONCE + 1, until: null })
  await openParcels(here, parcels.slice(0, OPENED_AT_ONCE))
  const picked = await pickQueued(here, stop, CANCELED_AT_ONCE)
  const held = await lockQueued(here, picked)
  await cancelQueued(here, held, { reason: stop.reason, endedAt: null })
  await insertStops(here, stop, picked.length === CANCELED_AT_ONCE || parcels.length > OPENED_AT_ONCE)
}

/**
 * "Its webhooks stop, queued deliveries are canceled", at once and in the transaction that revokes. Fan-out holds an
 * installation while it queues deliveries for it, so the revocation comes before those or finds them. The event that
 * tells of the revocation is recorded after this and fanned out later: it still goes to the app-wide endpoints.
 */
export const cancelDeliveries: OnRevoked = {
  inWorld: (tx, ids) => stop(ownWorld(tx), ids),
  onPlatform: (tx, world, ids) => stop(fromPlatform(tx, world), ids),
}

async function stop(here: InWorld, ids: readonly Id<'installation'>[]): Promise<void> {
  await disableBound(here, ids)
  await stopDeliveries(here, { reason: 'installation_revoked', ids })
}

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
