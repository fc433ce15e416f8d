import {
  closure,
  holdableBy,
  INVESTOR_PII,
  inCatalogueOrder,
  isScopeName,
  mayCarry,
  needsOwnName,
  SCOPE_CATALOGUE,
  SCOPE_NAMES,
  type ScopeName,
  type ScopeNames,
  withoutWrites,
} from '#access/scopes/index.ts'
import type { Target, Tier } from './installation.ts'

export type GrantRequest = {
  /** The scopes that the app declares. */
  readonly declared: ScopeNames
  /** Null if the request lists no scopes: it then asks for everything that the app declares. */
  readonly requested: ScopeNames | null
  readonly tier: Tier
  readonly targetType: Target['type']
  /** Whether the installer is on the team of the app's organization. */
  readonly onTeam: boolean
  readonly piiApproved: boolean
}

/**
 * Why a requested scope is not granted. `WhyUngrantable` adds the reasons that depend on the installer.
 *
 * unknown                there is no such scope
 * not_declared           the app does not declare it
 * retired                another scope replaced it (the old name is not an alias), and the app does not declare the old name
 * not_for_installations  no installation can hold it; it is for the app's own referral codes, for example
 * must_be_listed         it is granted only if the request lists it
 */
export type WhyWithheld =
  | 'unknown'
  | 'not_declared'
  | 'retired'
  | 'not_for_installations'
  | 'must_be_listed'
  | WhyUngrantable

export type Withheld = { readonly scope: string; readonly why: WhyWithheld }

/** The scopes that an installation would get, in the catalogue's order, and the requested ones that it would not get. */
export type GrantOffer = { readonly granted: readonly ScopeName[]; readonly withheld: readonly Withheld[] }

/**
 * "tier and scopes show what was granted, which can be less than requested": the requested scopes that the app may carry and an
 * installation may hold. The others are omitted, which is not an error.
 *
 * Every app may carry read:public without declaring it, so it is granted if the request lists it. It is not added by
 * default, because every token has it, and an installation never stores it.
 */
export function grantOffer(request: GrantRequest): GrantOffer {
  const names = [...new Set<string>(request.requested ?? request.declared)]
  const checked = names.map((scope) => ({ scope, why: whyWithheld(scope, request) }))
  return {
    granted: inCatalogueOrder(checked.filter(({ why }) => why === null).map(({ scope }) => scope)),
    withheld: checked.flatMap(({ scope, why }) => (why === null ? [] : [{ scope, why }])),
  }
}

/** Returns the first reason that applies. Reasons that a caller can resolve come last. */
function whyWithheld(scope: string, request: GrantRequest): WhyWithheld | null {
  const { declared, requested, tier, targetType: target, onTeam, piiApproved: approved } = request
  if (!isScopeName(scope)) return 'unknown'
  if (!mayCarry(declared).has(scope)) return 'not_declared'
  if (isRetired(scope) && needsOwnName(scope) && !new Set<string>(declared).has(scope)) return 'retired'
  if (holdableBy('installation', [scope]).length === 0) return 'not_for_installations'
  const ungrantable = whyUngrantable(scope, { target, tier, onTeam, approved })
  if (ungrantable !== null) return ungrantable
  // "On a founder-tier installation listing it": a request without scopes does not list this scope.
  return requested === null && isFounders(scope) ? 'must_be_listed' : null
}

function isRetired(scope: ScopeName): boolean {
  return SCOPE_CATALOGUE[scope].replacedBy !== null
}

/** The person who grants, and the type of the target. */
export type Grantor = PiiGrantor & { readonly tier: Tier }

/** `pii_not_approved`: investor identity needs the app's own team or the platform's approval. */
export type WhyUngrantable = WhyNotByTier | 'pii_not_approved'

/** Why this person may not grant a scope that the app may carry. Installing and consenting share this rule. */
export function whyUngrantable(scope: ScopeName, grantor: Grantor): WhyUngrantable | null {
  const byTier = whyNotByTier(scope, grantor.tier)
  if (byTier !== null) return byTier
  return piiGrant([scope], grantor).length === 0 ? 'pii_not_approved' : null
}

/**
 * editor_no_writes  an editor cannot grant write scopes
 * founder_only      only a founder can grant it, on their company
 */
