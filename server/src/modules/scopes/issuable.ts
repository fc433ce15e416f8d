import { inCatalogueOrder, type ScopeName, type ScopeNames } from './catalogue.ts'
import { DEFAULT_SCOPE } from './default-scope.ts'
import { mayCarry } from './may-carry.ts'

/** `byDefault`: nothing was requested. The same scopes asked for by name have to be declared. */
export type Grant = { readonly scopes: ScopeNames; readonly byDefault: boolean }

/**
 * Scopes are looked at again whenever something is issued, so that one removed a moment ago is not: what is left of a
 * grant by what the app declares now. A default grant never rested on a declaration and stays.
 */
export function issuable({ scopes, byDefault }: Grant, declared: ScopeNames): readonly ScopeName[] {
  const allowed = mayCarry(declared)
  return inCatalogueOrder(scopes).filter((name) => allowed.has(name) || (byDefault && name === DEFAULT_SCOPE))
}
