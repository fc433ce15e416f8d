import { inCatalogueOrder, SCOPE_CATALOGUE, type ScopeName, type ScopeNames } from './catalogue.ts'
import type { Holder } from './scope-entry.ts'

/**
 * What of these a token of this kind may hold. "Publishable key: holds read:public only"; the referral-code scopes are
 * "held by the app's server key only", so an installation of an app that declares them goes without.
 */
export function holdableBy(holder: Holder, scopes: ScopeNames): readonly ScopeName[] {
  return inCatalogueOrder(scopes).filter((name) => SCOPE_CATALOGUE[name].holders.includes(holder))
}
