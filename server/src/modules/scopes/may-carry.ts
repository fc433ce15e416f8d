import { SCOPE_CATALOGUE, SCOPE_NAMES, type ScopeName, type ScopeNames } from './catalogue.ts'
import { closure } from './closure.ts'

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
