import { closure, inCatalogueOrder, SCOPE_NAMES, type ScopeName, type ScopeNames } from '#modules/scopes/index.ts'
import type { Target } from './installation.ts'

export const INVESTOR_PII: ScopeName = 'read:investors:pii'

/** The scopes that show who investors are: by what they give, should another one ever include it. */
export const SHOWING_INVESTORS: readonly ScopeName[] = SCOPE_NAMES.filter((name) => closure([name]).has(INVESTOR_PII))

export type PiiGrantor = {
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
export function piiGrant(scopes: ScopeNames, { target, onTeam, approved }: PiiGrantor): readonly ScopeName[] {
  const may = target === 'syndicate' || onTeam || approved
  return inCatalogueOrder(scopes).filter((name) => may || !SHOWING_INVESTORS.includes(name))
}

/** What a grant of it rests on. */
export type PiiBy = 'team' | 'approval'

/**
 * "The grant is frozen at install time": whoever of the team granted it needed no approval then, and needs none after
 * they have left; who joined the team later had it by the approval. Null where nothing shows investors, and on a
 * syndicate.
 */
export function piiBy(granted: ScopeNames, { target, onTeam }: Pick<PiiGrantor, 'target' | 'onTeam'>): PiiBy | null {
  const shows = inCatalogueOrder(granted).some((name) => SHOWING_INVESTORS.includes(name))
  if (target === 'syndicate' || !shows) return null
  return onTeam ? 'team' : 'approval'
}
