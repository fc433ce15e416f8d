import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { Subscription } from '#modules/events/index.ts'

export const ENDPOINT_STATES = ['enabled', 'disabled', 'removed'] as const
export type EndpointState = (typeof ENDPOINT_STATES)[number]

/**
 * failing               not one success for five days
 * gone                  it answered 410
 * installation_revoked  it was bound to an installation, and stopped with it
 */
export const DISABLED_REASONS = ['failing', 'gone', 'installation_revoked'] as const
export type DisabledReason = (typeof DISABLED_REASONS)[number]

/** An address of an app's that receives deliveries, with how it fares. */
export type Endpoint = {
  readonly id: Id<'webhookEndpoint'>
  readonly app_id: Id<'app'>
  readonly world: World
  readonly url: string
  readonly events: readonly Subscription[]
  /** Null: it is for the whole app. */
  readonly installation_id: Id<'installation'> | null
  readonly state: EndpointState
  readonly disabled_reason: DisabledReason | null
  /** The time of its world, as the two below. */
  readonly created_at: string
  readonly failing_since: string | null
  readonly last_delivery_at: string | null
  /** A status as text, or the word for what kept an answer from coming. */
  readonly last_delivery_status: string | null
}
