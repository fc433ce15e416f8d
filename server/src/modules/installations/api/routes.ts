import { Type } from 'typebox'
import { heldBy, user } from '#http/access.ts'
import { pageQuery, shortListPage, unpagedSize } from '#http/pagination.ts'
import { type Route, route } from '#http/route.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import type { World } from '#kernel/world.ts'
import type { PlatformDatabase, WorldDatabase } from '#system/postgres/database.ts'
import { becauseOf, type OnRevoked } from '../because.ts'
import { eligibleTargets } from '../installing/eligible-targets.ts'
import { listInstallations, readInstallation } from '../managing/look-up.ts'
import { revokeAsCaller } from '../managing/revoke-as-caller.ts'
import { connectedAppRoute } from './connected-app-route.ts'
import { grantingRoutes } from './granting-routes.ts'
import { type Position, pagesOf, showPage } from './list-page.ts'
import { platformInstallationRoutes } from './platform-routes.ts'
import { portalInstallationRoutes } from './portal-routes.ts'
import {
  EligibleList,
  EligibleQuery,
  eligibleRecord,
  InstallationList,
  idOf,
  installationRecord,
  OneInstallation,
} from './schemas.ts'
import { shownTypes } from './shown-types.ts'

export type InstallationRouteDeps = {
  readonly databases: Readonly<Record<World, WorldDatabase>> & { readonly platform: PlatformDatabase }
  readonly cursors: CursorSealer
  /** The platform's own name: the role in which its staff acts. */
  readonly brand: string
  readonly onRevoked: readonly OnRevoked[]
}

const Id = Type.Object({ id: idOf('installation') })

/** Everything about installations but the pages: the API, the portal's side and the platform's. */
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
      'Returns where the app is installed, newest first. Revoked installations stay in the list for 30 days.',
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
      const revoking = { id, targetTypes: shownTypes(behaviour), because: becauseOf(requestId, deps) }
      const installation = await revokeAsCaller(tx, caller, revoking)
      return { status: 200, body: { data: installationRecord(installation) } }
    },
  }),
  connectedAppRoute(deps),
  ...portalInstallationRoutes(deps),
  ...platformInstallationRoutes(deps),
]
