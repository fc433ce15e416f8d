import type { OnRevoked } from '#access/installations/index.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { disableBound } from '../disabling/store.ts'
import {
  cancelQueued,
  deleteFinishedStops,
  findDeliveryBatchesOf,
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
import { fromPlatform, type InWorld, openDeliveryBatches, ownWorld } from './store.ts'

/** Limits the work in the revoking transaction, which may find a million queued deliveries. */
export const CANCELED_AT_ONCE = 1_000
/** How many delivery batches one transaction splits into rows of the queue. */
export const OPENED_AT_ONCE = 16

/**
 * "Queued deliveries are canceled", at once, in the transaction that revokes the installation or removes the endpoint.
 * The same transaction also writes the stop. From then on, deliveries that were queued before the stop are not sent, and
 * count as canceled everywhere. Only their move into the history may take longer: `endStopped` moves the rest.
 */
export async function stopDeliveries(here: InWorld, stop: Stop): Promise<void> {
  const deliveryBatches = await findDeliveryBatchesOf(here, stop, { limit: OPENED_AT_ONCE + 1, until: null })
  await openDeliveryBatches(here, deliveryBatches.slice(0, OPENED_AT_ONCE))
  const picked = await pickQueued(here, stop, CANCELED_AT_ONCE)
  const locked = await lockQueued(here, picked)
  await cancelQueued(here, locked, { reason: stop.reason, endedAt: null })
  await insertStops(here, stop, picked.length === CANCELED_AT_ONCE || deliveryBatches.length > OPENED_AT_ONCE)
}

/**
 * "Its webhooks stop, queued deliveries are canceled", at once, in the transaction that revokes. While fan-out queues
 * deliveries for an installation, it locks the installation. So the revocation either runs before fan-out or finds the
 * new deliveries. The event installation.revoked is recorded afterwards and still goes to app-wide endpoints.
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
 * Moves stopped deliveries from the queue and from delivery batches into the history: at most `limit` rows of one stop,
 * locked in the order of ids. It locks no endpoint and no lane. Returns whether there may be more such deliveries.
 */
export async function endStopped(tx: Tx, limit: number): Promise<boolean> {
  const stop = await lockUnfinished(tx)
  if (stop === null) return false
  const deliveryBatches = await deliveryBatchesLeft(tx, stop, OPENED_AT_ONCE)
  await openDeliveryBatches(ownWorld(tx), deliveryBatches)
  const ids = await lockLeft(tx, stop, limit)
  await cancelQueued(ownWorld(tx), ids, { reason: stop.reason, endedAt: stop.ended_at })
  if (!(await hasAnyLeft(tx, stop))) await finish(tx, stop)
  return true
}

/**
 * Searches delivery batches before rows: if a batch is opened between the two queries, the second query finds its rows.
 */
async function hasAnyLeft(tx: Tx, stop: UnfinishedStop): Promise<boolean> {
  return (await deliveryBatchesLeft(tx, stop, 1)).length > 0 || hasLeft(tx, stop)
}

async function deliveryBatchesLeft(tx: Tx, { reason, stopped_id, stopped_at: until }: UnfinishedStop, limit: number) {
  return findDeliveryBatchesOf(ownWorld(tx), { reason, ids: [stopped_id] }, { limit, until })
}

/** Deletes stops without remaining deliveries and without older events that are not fanned out yet. */
export async function deleteOldStops(tx: Tx, limit: number): Promise<number> {
  return deleteFinishedStops(tx, limit)
}
