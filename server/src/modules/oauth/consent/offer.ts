import { type Grantor, piiGrant } from '#modules/installations/index.ts'
import { inCatalogueOrder, parseScopes, type ScopeName } from '#modules/scopes/index.ts'

export type Offer = {
  /** What the person may grant, each by itself. */
  readonly offered: readonly ScopeName[]
  /** What was asked for and cannot be granted by this person. */
  readonly withheld: readonly ScopeName[]
}

export function offerOf(requested: readonly ScopeName[], grantor: Omit<Grantor, 'target'>): Offer {
  const offered = piiGrant(requested, { ...grantor, target: 'user' })
  return { offered, withheld: requested.filter((name) => !offered.includes(name)) }
}

/**
 * "Each scope on the consent screen, the user can decline." What the form brings back only ever takes away from what
 * was offered: a name that somebody wrote into it gives nothing. A switch may stand for two names at once.
 */
export function grantedOf({ offered }: Offer, ticked: readonly string[]): readonly ScopeName[] {
  const names = new Set(ticked.flatMap((value) => parseScopes(value) ?? []))
  return inCatalogueOrder(offered.filter((name) => names.has(name)))
}
