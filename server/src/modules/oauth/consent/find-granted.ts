import type { Id } from '#kernel/ids.ts'
import { type Client, findTeamRole } from '#modules/apps/index.ts'
import { type PiiBy, piiBy } from '#modules/installations/index.ts'
import type { ScopeName } from '#modules/scopes/index.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { grantedOf, offerOf } from './offer.ts'

type Decided = {
  readonly accountId: Id<'account'>
  readonly requested: readonly ScopeName[]
  /** The switches that were on. */
  readonly ticked: readonly string[]
}

export type Granted = { readonly scopes: readonly ScopeName[]; readonly piiBy: PiiBy | null }

/** What this person's decision comes to while they and the app are what they are at this moment. */
export async function findGranted(
  queries: WorldQueries,
  { appId, piiApproved }: Client,
  { accountId, requested, ticked }: Decided,
): Promise<Granted> {
  const onTeam = (await findTeamRole(queries, appId, accountId)) !== null
  const scopes = grantedOf(offerOf(requested, { onTeam, approved: piiApproved }), ticked)
  return { scopes, piiBy: piiBy(scopes, { target: 'user', onTeam }) }
}