type WhyNotByTier = 'editor_no_writes' | 'founder_only'

const FULL_ATTRIBUTION: ScopeName = 'read:attribution:full'

/**
 * "An editor's installation drops write scopes silently." "read:attribution:full … on a founder-tier installation". The rule
 * applies to installing and to minting, with the role at that time. A user's own connection may hold read:attribution:full once
 * the app's program is approved, but only founder-tier installations show rows.
 */
function whyNotByTier(scope: ScopeName, tier: Tier): WhyNotByTier | null {
  if (tier === 'editor' && withoutWrites([scope]).length === 0) return 'editor_no_writes'
  return tier !== 'founder' && tier !== 'user' && isFounders(scope) ? 'founder_only' : null
}

/** The scopes that a person of this tier may grant. */
export function tierGrant(scopes: ScopeNames, tier: Tier): readonly ScopeName[] {
  return inCatalogueOrder(scopes).filter((name) => whyNotByTier(name, tier) === null)
}

/** True for every scope that implies read:attribution:full. */
function isFounders(scope: ScopeName): boolean {
  return closure([scope]).has(FULL_ATTRIBUTION)
}

/** The scopes that show who investors are, including any that imply read:investors:pii. */
export const SHOWING_INVESTORS: readonly ScopeName[] = SCOPE_NAMES.filter((name) => closure([name]).has(INVESTOR_PII))

type PiiGrantor = {
  readonly target: Target['type']
  /** Whether the person is owner, admin or developer of the app's organization. */
  readonly onTeam: boolean
  /** Whether the platform approved the app for investor PII. */
  readonly approved: boolean
}

/**
 * "An installation carries it only when the installer could grant it: either they manage the app's organization
 * (developer, admin or owner role) with no review, or the platform approved the app for investor PII." "Until approval,
 * installs by people outside the organization carry every other scope but not this one." "Syndicate installs are
 * unaffected." Returns the scopes that this person may grant.
 */
export function piiGrant(scopes: ScopeNames, { target, onTeam, approved }: PiiGrantor): readonly ScopeName[] {
  const may = target === 'syndicate' || onTeam || approved
  return inCatalogueOrder(scopes).filter((name) => may || !SHOWING_INVESTORS.includes(name))
}

/** What a grant of investor PII is based on. */
export type PiiBy = 'team' | 'approval'

/**
 * "The grant is frozen at install time": a grant by a team member needs no approval, even after the member has left. A grant by another
 * person is based on the approval, even if they join the team later. Null if no granted scope shows investors, and for a syndicate.
 */
export function piiBy(granted: ScopeNames, { target, onTeam }: Pick<PiiGrantor, 'target' | 'onTeam'>): PiiBy | null {
  const shows = inCatalogueOrder(granted).some((name) => SHOWING_INVESTORS.includes(name))
  if (target === 'syndicate' || !shows) return null
  return onTeam ? 'team' : 'approval'
}

/** The tiers of an installer: the company roles, highest first, and a syndicate's manager. */
export const COMPANY_TIERS = ['founder', 'admin', 'editor'] as const satisfies readonly Tier[]
export const INSTALLER_TIERS = [...COMPANY_TIERS, 'manager'] as const

export type InstallerTier = (typeof INSTALLER_TIERS)[number]

export type ResolvedTier =
  | { readonly ok: true; readonly tier: InstallerTier }
  | { readonly ok: false; readonly why: Why }
type Why = 'too_high' | 'of_another_target'

/**
 * The tier of an installation is the installer's role. On a company, the request may name a lower role. "Syndicate
 * installations are always manager tier."
 */
export function resolveTier(installerTier: InstallerTier, requested: InstallerTier | null): ResolvedTier {
  if (requested === null || requested === installerTier) return { ok: true, tier: installerTier }
  if (installerTier === 'manager' || requested === 'manager') return { ok: false, why: 'of_another_target' }
  return rank(requested) < rank(installerTier) ? { ok: false, why: 'too_high' } : { ok: true, tier: requested }
}

function rank(tier: (typeof COMPANY_TIERS)[number]): number {
  return COMPANY_TIERS.indexOf(tier)
}
