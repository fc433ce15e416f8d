import type { EventNameOf, NewEvent } from '#events/index.ts'
import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { StateMachine } from '#kernel/state-machine.ts'

export const TARGET_TYPES = ['company', 'syndicate', 'user'] as const

/** "target.name: null for a user." */
export type Target =
  | { readonly type: 'company'; readonly id: Id<'company'>; readonly name: string }
  | { readonly type: 'syndicate'; readonly id: Id<'syndicate'>; readonly name: string }
  | { readonly type: 'user'; readonly id: Id<'user'>; readonly name: null }

/** The first three are tiers on companies, the fourth on syndicates, the last on users. */
export const TIERS = ['founder', 'admin', 'editor', 'manager', 'user'] as const
export type Tier = (typeof TIERS)[number]

/** An app on a company, a syndicate or a user, with the scopes that were granted to the app there. */
export type Installation = {
  readonly id: Id<'installation'>
  readonly appId: Id<'app'>
  readonly target: Target
  readonly tier: Tier
  readonly scopes: readonly string[]
  /** Scopes that were granted and later removed, because the app lost them. */
  readonly takenScopes: readonly string[]
  /** Whether the request named no scope. Then read:profile was granted by default, independent of what the app declares. */
  readonly byDefault: boolean
  readonly state: InstallationState
  readonly installedAt: WorldTime
  readonly installedByRole: string
  readonly revokedAt: WorldTime | null
  readonly revokedByRole: string | null
}

/** The installation record of the specification. "Roles say who acted, never names or emails." */
export type InstallationRecord = {
  readonly id: Id<'installation'>
  readonly status: InstallationState
  readonly target: Target
  readonly tier: Tier
  readonly scopes: readonly string[]
  readonly installed_at: WorldTime
  readonly installed_by: { readonly role: string }
  /** "revoked_at, revoked_by.role: on revoked installations", and only on these. */
  readonly revoked_at?: WorldTime
  readonly revoked_by?: { readonly role: string }
}

export function recordOf(installation: Installation): InstallationRecord {
  const { id, state, target, tier, scopes, installedAt, installedByRole, revokedAt, revokedByRole } = installation
  return {
    id,
    status: state,
    target,
    tier,
    scopes,
    installed_at: installedAt,
    installed_by: { role: installedByRole },
    ...(revokedAt === null || revokedByRole === null
      ? {}
      : { revoked_at: revokedAt, revoked_by: { role: revokedByRole } }),
  }
}

/**
 * An event has "id, status, target, tier, scopes, installed_at, installed_by.role, occurred_at"; for a revocation "plus revoked_at and
 * revoked_by.role". The event's data is the record itself, and the event's time is the time of the record's last change.
 */
export function installationEvent(name: EventNameOf<'installation'>, installation: Installation): NewEvent {
  return {
    name,
    subject: { installationId: installation.id, ...targetOf(installation.target) },
    occurredAt: lastChange(installation),
    data: recordOf(installation),
  }
}

function lastChange({ installedAt, revokedAt }: Installation): WorldTime {
  return revokedAt ?? installedAt
}

function targetOf(target: Target): NewEvent['subject'] {
  switch (target.type) {
    case 'company':
      return { companyId: target.id }
    case 'syndicate':
      return { syndicateId: target.id }
    case 'user':
      return { userId: target.id }
  }
}

/**
 * from    move       to       event                 also
 * (none)  create     active   installation.created
 * active  revoke     revoked  installation.revoked  revoked_at and revoked_by set; access and refresh tokens stop,
 *                                                   queued deliveries are canceled
 * active  supersede  revoked  installation.revoked  the same, but users' access tokens work until they expire
 *
 * "Its tokens stop working (401) and its webhooks stop, queued deliveries are canceled."
 * "A user reconnecting with different scopes revokes the old installation and creates a new one", and "tokens from the
 * earlier consent keep their old scopes until they expire or are revoked": that is the move `supersede`, not `revoke`.
 * "A reinstall creates a new inst_ id": no move begins in the state `revoked`.
 */
export const INSTALLATION_STATES = ['active', 'revoked'] as const
export type InstallationState = (typeof INSTALLATION_STATES)[number]

export type InstallationMove = 'create' | 'revoke' | 'supersede'

/** Minted tokens stop at every move to `revoked`, because they depend only on this installation and may never expire. */
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
