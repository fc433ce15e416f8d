import { ApiError } from '#kernel/errors.ts'
import {
  type CatalogueScope,
  inCatalogueOrder,
  isScopeName,
  SCOPE_CATALOGUE,
  SCOPE_NAMES,
  type ScopeName,
  type ScopeNames,
} from './catalogue.ts'
import { closure, DEFAULT_SCOPE } from './scope-sets.ts'

/**
 * The names that codes, tokens and installations of an app may carry: read:public, which every app has; what the app
 * declares with all it implies; and "a retired name … when the app declares it or what replaced it". Internal scopes
 * never, whatever stands on the app.
 */
export function mayCarry(declared: ScopeNames): ReadonlySet<ScopeName> {
  const carried = new Set(PUBLIC)
  for (const name of closure(declared)) {
    for (const holdable of HOLDABLE_AS[name]) carried.add(holdable)
  }
  return carried
}

const PUBLIC = SCOPE_NAMES.filter((name) => SCOPE_CATALOGUE[name].group === 'public')

/** The name itself and the retired names it replaced; of what nobody may hold, nothing. */
const HOLDABLE_AS = Object.fromEntries(SCOPE_NAMES.map((name) => [name, holdableAs(name)])) as {
  readonly [N in ScopeName]: readonly ScopeName[]
}

function holdableAs(name: ScopeName): readonly ScopeName[] {
  return SCOPE_NAMES.filter((one) => {
    const { holders, replacedBy } = SCOPE_CATALOGUE[one]
    return holders.length > 0 && (one === name || replacedBy === name)
  })
}

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

/** The declared scopes that would still give this one if it were removed. A retired name gives what replaced it. */
export function stillImplied(scope: ScopeName, declared: ScopeNames): readonly ScopeName[] {
  return inCatalogueOrder(declared).filter((name) => name !== scope && closure([name]).has(scope))
}

/**
 * "A scope still implied by another declared scope cannot be removed alone; nothing changes and the response names the
 * implier under still_implied." Removed together with its impliers it can.
 */
export function rejectStillImplied(removed: ScopeNames, declared: ScopeNames): void {
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

/** What the portal's picker shows, in its order. read:public is not there: every app has it. */
export const PICKER: readonly CatalogueScope[] = SCOPE_NAMES.map((name) => SCOPE_CATALOGUE[name]).filter(
  ({ obtained }) => obtained === 'picker',
)

export function selectable(name: string): boolean {
  return isScopeName(name) && SCOPE_CATALOGUE[name].obtained === 'picker'
}

/**
 * "Allowed … only for self-serve scopes. Refused … with invalid_scopes when a scope is not self-serve." Takes the
 * scopes to be added alone: what the app carries already may stay, no matter who gave it.
 */
export function rejectUnselectable(added: ScopeNames): void {
  const refused = [...new Set<string>(added)].filter((name) => !selectable(name))
  if (refused.length === 0) return
  throw new ApiError('invalid_scopes', {
    public: `Nothing was changed: ${refused.join(', ')} cannot be selected.`,
    remediation: 'Select self-serve scopes only. Others are added by the platform, if they are offered at all.',
    details: { scopes: refused },
  })
}
