import {
  type Program as GatedBy,
  inCatalogueOrder,
  SCOPE_CATALOGUE,
  SCOPE_NAMES,
  type ScopeName,
} from '#access/scopes/index.ts'
import { validationError } from '#kernel/errors.ts'
import type { ClientId, Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { PlatformTx } from '#system/postgres/database.ts'

/**
 * A stored app of a partner. Times are real time, as text. The app includes the state of its organization, because an app of an ended
 * organization must not do anything.
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
  readonly approval_requested_at: string | null
  readonly approval_declined_at: string | null
  readonly pii_requested_at: string | null
  readonly pii_approved_at: string | null
  readonly conditions_version: string
  readonly conditions_accepted_by: Id<'account'>
  readonly conditions_accepted_at: string
  /**
   * If one of these three times is set, the app cannot be deleted. Each is the time of the first occurrence, so withdrawing the
   * approval does not reset it.
   */
  readonly first_approved_at: string | null
  readonly first_live_token_at: string | null
  readonly first_installed_at: string | null
  /** The digest of its logo; null without a logo. */
  readonly logo_digest: Buffer | null
  readonly created_at: string
}

export const APP_STATES = ['active', 'suspended', 'disabled'] as const
export type AppState = (typeof APP_STATES)[number]

export const CLIENT_TYPES = ['confidential', 'public'] as const
export type ClientType = (typeof CLIENT_TYPES)[number]

/** A key has the state of its app and organization, unless it was revoked. */
export const KEY_STATES = ['active', 'suspended', 'disabled', 'ended', 'revoked'] as const
export type KeyState = (typeof KEY_STATES)[number]

/** An OAuth client: a key of an app, with the current rights of the app. */
export type Client = {
  readonly keyId: ClientId
  readonly appId: Id<'app'>
  readonly world: World
  readonly clientType: ClientType
  readonly redirectUris: readonly string[]
  readonly state: KeyState
  /** The declared scopes as stored. The scopes module adds the scopes that they include. */
  readonly scopes: readonly string[]
  readonly apiVersion: string
  /** The key's generation at the time of this read. A token records it. Disabling the app increases it, which ends earlier tokens. */
  readonly generation: number
  /** The app's revision at the time of this read. If a later read under the lock finds another one, the app was changed in between. */
  readonly revision: string
  readonly piiApproved: boolean
}

export type ProgramName = GatedBy['name']
export type ProgramTier = NonNullable<GatedBy['tier']>
export const PROGRAM_NAMES = ['marketing_partner', 'founder'] as const satisfies readonly ProgramName[]

/** An access program at one of its tiers; the founder program has no tiers. */
export type ProgramAt = { readonly program: ProgramName; readonly tier: ProgramTier | null }

/** A requested or granted access program. Times are real time, as text. */
export type AppProgram = ProgramAt & {
  readonly app_id: Id<'app'>
  readonly requested_at: string | null
  readonly approved_at: string | null
}

/**
 * The program and tier that wait for the platform's decision; null if none waits. A team whose app is in a program can only request
 * the higher tier, tier 1. Times are compared as text, like `WAITING` in store.ts compares them in SQL.
 */
export function requestedProgram({ program, tier, requested_at, approved_at }: AppProgram): ProgramAt | null {
  if (approved_at === null) return { program, tier }
  return requested_at !== null && requested_at > approved_at ? { program, tier: 1 } : null
}

/** The program with its tier. The marketing partner program always needs a tier; the founder program has no tiers. */
export function programAt(program: ProgramName, tier: ProgramTier | undefined): ProgramAt {
  if (program === 'founder' && tier !== undefined) {
    throw validationError([
      { field: 'tier', code: 'unexpected', message: 'is not for this program, which has no tiers' },
    ])
  }
  if (program === 'marketing_partner' && tier === undefined) {
    throw validationError([{ field: 'tier', code: 'required', message: 'is required for this program' }])
  }
  return { program, tier: tier ?? null }
}

/** The scopes that an approval adds to an app: those of the program itself, and those of its tiers up to this one. */
export function programScopes({ program, tier }: ProgramAt): readonly ScopeName[] {
  return inCatalogueOrder(
    SCOPE_NAMES.filter((name) => {
      const gate = SCOPE_CATALOGUE[name].program
      return gate?.name === program && (gate.tier === undefined || (tier !== null && gate.tier <= tier))
    }),
  )
}

/**
 * "These apply to every app, sandbox and live, and acceptance is recorded at app creation." Each text has its own page
 * (access/conditions). This constant is the version that comes with the release; `conditionsInForce` also finds versions that
 * operators published.
 */
export const CONDITIONS_VERSION = '2026-11-01'

export const CONDITIONS_PATH = '/conditions'

/** The permanent URL of a version on this host; an acceptance refers to it. */
export function conditionsUrl(version: string): string {
  return `${CONDITIONS_PATH}/${version}`
}

/** Only the conditions in force can be accepted. */
export function rejectOtherConditions(accepted: string, inForce: string): void {
  if (accepted === inForce) return
  const message = `must be ${inForce}, the version of the usage conditions in force`
  throw validationError([{ field: 'accepted_conditions', code: 'outdated', message }])
}

/** What a team can ask the platform for. */
export const REQUEST_KINDS = ['approval', 'pii', 'program'] as const
export type RequestKind = (typeof REQUEST_KINDS)[number]

export const APP_NOTICES = [
  'app.suspended',
  'app.suspension_lifted',
  'app.approved',
  'app.pii_approved',
  'app.program_granted',
  'app.request_declined',
  'app.scopes_removed',
  'app.pii_withdrawn',
  'app.conditions_published',
  'app_key.secret_expiring',
] as const

/** How many installations were narrowed or ended, and what else stopped, when the app lost a scope or an approval. */
export type Stopped = {
  readonly installs_narrowed?: number
  readonly installs_disconnected: number
  readonly tokens_revoked?: number
  readonly refresh_tokens_revoked?: number
  readonly endpoints_disabled?: number
}

/** A notice to an app's team about the app or one of its keys. */
export type AppNotice = { readonly app: Id<'app'> } & (
  | { readonly kind: 'app.suspended'; readonly reason: string }
  | { readonly kind: 'app.suspension_lifted' | 'app.approved' | 'app.pii_approved' }
  | { readonly kind: 'app.program_granted'; readonly program: ProgramAt }
  | {
      readonly kind: 'app.request_declined'
      readonly request: RequestKind
      readonly program: ProgramName | null
      /** The text that the team gets. */
      readonly reason: string
    }
  | {
      readonly kind: 'app.scopes_removed'
      readonly by: 'team' | 'platform'
      readonly scopes: readonly string[]
      readonly stopped: Stopped
    }
  | { readonly kind: 'app.pii_withdrawn'; readonly stopped: Stopped }
  | { readonly kind: 'app.conditions_published'; readonly version: string }
  | {
      readonly kind: 'app_key.secret_expiring'
      readonly world: World
      readonly key: ClientId
      /** The name that the team gave the key. */
      readonly name: string
      /** Real time. */
      readonly expiresAt: string
    }
)

/** Runs in the transaction of the change. `main` passes a function of the notices module, because that module depends on this one. */
export type NotifyAppTeam = (tx: PlatformTx, notice: AppNotice) => Promise<void>
