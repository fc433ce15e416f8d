import type { OnRevoked } from '#modules/installations/index.ts'
import { stopDeliveries, stopDeliveriesIn } from './on-revoked-store.ts'

/**
 * "Its webhooks stop, queued deliveries are canceled", at once and in the transaction that revokes. Fan-out holds an
 * installation while it queues deliveries for it, so the revocation comes before those or finds them. The event that
 * tells of the revocation is recorded after this and fanned out later: it still goes to the app-wide endpoints.
 */
export const cancelDeliveries: OnRevoked = { inWorld: stopDeliveries, onPlatform: stopDeliveriesIn }
