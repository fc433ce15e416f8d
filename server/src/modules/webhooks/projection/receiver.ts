import type { Id } from '#kernel/ids.ts'
import type { StoredEvent } from '#modules/events/index.ts'
import type { InstallationState, Target } from '#modules/installations/index.ts'

/** What an event is about: whom it concerns is decided by these. */
export type ConcerningEvent = Pick<StoredEvent, 'name'> & {
  readonly company_id: string | null
  readonly syndicate_id: string | null
  readonly user_id: string | null
  readonly installation_id: string | null
  readonly app_id: string | null
  /** Whether the investment it is about is hidden from its company, now; false where it is about none. */
  readonly hidden: boolean
  /** An investment.changed of which nothing can be seen without the investor's identity. */
  readonly identity_only: boolean
  /** What an intent proposed; null for all other events. */
  readonly action?: string | null
  /** The installation that created the investment session; null for all other events. */
  readonly created_by?: string | null
}

/** As it is stored. */
export type ProjectedEvent = StoredEvent & ConcerningEvent

/** The installation a delivery is for, as it is now. */
export type ReceivingInstallation = {
  readonly id: Id<'installation'>
  readonly state: InstallationState
  readonly target: { readonly type: Target['type']; readonly id: string }
  /** As granted; what they amount to is looked up. */
  readonly scopes: readonly string[]
  /** A user's own connection, while the account of that user is disabled. */
  readonly accountDisabled?: boolean
}

/** Whose endpoint it is. */
export type ReceivingApp = {
  readonly id: Id<'app'>
  /** Neither suspended nor disabled, and its organization not ended. */
  readonly active: boolean
}
