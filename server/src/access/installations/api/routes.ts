import { Type } from 'typebox'
import { appByAnyId } from '#access/apps/index.ts'
import { mintInstallationToken } from '#access/tokens/index.ts'
import { heldBy, user } from '#http/access.ts'
import { pageQuery, shortListPage, unpagedSize } from '#http/pagination.ts'
import { type Route, route } from '#http/route.ts'
import { exactly, idOf } from '#http/schema-fields.ts'
import type { UserCaller } from '#kernel/caller.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import { notFound } from '#kernel/errors.ts'
import { idPattern, parseId } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { PlatformDatabase, Tx, WorldDatabase } from '#system/postgres/database.ts'
import { disconnectUser } from '../connect-user.ts'
import { eligibleTargets, installApp } from '../install-app.ts'
import type { Installation } from '../installation.ts'
import {
  actingUser,
  forThemselves,
  type LookedFor,
  listInstallations,
  lookAt,
  noRoleError,
  readInstallation,
} from '../installation-access.ts'
import { type ChangeContext, changeContext, type OnRevoked } from '../lifecycle.ts'
import { isEverlasting, mintToken } from '../mint-token.ts'
import { revokeInstallation } from '../revocations.ts'
import type { InstallTarget } from '../target-store.ts'
import { platformInstallationRoutes } from './platform-routes.ts'
import { portalInstallationRoutes } from './portal-routes.ts'
import {
  EligibleList,
  EligibleQuery,
  eligibleRecord,
  InstallationList,
  InstallationWithToken,
  installationRecord,
  NewInstallation,
  NewToken,
  OneInstallation,
  type Position,
  pagesOf,
  shownTypes,
  showPage,
  tokenBlock,
} from './schemas.ts'

export type InstallationRouteDeps = {
  readonly databases: Readonly<Record<World, WorldDatabase>> & { readonly platform: PlatformDatabase }
  readonly cursors: CursorSealer
  /** The platform's own name, which is recorded as the role of its staff. */
  readonly brand: string
  readonly onRevoked: readonly OnRevoked[]
}

const Id = Type.Object({ id: idOf('installation') })

/** The installation routes of the API, the portal and the platform, without the pages and the withdrawal of the PII approval. */
export const installationRoutes = (deps: InstallationRouteDeps): Route[] => [
  route({
    operation: 'listEligibleInstallTargets',
    method: 'GET',
    path: '/installations/eligible',
    summary: 'List installable targets',
    description: 'Returns the companies and syndicates on which the user can install the app.',
    tag: 'Installations',
    access: user('read:installations'),
    schema: { query: EligibleQuery, response: { 200: EligibleList } },
    handler: async ({ db, caller, query, behaviour: { unpagedLists: lists } }) => {
      const targets = await eligibleTargets(db.reads, caller.userId, caller.appId)
      const wanted = targets.filter(({ type }) => query.target_type === undefined || type === query.target_type)
      const kind = { kind: `eligible/${caller.appId}/${caller.userId}`, version: 1 }
      const body = shortListPage({
        ...{ rows: wanted, query, lists, cursors: deps.cursors, kind },
        place: ({ type, name, id }) => [type, name.toLowerCase(), id],
        item: eligibleRecord,
      })
      return { status: 200, body }
    },
  }),
  ...grantingRoutes(deps),
  route({
    operation: 'listInstallations',
    method: 'GET',
    path: '/installations',
    summary: 'List installations',
    description:
      'Returns the installations of the app that the caller may see, newest first. Revoked installations stay in the list for 30 days.',
    tag: 'Installations',
    access: heldBy(['user', 'installation', 'server_key'], 'read:installations'),
    schema: { query: Type.Object(pageQuery()), response: { 200: InstallationList } },
    handler: async ({ db, caller, query, behaviour }) => {
      const size = unpagedSize(query.per_page, behaviour.unpagedLists)
      const list = (at: Position) => listInstallations(db.reads, caller, { ...at, targetTypes: shownTypes(behaviour) })
      const kind = { list: 'installations', world: db.world, app: caller.appId }
      return { status: 200, body: await showPage(pagesOf(deps.cursors, kind), { size, cursor: query.cursor }, list) }
    },
  }),
  route({
    operation: 'getInstallation',
    method: 'GET',
    path: '/installations/:id',
    summary: 'Get an installation',
    description: 'Returns an installation with its scopes.',
    tag: 'Installations',
    access: heldBy(['user', 'installation', 'server_key'], 'read:installations'),
    schema: { params: Id, response: { 200: OneInstallation } },
    handler: async ({ db, caller, params: { id }, behaviour }) => {
      const found = await readInstallation(db.reads, caller, { id, targetTypes: shownTypes(behaviour) })
      return { status: 200, body: { data: installationRecord(found) } }
    },
  }),
  route({
    operation: 'revokeInstallation',
    method: 'DELETE',
    path: '/installations/:id',
    summary: 'Revoke an installation',
    description: 'Revokes an installation and, at once, every token of it.',
    tag: 'Installations',
    action: 'installations.revoke',
    access: user('write:installations'),
    schema: { params: Id, response: { 200: OneInstallation } },
    transaction: async ({ tx, caller, params: { id }, behaviour, requestId }) => {
      const revoking = { id, targetTypes: shownTypes(behaviour), context: changeContext(requestId, deps) }
      const installation = await revokeAsCaller(tx, caller, revoking)
      return { status: 200, body: { data: installationRecord(installation) } }
    },
  }),
  connectedAppRoute(deps),
  ...portalInstallationRoutes(deps),
  ...platformInstallationRoutes({ ...deps, platform: deps.databases.platform }),
]

