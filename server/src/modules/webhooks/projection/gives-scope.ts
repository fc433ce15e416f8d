import type { Scope } from '#kernel/scope.ts'
import { closure, SCOPE_NAMES, type ScopeName } from '#modules/scopes/index.ts'

/**
 * The names whose grant amounts to a scope: itself, what implies it, and retired names that it replaced. Asking which of
 * them was granted gives the same answer as the closure of the grant, and is quicker than building that.
 */
export function namesGiving(scope: Scope): readonly ScopeName[] {
  return SCOPE_NAMES.filter((name) => closure([name]).has(scope as ScopeName))
}

export function givesScope(granted: readonly string[], scope: Scope): boolean {
  return granted.some((name) => giving(scope).has(name))
}

const known = new Map<Scope, ReadonlySet<string>>()

/** Asked for every delivery of a handful of scopes, and always with the same answer. */
function giving(scope: Scope): ReadonlySet<string> {
  const names = known.get(scope) ?? new Set<string>(namesGiving(scope))
  known.set(scope, names)
  return names
}
