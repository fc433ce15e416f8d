import { isScopeName, SCOPE_CATALOGUE, SCOPE_NAMES, type ScopeName, type ScopeNames } from './catalogue.ts'

/**
 * All that a grant amounts to: what was granted, what that implies, and so on; a retired name also stands for what
 * replaced it. A grant stores only what was granted and this is computed on each request, so that a rule added
 * later holds for the grants of before. A name the catalogue does not know gives nothing.
 */
export function closure(granted: ScopeNames): ReadonlySet<ScopeName> {
  const all = new Set<ScopeName>()
  for (const name of granted) {
    if (!isScopeName(name)) continue
    for (const included of CLOSURE_OF[name]) all.add(included)
  }
  return all
}

/** No implication has two conditions, so the closure of a set is the union of these. */
const CLOSURE_OF = Object.fromEntries(SCOPE_NAMES.map((name) => [name, reachableFrom(name)])) as {
  readonly [N in ScopeName]: ReadonlySet<ScopeName>
}

function reachableFrom(start: ScopeName): ReadonlySet<ScopeName> {
  const reached = new Set([start])
  // A set visits what is added to it while it is being walked.
  for (const name of reached) {
    const { implies, replacedBy } = SCOPE_CATALOGUE[name]
    for (const next of implies) reached.add(next)
    if (replacedBy !== null) reached.add(replacedBy)
  }
  return reached
}
