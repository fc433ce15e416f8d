import type { InWorld } from '../in-world-store.ts'
import { openParcels } from '../parcels/store.ts'
import type { Stop } from './stop.ts'
import { cancelQueued, findParcelsOf, insertStops, lockQueued, pickQueued } from './store.ts'

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
