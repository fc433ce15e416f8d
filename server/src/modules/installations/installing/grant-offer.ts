import {
  closure,
  holdableBy,
  inCatalogueOrder,
  isScopeName,
  mayCarry,
  type ScopeName,
  type ScopeNames,
  withoutWrites,
} from '#modules/scopes/index.ts'
import type { Target, Tier } from '../installation.ts'
import { piiGrant } from '../pii-grant.ts'

export type GrantRequest = {
  /** What the app declares. */
  readonly declared: ScopeNames
  /** Null where nothing was listed: everything the app declares. */
  readonly requested: ScopeNames | null
  readonly tier: Tier
  readonly targetType: Target['type']
  /** Whether who installs is on the team of the app's organization. */
  readonly onTeam: boolean
  readonly piiApproved: boolean
}

/**
 * Why a scope that was requested is not granted.
 *
 * unknown                there is no such scope
 * not_declared           the app does not declare it
 * not_for_installations  it is never held by an installation: the app's own referral codes, for example
 * editor_no_writes       an editor installs, and editors grant no writing
 * founder_only           it needs an installation of founder tier
 * must_be_listed         it is granted only where the request lists it
 * pii_not_approved       who investors are, granted neither by the app's team nor under the platform's approval
 */
export type WhyWithheld =
  | 'unknown'
  | 'not_declared'
  | 'not_for_installations'
  | 'editor_no_writes'
  | 'founder_only'
  | 'must_be_listed'
  | 'pii_not_approved'

export type Withheld = { readonly scope: string; readonly why: WhyWithheld }

/** What an installation would carry, in the catalogue's order, and what it would not although it was requested. */
export type GrantOffer = { readonly granted: readonly ScopeName[]; readonly withheld: readonly Withheld[] }

/**
 * "tier and scopes show what was granted, which can be less than requested": requested, of what the app may carry and
 * an installation may hold; the rest is left out and never an error by itself. read:public, which every app has, is
 * granted where it is listed: an installation that was left with nothing else would otherwise never end.
 */
export function grantOffer(request: GrantRequest): GrantOffer {
  const names = [...new Set<string>(request.requested ?? request.declared)]
  const judged = names.map((scope) => ({ scope, why: whyWithheld(scope, request) }))
  return {
    granted: inCatalogueOrder(judged.filter(({ why }) => why === null).map(({ scope }) => scope)),
    withheld: judged.flatMap(({ scope, why }) => (why === null ? [] : [{ scope, why }])),
  }
}

/** The first reason, in the order in which somebody could do something about it. */
function whyWithheld(scope: string, request: GrantRequest): WhyWithheld | null {
  if (!isScopeName(scope)) return 'unknown'
  if (!mayCarry(request.declared).has(scope)) return 'not_declared'
  if (holdableBy('installation', [scope]).length === 0) return 'not_for_installations'
  return whyNotByTier(scope, request) ?? whyNotByPii(scope, request)
}

const FULL_ATTRIBUTION: ScopeName = 'read:attribution:full'

/**
 * "An editor's installation drops write scopes silently." "read:attribution:full … on a founder-tier installation
 * listing it": saying nothing about scopes does not list it.
 */
function whyNotByTier(scope: ScopeName, { tier, requested }: GrantRequest): WhyWithheld | null {
  if (tier === 'editor' && withoutWrites([scope]).length === 0) return 'editor_no_writes'
  if (!closure([scope]).has(FULL_ATTRIBUTION)) return null
  if (tier !== 'founder') return 'founder_only'
  return requested === null ? 'must_be_listed' : null
}

function whyNotByPii(scope: ScopeName, { targetType, onTeam, piiApproved }: GrantRequest): WhyWithheld | null {
  const grantor = { target: targetType, onTeam, approved: piiApproved }
  return piiGrant([scope], grantor).length === 0 ? 'pii_not_approved' : null
}
