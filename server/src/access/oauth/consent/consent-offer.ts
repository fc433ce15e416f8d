import { type AppDescription, describeApp, findTeamRole } from '#access/apps/index.ts'
import {
  type Connection,
  findConnection,
  type Grantor,
  type WhyNotTheirs,
  whyNotTheirs,
} from '#access/installations/index.ts'
import { inCatalogueOrder, PUBLIC_SCOPE, parseScopes, type ScopeName, withoutPublic } from '#access/scopes/index.ts'
import type { AccountCaller } from '#kernel/caller.ts'
import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { worldNowMs } from '#system/postgres/world-clock.ts'
import type { AuthorizeRequest } from '../check-authorize-request.ts'

/** A request that passed every check, and the person who is asked for consent. */
export type ConsentRequest = {
  readonly request: AuthorizeRequest
  readonly account: AccountCaller
  readonly userId: Id<'user'>
}

/** Everything the consent screen shows. */
export type ConsentView = {
  readonly consentRequest: ConsentRequest
  readonly app: AppDescription
  readonly onTeam: boolean
  readonly offer: Offer
  /** The connection that this consent would replace or keep. */
  readonly connection: Connection | null
  readonly nowMs: number
}

export async function consentViewOf(
  databases: Readonly<Record<World, WorldDatabase>>,
  consentRequest: ConsentRequest,
): Promise<ConsentView> {
  const { request, account, userId } = consentRequest
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
  return {
    consentRequest,
    app,
    onTeam,
    offer: offerOf(request.scopes, { onTeam, approved: piiApproved }),
    connection,
    nowMs,
  }
}

type Withheld = { readonly scope: ScopeName; readonly why: WhyNotTheirs }

type Offer = {
  /** What the person may grant, each by itself. */
  readonly offered: readonly ScopeName[]
  /** Requested scopes that this person cannot grant. */
  readonly withheld: readonly Withheld[]
  /** read:public was requested. Every token holds it, so it needs no consent. */
  readonly isPublic: boolean
}

/**
 * "A user's consent is an installation with target type user, tier user", so the rules of installing apply: a person
 * outside the app's team grants read:investors:pii only if the platform approved the app for it.
 */
export function offerOf(requested: readonly ScopeName[], by: Pick<Grantor, 'onTeam' | 'approved'>): Offer {
  const judged = withoutPublic(inCatalogueOrder(requested)).map((scope) => ({
    scope,
    why: whyNotTheirs(scope, { ...by, target: 'user', tier: 'user' }),
  }))
  return {
    offered: judged.filter(({ why }) => why === null).map(({ scope }) => scope),
    withheld: judged.flatMap(({ scope, why }) => (why === null ? [] : [{ scope, why }])),
    isPublic: requested.includes(PUBLIC_SCOPE),
  }
}

/**
 * "Each scope on the consent screen, the user can decline." The form can only remove scopes from the offer: a
 * forged name grants nothing. One switch may stand for two names.
 */
export function grantedOf({ offered }: Offer, ticked: readonly string[]): readonly ScopeName[] {
  const names = new Set(ticked.flatMap((value) => parseScopes(value) ?? []))
  return inCatalogueOrder(offered.filter((name) => names.has(name)))
}

/**
 * Why there is nothing to consent to, for the error_description; null if there is something. The person did not decline,
 * so the error is invalid_scope and not access_denied.
 */
export function whyUngrantable({ offered, withheld, isPublic }: Offer): string | null {
  if (offered.length > 0 || isPublic) return null
  return withheld.map(({ scope, why }) => `${scope} ${HOW_OBTAINED[why]}.`).join(' ')
}

const HOW_OBTAINED: Readonly<Record<WhyNotTheirs, string>> = {
  pii_not_approved:
    'is granted by members of the app team, or by any founder or manager once the platform has approved the app for investor PII: request that approval in the developer portal',
  founder_only: 'is granted by a founder who installs the app on their company',
  editor_no_writes: 'is not granted by editors',
}
