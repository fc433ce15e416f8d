import { type Grantor, type WhyNotTheirs, whyNotTheirs } from '#modules/installations/index.ts'
import { inCatalogueOrder, parseScopes, type ScopeName } from '#modules/scopes/index.ts'

export type Withheld = { readonly scope: ScopeName; readonly why: WhyNotTheirs }

export type Offer = {
  /** What the person may grant, each by itself. */
  readonly offered: readonly ScopeName[]
  /** What was asked for and cannot be granted by this person. */
  readonly withheld: readonly Withheld[]
}

/**
 * "A user's consent is an installation with target type user, tier user", so that the rules of installing hold: what
 * takes a founder on their company is not to be had on the consent screen.
 */
export function offerOf(requested: readonly ScopeName[], by: Pick<Grantor, 'onTeam' | 'approved'>): Offer {
  const judged = inCatalogueOrder(requested).map((scope) => ({
    scope,
    why: whyNotTheirs(scope, { ...by, target: 'user', tier: 'user' }),
  }))
  return {
    offered: judged.filter(({ why }) => why === null).map(({ scope }) => scope),
    withheld: judged.flatMap(({ scope, why }) => (why === null ? [] : [{ scope, why }])),
  }
}

/**
 * "Each scope on the consent screen, the user can decline." What the form brings back only ever takes away from what
 * was offered: a name that somebody wrote into it gives nothing. A switch may stand for two names at once.
 */
export function grantedOf({ offered }: Offer, ticked: readonly string[]): readonly ScopeName[] {
  const names = new Set(ticked.flatMap((value) => parseScopes(value) ?? []))
  return inCatalogueOrder(offered.filter((name) => names.has(name)))
}
