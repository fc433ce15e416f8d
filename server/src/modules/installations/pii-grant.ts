import { closure, inCatalogueOrder, type ScopeName, type ScopeNames } from '#modules/scopes/index.ts'
import type { Target } from './installation.ts'

export const INVESTOR_PII: ScopeName = 'read:investors:pii'

export type Grantor = {
  readonly target: Target['type']
  /** Owner, admin or developer of the app's organization. */
  readonly onTeam: boolean
  /** The platform approved the app for investor PII. */
  readonly approved: boolean
}

/**
 * "An installation carries it only when the installer could grant it: either they manage the app's organization
 * (developer, admin or owner role) with no review, or the platform approved the app for investor PII." "Until approval,
 * installs by people outside the organization carry every other scope but not this one." "Syndicate installs are
 * unaffected." What is left of these scopes for who is about to grant them.
 */
export function piiGrant(scopes: ScopeNames, grantor: Grantor): readonly ScopeName[] {
  return inCatalogueOrder(scopes).filter((name) => mayGrantPii(grantor) || !showsInvestors(name))
}

export function mayGrantPii({ target, onTeam, approved }: Grantor): boolean {
  return target === 'syndicate' || onTeam || approved
}

/** By what it gives and not by its name alone, should another scope ever include it. */
function showsInvestors(name: ScopeName): boolean {
  return closure([name]).has(INVESTOR_PII)
}
