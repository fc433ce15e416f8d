import type { Id } from '#kernel/ids.ts'
import type { Attempt } from '../deliver/attempt.ts'

/**
 * pending    still to be made, or made without success and tried again
 * delivered  answered with 2xx
 * exhausted  the last attempt failed too
 * canceled   the receiver may not have it any more; `reason` says why
 */
export const DELIVERY_STATES = ['pending', 'delivered', 'exhausted', 'canceled'] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]

/** One event on its way to one endpoint for one installation, waiting or ended. */
export type Delivery = {
  readonly id: Id<'delivery'>
  readonly event_id: Id<'event'>
  /** Null where the event is kept no longer. */
  readonly event: string | null
  readonly installation_id: Id<'installation'> | null
  readonly api_version: string
  readonly state: DeliveryState
  readonly reason: string | null
  /** World time, as all of these and those of attempts. */
  readonly created_at: string
  /** Null once it ended. */
  readonly due_at: string | null
  readonly ended_at: string | null
  readonly redelivery_of: Id<'delivery'> | null
  readonly attempts: readonly Attempt[]
}
