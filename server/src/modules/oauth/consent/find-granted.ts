import type { Id } from '#kernel/ids.ts'
import { type Client, findTeamRole } from '#modules/apps/index.ts'
import { type PiiBy, piiBy } from '#modules/installations/index.ts'
import { type ScopeName, withPublic } from '#modules/scopes/index.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { grantedOf, offerOf, whyUngrantable } from './offer.ts'

type Decided = {
  readonly accountId: Id<'account'>
  readonly requested: readonly ScopeName[]
  /** The switches that were on. */
  readonly ticked: readonly string[]
}

/**
 * granted      `scopes` are what the token holds, besides read:public, which is named where it was requested
 * nothing      everything was declined
 * ungrantable  nothing that was requested is this person's to grant
 */
export type Granted =
  | { readonly outcome: 'granted'; readonly scopes: readonly ScopeName[]; readonly piiBy: PiiBy | null }
  | { readonly outcome: 'nothing' | 'ungrantable' }

/** What this person's decision comes to while they and the app are what they are at this moment. */
export async function findGranted(
  queries: WorldQueries,
  { appId, piiApproved }: Client,
  { accountId, requested, ticked }: Decided,
): Promise<Granted> {
  const onTeam = (await findTeamRole(queries, appId, accountId)) !== null
  const offer = offerOf(requested, { onTeam, approved: piiApproved })
  if (whyUngrantable(offer) !== null) return { outcome: 'ungrantable' }
  const scopes = grantedOf(offer, ticked)
  // With read:public alone there is no switch that could be off.
  if (scopes.length === 0 && offer.offered.length > 0) return { outcome: 'nothing' }
  const granted = withPublic(scopes, offer.isPublic)
  return { outcome: 'granted', scopes: granted, piiBy: piiBy(scopes, { target: 'user', onTeam }) }
}
