import type { ScopeName } from '#modules/scopes/index.ts'
import type { Tier } from './installation.ts'
import { type PiiGrantor, piiGrant } from './pii-grant.ts'
import { type WhyNotByTier, whyNotByTier } from './tier-grant.ts'

/** Who is about to grant something, and where. */
export type Grantor = PiiGrantor & { readonly tier: Tier }

/** `pii_not_approved`: who investors are, granted neither by the app's team nor under the platform's approval. */
export type WhyNotTheirs = WhyNotByTier | 'pii_not_approved'

/** Why a scope that the app may carry is not this person's to grant: one rule for installing and for consenting. */
export function whyNotTheirs(scope: ScopeName, grantor: Grantor): WhyNotTheirs | null {
  const byTier = whyNotByTier(scope, grantor.tier)
  if (byTier !== null) return byTier
  return piiGrant([scope], grantor).length === 0 ? 'pii_not_approved' : null
}