/** "By company or syndicate admin, the connecting user, the app's own team." The role is recorded as revoked_by. */
async function revokeAsCaller(
  tx: Tx,
  caller: UserCaller,
  { context, ...lookedFor }: LookedFor & { readonly context: ChangeContext },
): Promise<Installation> {
  const { side } = await lookAt(tx, caller, lookedFor)
  if (side === null) throw noRoleError()
  return (await revokeInstallation(tx, { id: lookedFor.id, role: side }, context)).installation
}

const Disconnection = exactly(
  {
    data: exactly({
      revoked: Type.Literal(true),
      tokens_revoked: Type.Integer({ description: 'How many access and refresh tokens this request revoked.' }),
    }),
  },
  'ConnectedAppRevocation',
)

const AppId = Type.String({
  pattern: `${idPattern('app')}|^[0-9]{1,15}$`,
  description: 'The app’s id. The integer id of older API versions is accepted too.',
})

/** "write updates the profile and revokes connected apps": an app may disconnect any connected app of the user by its id, even itself. */
export const connectedAppRoute = ({ onRevoked }: { readonly onRevoked: readonly OnRevoked[] }): Route =>
  route({
    operation: 'revokeConnectedApp',
    method: 'DELETE',
    path: '/connected-apps/:id',
    summary: 'Disconnect an app',
    description: 'Disconnects an app from the user and revokes every token that the app has for the user.',
    tag: 'Connected apps',
    action: 'connected_apps.revoke',
    access: forThemselves('write:profile'),
    schema: { params: Type.Object({ id: AppId }), response: { 200: Disconnection } },
    transaction: async ({ tx, caller, params: { id }, requestId }) => {
      const userId = await actingUser(tx, caller)
      const appId = await appByAnyId(tx, id)
      if (appId === null) throw notFound(`${id} is not an app`)
      const context = changeContext(requestId, { onRevoked })
      const disconnected = await disconnectUser(tx, { appId, userId, role: 'user' }, context)
      if (disconnected === null) throw notFound(`${userId} has not connected ${appId}`)
      const { accessTokens, refreshTokens } = disconnected.tokens
      const data = { revoked: true, tokens_revoked: accessTokens + refreshTokens } as const
      return { status: 200, body: { data } }
    },
  })

/** Routes that create an installation, or a token of an installation. No later response contains the token. */
const grantingRoutes = ({ onRevoked }: { readonly onRevoked: readonly OnRevoked[] }): Route[] => [
  route({
    operation: 'createInstallation',
    method: 'POST',
    path: '/installations',
    summary: 'Create an installation',
    description: 'Installs the app on a company that the user can edit or on a syndicate that the user manages.',
    tag: 'Installations',
    access: user('write:installations'),
    schema: { body: NewInstallation, response: { 201: InstallationWithToken } },
    transaction: async ({ tx, caller, body, requestId, counted }) => {
      const { keyId, appId, userId } = caller
      const target = installTargetOf(body.target_type, body.target_id)
      const wanted = { keyId, appId, userId, target, scopes: body.scopes ?? null, tier: body.tier ?? null }
      const { installation, client, granted } = await installApp(tx, wanted, changeContext(requestId, { onRevoked }))
      const neverExpires = isEverlasting(client)
      const { id } = installation
      const token = await mintInstallationToken(tx, { client, installation: id, scopes: granted, neverExpires })
      if (token === null) throw new Error('a new installation returned no token')
      counted?.issued(token.accessToken)
      return { status: 201, body: { data: installationRecord(installation), token: tokenBlock(id, token), meta: {} } }
    },
  }),
  route({
    operation: 'createInstallationToken',
    method: 'POST',
    path: '/installations/:id/tokens',
    summary: 'Create an installation token',
    description: 'Creates a token of an installation, with all of its scopes or with some of them.',
    tag: 'Installations',
    access: heldBy(['user', 'server_key'], 'write:installations'),
    schema: {
      params: Type.Object({ id: idOf('installation') }),
      body: NewToken,
      response: { 201: InstallationWithToken },
    },
    transaction: async ({ tx, caller, params: { id }, body, behaviour, requestId, counted }) => {
      const wanted = { scopes: body.scopes ?? null, neverExpires: body.never_expires === true, requestId }
      const minting = { id, targetTypes: shownTypes(behaviour), ...wanted }
      const { installation, token } = await mintToken(tx, caller, minting)
      counted?.issued(token.accessToken)
      return { status: 201, body: { data: installationRecord(installation), token: tokenBlock(id, token), meta: {} } }
    },
  }),
]

/** A malformed id, or an id of the other kind, gets the same 404 as an unknown one. */
export function installTargetOf(type: InstallTarget['type'], text: string): InstallTarget {
  if (type === 'company') {
    const id = parseId('company', text)
    if (id !== null) return { type, id }
  } else {
    const id = parseId('syndicate', text)
    if (id !== null) return { type, id }
  }
  throw notFound(`the text is not an id of a ${type}`)
}
