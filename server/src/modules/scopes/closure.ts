import { isScopeName, SCOPE_CATALOGUE, SCOPE_NAMES, type ScopeName, type ScopeNames } from './catalogue.ts'
import { PUBLIC_SCOPE } from './public-scope.ts'

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

/**
 * The scopes a token opens operations with. read:public is computed for every token of an app and stored with none. A
 * name that only older versions know gives nothing once the app is pinned to a newer one.
 */
export function heldScopes(granted: ScopeNames, apiVersion: string): ReadonlySet<ScopeName> {
  const held = new Set(closure(granted))
  held.add(PUBLIC_SCOPE)
  for (const name of VERSION_BOUND) if (!isKnownIn(name, apiVersion)) held.delete(name)
  return held
}

/** What an app declares, as far as the version it is pinned to knows the names. */
export function declaredIn(apiVersion: string, declared: readonly string[]): readonly string[] {
  return declared.filter((name) => !isScopeName(name) || isKnownIn(name, apiVersion))
}

const VERSION_BOUND = SCOPE_NAMES.filter((name) => SCOPE_CATALOGUE[name].beforeVersion !== null)

/** Versions are dates, which compare as text. */
function isKnownIn(name: ScopeName, apiVersion: string): boolean {
  const { beforeVersion } = SCOPE_CATALOGUE[name]
  return beforeVersion === null || apiVersion < beforeVersion
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
