import type { Id } from '#kernel/ids.ts'

/**
 * A partner's program with what is known of it, as stored. Times are real time, as text. What its organization is
 * comes along, because an app of an organization that was ended does nothing any more.
 */
export type App = {
  readonly id: Id<'app'>
  readonly organization_id: Id<'organization'>
  readonly organization_name: string
  readonly organization_state: 'active' | 'ended'
  readonly name: string
  readonly description: string | null
  readonly website_url: string | null
  readonly setup_url: string | null
  readonly api_version: string
  readonly scopes: readonly string[]
  readonly state: AppState
  readonly suspended_at: string | null
  readonly suspended_reason: string | null
  readonly disabled_at: string | null
  readonly approved_at: string | null
  readonly pii_requested_at: string | null
  readonly pii_approved_at: string | null
  readonly conditions_version: string
  readonly conditions_accepted_by: Id<'account'>
  readonly conditions_accepted_at: string
  /** What makes an app undeletable, when it happened first; withdrawing the approval does not undo that it was given. */
  readonly first_approved_at: string | null
  readonly first_live_token_at: string | null
  readonly first_installed_at: string | null
  /** Of its logo; null where it has none. */
  readonly logo_digest: Buffer | null
  readonly created_at: string
}

export const APP_STATES = ['active', 'suspended', 'disabled'] as const
export type AppState = (typeof APP_STATES)[number]
