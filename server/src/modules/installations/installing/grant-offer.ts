import {
  holdableBy,
  inCatalogueOrder,
  isScopeName,
  mayCarry,
  needsOwnName,
  SCOPE_CATALOGUE,
  type ScopeName,
  type ScopeNames,
} from '#modules/scopes/index.ts'
import type { Target, Tier } from '../installation.ts'
import { type WhyNotTheirs, whyNotTheirs } from '../may-grant.ts'
import { isFounders } from '../tier-grant.ts'

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
 * Why a scope that was requested is not granted; beside these, because it is not the installer's to grant.
 *
 * unknown                there is no such scope
 * not_declared           the app does not declare it
 * retired                another scope replaced it, it is no alias of that one, and the app does not declare it
 * not_for_installations  it is never held by an installation: the app's own referral codes, for example
 * must_be_listed         it is granted only where the request lists it
 */
export type WhyWithheld =
  | 'unknown'
  | 'not_declared'
  | 'retired'
  | 'not_for_installations'
  | 'must_be_listed'
  | WhyNotTheirs

export type Withheld = { readonly scope: string; readonly why: WhyWithheld }

/** What an installation would carry, in the catalogue's order, and what it would not although it was requested. */
export type GrantOffer = { readonly granted: readonly ScopeName[]; readonly withheld: readonly Withheld[] }

/**
 * "tier and scopes show what was granted, which can be less than requested": requested, of what the app may carry and
 * an installation may hold; the rest is left out and never an error by itself.
 *
 * Every app may carry read:public without declaring it, so it is granted to whoever lists it; it is not added by itself,
 * because an installation ends when its last scope is removed from the app, and this one cannot be removed.
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
  const { declared, requested, tier, targetType: target, onTeam, piiApproved: approved } = request
  if (!isScopeName(scope)) return 'unknown'
  if (!mayCarry(declared).has(scope)) return 'not_declared'
  if (isRetired(scope) && needsOwnName(scope) && !new Set<string>(declared).has(scope)) return 'retired'
  if (holdableBy('installation', [scope]).length === 0) return 'not_for_installations'
  const notTheirs = whyNotTheirs(scope, { target, tier, onTeam, approved })
  if (notTheirs !== null) return notTheirs
  // "On a founder-tier installation listing it": saying nothing about scopes does not list it.
  return requested === null && isFounders(scope) ? 'must_be_listed' : null
}

function isRetired(scope: ScopeName): boolean {
  return SCOPE_CATALOGUE[scope].replacedBy !== null
}
