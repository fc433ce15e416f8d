import type { FindOwners } from '#access/apps/http.ts'
import { findInstallations } from '#access/installations/index.ts'
import { findInvitingOrganization } from '#access/organizations/index.ts'
import { findRequestingApp } from '#access/requests/index.ts'
import { findIntent } from '#hosted/intents/index.ts'
import { findInstallationOfLink } from '#hosted/invites/index.ts'
import { readInvestmentSession, readJoinSession } from '#hosted/sessions/index.ts'
import { type Id, type IdKind, kindOfId } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import { findAppOfCode } from '#referrals/index.ts'
import type { Databases, WorldDatabase } from '#system/postgres/database.ts'
import { appsOfDelivery, appsOfEndpoint, appsOfEvent, appsOfWebhookHost } from '#webhooks/index.ts'

type AppIds = readonly Id<'app'>[]
type Found = Awaited<ReturnType<FindOwners>>
type Owned = { readonly [K in IdKind]?: (id: Id<K>) => Promise<Found> }

/**
 * Finds the partner to which a record belongs, for the search of the operators' console. This function is in `main`, because the
 * records belong to many modules. It returns only ids of apps and organizations, so a viewer learns nothing about people.
 */
export const ownersIn =
  (databases: Databases): FindOwners =>
  async (text, worlds) => {
    const kind = kindOfId(text)
    const { reads } = databases.platform
    if (kind === null) return found('webhook_host', isHost(text) ? await appsOfWebhookHost(reads, text, worlds) : [])
    const finders = findersOf(databases, worlds)
    // The kind of the id chooses a function that takes this kind.
    const find = finders[kind] as ((id: string) => Promise<Found>) | undefined
    return (await find?.(text)) ?? null
  }

const isHost = (text: string) => /^[^\s/@]+$/.test(text) && (text.includes('.') || text === 'localhost')

function findersOf(databases: Databases, worlds: readonly World[]): Owned {
  const { reads } = databases.platform
  const inWorlds = async (find: (db: WorldDatabase) => Promise<AppIds>) => {
    const lists = await Promise.all(worlds.map((world) => find(databases[world])))
    return [...new Set(lists.flat())]
  }
  return {
    installation: async (id) => found('installation', await inWorlds((db) => appsOfInstallation(db, id))),
    webhookEndpoint: async (id) => found('webhook_endpoint', await appsOfEndpoint(reads, id, worlds)),
    delivery: async (id) => found('delivery', await inWorlds(({ world }) => appsOfDelivery(reads, world, id))),
    event: async (id) => found('event', await inWorlds(({ world }) => appsOfEvent(reads, world, id))),
    request: async (id) => found('request', listed(await findRequestingApp(reads, id, worlds))),
    intent: async (id) =>
      found('intent', await inWorlds(async (db) => listed((await findIntent(db.reads, id))?.appId))),
    inviteLink: async (id) =>
      found(
        'invite_link',
        await inWorlds(async (db) => appsOfInstallation(db, await findInstallationOfLink(db.reads, id))),
      ),
    joinSession: async (id) =>
      found(
        'join_session',
        await inWorlds(async (db) => appsOfInstallation(db, (await readJoinSession(db.reads, id))?.installation)),
      ),
    investmentSession: async (id) =>
      found(
        'investment_session',
        await inWorlds(async (db) => appsOfInstallation(db, (await readInvestmentSession(db.reads, id))?.installation)),
      ),
    referralCode: async (id) =>
      found('referral_code', await inWorlds(async (db) => listed(await findAppOfCode(db.reads, id)))),
    organizationInvitation: async (id) => found('invitation', listed(await findInvitingOrganization(reads, id))),
  }
}

const found = (by: NonNullable<Found>['by'], ids: NonNullable<Found>['ids']): Found =>
  ids.length === 0 ? null : { by, ids }

const listed = <T>(one: T | null | undefined): readonly T[] => (one == null ? [] : [one])

async function appsOfInstallation(db: WorldDatabase, id: Id<'installation'> | null | undefined): Promise<AppIds> {
  const installations = await findInstallations(db.reads, listed(id))
  return installations.map(({ appId }) => appId)
}
