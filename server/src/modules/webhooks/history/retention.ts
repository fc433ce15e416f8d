import type { World } from '#kernel/world.ts'
import { eventHorizon } from '#modules/events/index.ts'
import type { PlatformTx, Tx } from '#system/postgres/database.ts'
import { PARCEL_MIN } from '../deliver/settings.ts'
import type { NotEntitled } from '../projection/entitlement.ts'
import { cancelQueued } from '../queue/stop-store.ts'
import { openParcels, ownWorld } from '../queue/store.ts'
import { deleteStrays, lockExpired, lockExpiredParcels, turnPartitions } from './store.ts'

const REASON: NotEntitled = 'event_expired'

/**
 * "What is undelivered is kept as long as its event (90 days)." A delivery is younger than its event, so those beyond the
 * horizon wait for events that are beyond it too, behind an endpoint that was disabled for as long. Ends at most `limit`
 * of them, the oldest first, and says how many; their history tells why.
 */
export async function expireDeliveries(tx: Tx, limit: number): Promise<number> {
  const horizon = await eventHorizon(tx)
  // As many as are in so many of the smallest, so that all that may be ended now is there to be.
  const parcels = await lockExpiredParcels(tx, horizon, Math.ceil(limit / PARCEL_MIN))
  await openParcels(ownWorld(tx), parcels)
  const expired = await lockExpired(tx, horizon, limit)
  await cancelQueued(ownWorld(tx), expired, { reason: REASON, endedAt: null })
  return expired.length
}

/** "History is kept 30 days", of its world's time. */
export const HISTORY_DAYS = 30

/** Makes the partitions of the coming weeks and drops those that are too old, whole. */
export async function turnHistory(tx: PlatformTx, world: World): Promise<number> {
  return turnPartitions(tx, world, HISTORY_DAYS)
}

/** What lies outside of the weekly partitions, because the sandbox's clock jumped, is deleted by age. */
export async function purgeStrays(tx: Tx, limit: number): Promise<number> {
  return deleteStrays(tx, HISTORY_DAYS, limit)
}
