import { eventHorizon } from '#modules/events/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { ownWorld } from '../in-world-store.ts'
import { PARCEL_MIN } from '../parcels/parcel.ts'
import { openParcels } from '../parcels/store.ts'
import type { NotEntitled } from '../projection/entitlement.ts'
import { cancelQueued } from '../stopping/store.ts'
import { lockExpired, lockExpiredParcels } from './store.ts'

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
