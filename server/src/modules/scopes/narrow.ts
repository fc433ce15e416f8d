import { inCatalogueOrder, SCOPE_CATALOGUE, type ScopeName, type ScopeNames } from './catalogue.ts'
import { closure } from './closure.ts'
import { seesEveryFollow } from './follow-list.ts'
import { PUBLIC_SCOPE } from './public-scope.ts'

/**
 * "The intersection of requested scopes and the install's scopes"; "a refresh re-issues at most the original token's
 * scopes". By what they give and not by name: of a grant of write:syndicates one may take read:syndicates alone.
 * Every token holds read:public, so it may always be requested. What is not held is left out; nothing ever comes in that was not both requested and held.
 */
export function narrow(requested: ScopeNames, held: ScopeNames): readonly ScopeName[] {
  const all = closure(held)
  return inCatalogueOrder(requested).filter(
    (name) => name === PUBLIC_SCOPE || all.has(name) || retiredNameFor(name, all),
  )
}

/**
 * A retired name gives no more than what replaced it, save one: read:follows lists every followed company, where
 * read:profile, which has the same read:profile:follows, lists the public ones. Taking it from that would widen.
 */
function retiredNameFor(name: ScopeName, held: ReadonlySet<ScopeName>): boolean {
  const { replacedBy } = SCOPE_CATALOGUE[name]
  if (replacedBy === null || !held.has(replacedBy)) return false
  return name !== 'read:follows' || seesEveryFollow(held)
}
