import type { Id } from '#kernel/ids.ts'
import type { OnRevoked } from '#modules/installations/index.ts'
import { fromPlatform, type InWorld, ownWorld } from './in-world-store.ts'
import { stopDeliveries } from './stopping/stop-deliveries.ts'
import { disableBound } from './store.ts'

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
