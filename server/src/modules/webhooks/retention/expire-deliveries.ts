import { eventHorizon } from '#modules/events/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { ownWorld } from '../in-world-store.ts'
import type { NotEntitled } from '../projection/entitlement.ts'
import { cancelQueued } from '../stopping/cancel-store.ts'
import { lockExpired } from './store.ts'

const REASON: NotEntitled = 'event_expired'

/**
 * "What is undelivered is kept as long as its event (90 days)." A delivery is younger than its event, so those beyond the
 * horizon wait for events that are beyond it too, behind an endpoint that was disabled for as long. Ends at most `limit`
 * of them, the oldest first, and says how many; their history tells why.
 */
export async function expireDeliveries(tx: Tx, limit: number): Promise<number> {
  const expired = await lockExpired(tx, await eventHorizon(tx), limit)
  await cancelQueued(ownWorld(tx), expired, { reason: REASON, endedAt: null })
  return expired.length
}
