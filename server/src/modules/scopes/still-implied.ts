import { ApiError } from '#kernel/errors.ts'
import { inCatalogueOrder, type ScopeName, type ScopeNames } from './catalogue.ts'
import { closure } from './closure.ts'

/** The declared scopes that would still give this one if it were removed. A retired name gives what replaced it. */
export function stillImplied(scope: ScopeName, declared: ScopeNames): readonly ScopeName[] {
  return inCatalogueOrder(declared).filter((name) => name !== scope && closure([name]).has(scope))
}

/**
 * "A scope still implied by another declared scope cannot be removed alone; nothing changes and the response names the
 * implier under still_implied." Removed together with its impliers it can.
 */
export function refuseStillImplied(removed: ScopeNames, declared: ScopeNames): void {
  const gone = new Set<string>(removed)
  const remaining = inCatalogueOrder(declared).filter((name) => !gone.has(name))
  const blocked = inCatalogueOrder(removed)
    .map((scope) => ({ scope, impliers: stillImplied(scope, remaining) }))
    .filter(({ impliers }) => impliers.length > 0)
  if (blocked.length === 0) return
  const impliers = inCatalogueOrder(blocked.flatMap((one) => one.impliers))
  const kept = blocked.map((one) => one.scope).join(' and ')
  const reasons = blocked.map((one) => `${one.scope} is still implied by ${one.impliers.join(' and ')}`)
  throw new ApiError('still_implied', {
    public: `Nothing was changed: ${reasons.join('; ')}.`,
    remediation: `Remove ${impliers.join(' and ')} in the same change, or keep ${kept}.`,
    details: { still_implied: impliers },
  })
}
