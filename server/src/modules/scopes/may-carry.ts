import { SCOPE_CATALOGUE, SCOPE_NAMES, type ScopeName, type ScopeNames } from './catalogue.ts'
import { closure } from './closure.ts'

/**
 * The names that codes, tokens and installations of an app may carry: read:public, which every app has; what the app
 * declares with all it implies; and "a retired name … when the app declares it or what replaced it". Internal scopes
 * never, whatever stands on the app.
 */
export function mayCarry(declared: ScopeNames): ReadonlySet<ScopeName> {
  const all = closure(declared)
  return new Set(
    SCOPE_NAMES.filter((name) => {
      const { group, holders, replacedBy } = SCOPE_CATALOGUE[name]
      if (group === 'public') return true
      return holders.length > 0 && (all.has(name) || (replacedBy !== null && all.has(replacedBy)))
    }),
  )
}
