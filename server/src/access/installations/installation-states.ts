import type { EventNameOf } from '#events/index.ts'
import type { StateMachine } from '#kernel/state-machine.ts'

/**
 * from    move       to       event                 also
 * (none)  create     active   installation.created
 * active  revoke     revoked  installation.revoked  revoked_at and revoked_by set; access and refresh tokens stop,
 *                                                   queued deliveries are canceled
 * active  supersede  revoked  installation.revoked  the same, but users' access tokens run out by themselves
 *
 * "Its tokens stop working (401) and its webhooks stop, queued deliveries are canceled."
 * "A user reconnecting with different scopes revokes the old installation and creates a new one", and "tokens from the
 * earlier consent keep their old scopes until they expire or are revoked": that is superseding, not a revocation.
 * "A reinstall creates a new inst_ id": nothing leads out of revoked.
 */
export const INSTALLATION_STATES = ['active', 'revoked'] as const
export type InstallationState = (typeof INSTALLATION_STATES)[number]

export type InstallationMove = 'create' | 'revoke' | 'supersede'

/** A token minted on the installation has no consent behind it but this one's, and may never expire. */
export type InstallationAlso =
  | 'set_revoked'
  | 'stop_access_tokens'
  | 'stop_minted_tokens'
  | 'stop_refresh_tokens'
  | 'cancel_queued_deliveries'

type Event = EventNameOf<'installation'>

export const INSTALLATION_MACHINE: StateMachine<InstallationState, InstallationMove, Event, InstallationAlso> = {
  noun: 'installation',
  table: {
    none: { create: { to: 'active', events: ['installation.created'] } },
    active: {
      revoke: {
        to: 'revoked',
        events: ['installation.revoked'],
        also: ['set_revoked', 'stop_access_tokens', 'stop_refresh_tokens', 'cancel_queued_deliveries'],
      },
      supersede: {
        to: 'revoked',
        events: ['installation.revoked'],
        also: ['set_revoked', 'stop_minted_tokens', 'stop_refresh_tokens', 'cancel_queued_deliveries'],
      },
    },
    revoked: {},
  },
}
