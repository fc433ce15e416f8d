import { lockClient } from '#access/apps/index.ts'
import {
  type ApiResponse,
  type PartnerService,
  partnerService,
  type Sender,
} from '#access/apps/testing/partner-service.ts'
import { aTeam, type Team } from '#access/apps/testing/team.ts'
import { mintInstallationToken } from '#access/tokens/index.ts'
import type { StagedClient, StagedConnection } from '#access/tokens/testing/stage.ts'
import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import { notifyAppTeam } from '#notices/index.ts'
import { aKey, anApp, type MadeUpApp } from '#test/apps.ts'
import { cancelDeliveries, countEnabledEndpoints, previewEndpoints } from '#webhooks/index.ts'
import { scopeChangeRoutes } from '../routes.ts'

type Names = readonly string[]
type Entry = { readonly actor: string; readonly action: string; readonly details: object }
type Installed = { readonly state: string; readonly scopes: string[]; readonly revoked_by_role: string | null }

/** Apps of one team with keys, installations and tokens, and the routes that change their scopes. */
export type ScopeStage = {
  readonly service: PartnerService
  readonly db: PartnerService['db']
  readonly team: Team
  /** An app of the team with a key in each world. */
  app(app: MadeUpApp): Promise<Readonly<Record<World, StagedClient>> & { readonly id: Id<'app'> }>
  add(app: string, scopes: Names, by?: { readonly send: Sender }): Promise<ApiResponse>
  remove(app: string, scopes: Names, by?: { readonly send: Sender }): Promise<ApiResponse>
  preview(app: string, change: { add?: Names; remove?: Names }, by?: { readonly send: Sender }): Promise<ApiResponse>
  /** Returns the scopes of the app and of each of its keys. */
  declaredBy(app: string): Promise<string[][]>
  auditOf(subject: string): Promise<Entry[]>
  installation(world: World, on: StagedConnection): Promise<Installed | undefined>
  eventsOf(world: World, on: StagedConnection): Promise<{ readonly name: string; readonly role: string | null }[]>
  /** Issues an installation token that never expires. */
  mint(client: StagedClient, on: StagedConnection, scopes: Names): Promise<string>
}

export const NOTHING = {
  ...{ installs_narrowed: 0, installs_disconnected: 0, tokens_revoked: 0, refresh_tokens_revoked: 0 },
  endpoints_disabled: 0,
}

export const refusal = ({ status, error }: ApiResponse) => [status, error?.type, error?.details]

export async function scopeStage(): Promise<ScopeStage> {
  const endpoints = { previewEndpoints, countEnabledEndpoints }
  const deps = { brand: 'wefunder', onRevoked: [cancelDeliveries], notify: notifyAppTeam, ...endpoints }
  const service = await partnerService(scopeChangeRoutes(deps))
  const team = await aTeam(service)
  const { db } = service
  return {
    ...{ service, db, team },
    app: async (app) => {
      const id = await anApp(db, { organization: team.organization, ...app })
      const client = async (world: World): Promise<StagedClient> => {
        const { clientId, secret } = await aKey(db, id, { world })
        return { app: id, keyId: clientId, secret, world }
      }
      return { id, test: await client('test'), live: await client('live') }
    },
    add: (app, scopes, { send } = team.developer) => send('POST', `/portal/api/apps/${app}/scopes`, { scopes }),
    remove: (app, scopes, { send } = team.developer) =>
      send('POST', `/portal/api/apps/${app}/scopes/remove`, { scopes }),
    preview: (app, change, { send } = team.developer) => send('POST', `/portal/api/apps/${app}/scopes/preview`, change),
    declaredBy: async (app) => {
      const rows = await db.sql<{ scopes: string[] }>(
        `select scopes from platform.apps where id = $1
         union all (select scopes from platform.app_keys where app_id = $1 order by id)`,
        [app],
      )
      return rows.map(({ scopes }) => scopes)
    },
    auditOf: (subject) =>
      db.sql('select actor, action, details from platform.audit_entries where subject = $1 order by id', [subject]),
    installation: async (world, { installation: id }) =>
      (
        await db.sql<Installed>(`select state, scopes, revoked_by_role from ${world}.installations where id = $1`, [id])
      )[0],
    eventsOf: (world, { installation: id }) =>
      db.sql(
        `select name, data #>> '{revoked_by,role}' as role from ${world}.events where installation_id = $1
          order by recorded_at`,
        [id],
      ),
    mint: async (client, on, scopes) => {
      const minted = await db.databases[client.world].transaction(async (tx) => {
        const locked = await lockClient(tx, client.keyId)
        if (locked === null) throw new Error('the key does not exist')
        return mintInstallationToken(tx, { client: locked, installation: on.installation, scopes, neverExpires: true })
      })
      return minted?.accessToken ?? ''
    },
  }
}
