import type { ScopeNames } from '#modules/scopes/index.ts'

/**
 * "Consenting again with the same scopes keeps it; with other scopes it revokes the old one." The same names, in
 * whatever order: read:syndicates beside write:syndicates adds nothing and is another grant all the same, because the
 * installation shows what was granted.
 */
export function sameScopes(one: ScopeNames, other: ScopeNames): boolean {
  const [left, right] = [new Set(one), new Set(other)]
  return left.size === right.size && [...left].every((name) => right.has(name))
}
