import type { AccountCaller } from '#kernel/caller.ts'
import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import { type AppDescription, describeApp, findTeamRole } from '#modules/apps/index.ts'
import { type Connection, findConnection, worldNowMs } from '#modules/installations/index.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import type { AuthorizeRequest } from '../authorize/check-authorize-request.ts'
import { type Offer, offerOf } from './offer.ts'

/** A request that passed every check, and the person it is put to. */
export type Asked = {
  readonly request: AuthorizeRequest
  readonly account: AccountCaller
  readonly userId: Id<'user'>
}

/** All that the consent screen says. */
export type ConsentView = {
  readonly asked: Asked
  readonly app: AppDescription
  readonly onTeam: boolean
  readonly offer: Offer
  /** The connection that this consent would replace or keep. */
  readonly connection: Connection | null
  readonly nowMs: number
}

export async function viewOf(databases: Readonly<Record<World, WorldDatabase>>, asked: Asked): Promise<ConsentView> {
  const { request, account, userId } = asked
  const { appId, world, piiApproved } = request.client
  const { reads } = databases[world]
  const [app, role, connection, nowMs] = await Promise.all([
    describeApp(reads, appId),
    findTeamRole(reads, appId, account.accountId),
    findConnection(reads, userId, appId),
    worldNowMs(reads),
  ])
  if (app === null) throw new Error('an app whose key was just found cannot be described')
  const onTeam = role !== null
  return { asked, app, onTeam, offer: offerOf(request.scopes, { onTeam, approved: piiApproved }), connection, nowMs }
}
