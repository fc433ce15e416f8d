import { closure, inCatalogueOrder, type ScopeName, type ScopeNames, withoutWrites } from '#modules/scopes/index.ts'
import type { Tier } from './installation.ts'

/**
 * editor_no_writes  an editor grants no writing
 * founder_only      it takes a founder, on their company
 */
export type WhyNotByTier = 'editor_no_writes' | 'founder_only'

const FULL_ATTRIBUTION: ScopeName = 'read:attribution:full'

/**
 * "An editor's installation drops write scopes silently." "read:attribution:full … on a founder-tier installation". The
 * same rule for who installs or has a token minted, each as what they are at that moment. A user's own connection may
 * hold the full scope once the app's program is approved; rows open on founder-tier installations only.
 */
export function whyNotByTier(scope: ScopeName, tier: Tier): WhyNotByTier | null {
  if (tier === 'editor' && withoutWrites([scope]).length === 0) return 'editor_no_writes'
  return tier !== 'founder' && tier !== 'user' && isFounders(scope) ? 'founder_only' : null
}

/** What is left of these scopes for somebody of this tier. */
export function tierGrant(scopes: ScopeNames, tier: Tier): readonly ScopeName[] {
  return inCatalogueOrder(scopes).filter((name) => whyNotByTier(name, tier) === null)
}

/** By what it gives, should another scope ever include it. */
export function isFounders(scope: ScopeName): boolean {
  return closure([scope]).has(FULL_ATTRIBUTION)
}
