import { eventHorizon } from '#events/index.ts'
import type { World } from '#kernel/world.ts'
import type { PlatformTx, Tx } from '#system/postgres/database.ts'
import { DELIVERY_BATCH_MIN } from '../deliver/settings.ts'
import type { NotEntitled } from '../projection/entitlement.ts'
import { cancelQueued } from '../queue/stop-store.ts'
import { openDeliveryBatches, ownWorld } from '../queue/store.ts'
import { deleteStrays, lockExpired, lockExpiredDeliveryBatches, turnPartitions } from './store.ts'

const REASON: NotEntitled = 'event_expired'

/**
 * "What is undelivered is kept as long as its event (90 days)." A delivery is younger than its event, so the event of
 * an expired delivery has expired too. An endpoint has expired deliveries if it was disabled for 90 days, or if the
 * sandbox's clock jumped that far. Cancels at most `limit` expired deliveries, oldest first, and returns how many. The
 * history shows the reason.
 */
export async function expireDeliveries(tx: Tx, limit: number): Promise<number> {
  const horizon = await eventHorizon(tx)
  // Enough delivery batches for `limit` deliveries even if all are of the minimum size.
  const deliveryBatches = await lockExpiredDeliveryBatches(tx, horizon, Math.ceil(limit / DELIVERY_BATCH_MIN))
  await openDeliveryBatches(ownWorld(tx), deliveryBatches)
  const expired = await lockExpired(tx, horizon, limit)
  await cancelQueued(ownWorld(tx), expired, { reason: REASON, endedAt: null })
  return expired.length
}

/** "History is kept 30 days", of its world's time. */
export const HISTORY_DAYS = 30

/** Creates the partitions of the coming weeks and drops expired ones. */
export async function turnHistory(tx: PlatformTx, world: World): Promise<number> {
  return turnPartitions(tx, world, HISTORY_DAYS)
}

/** Deletes expired rows outside of the weekly partitions; a jump of the sandbox's clock causes such rows. */
export async function purgeStrays(tx: Tx, limit: number): Promise<number> {
  return deleteStrays(tx, HISTORY_DAYS, limit)
}
