import { Type } from 'typebox'
import { EDITORS, requireTeam } from '#access/apps/index.ts'
import { recordAuditIn } from '#access/audit/index.ts'
import { signedIn } from '#http/access.ts'
import { pageQuery, pageSize } from '#http/pagination.ts'
import { type Route, route } from '#http/route.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import { notFound } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { WORLDS, type World } from '#kernel/world.ts'
import type { PlatformDatabase, WorldDatabase } from '#system/postgres/database.ts'
import { type Installation, TARGET_TYPES } from '../installation.ts'
import { listFor } from '../installation-access.ts'
import { changeContext, type OnRevoked } from '../lifecycle.ts'
import { revokeInstallation } from '../revocations.ts'
import { findInstallations } from '../store.ts'
import {
  InstallationList,
  idOf,
  installationRecord,
  Mode,
  OneInstallation,
  type Position,
  pagesOf,
  showPage,
} from './schemas.ts'

type Deps = {
  readonly databases: Readonly<Record<World, WorldDatabase>> & { readonly platform: PlatformDatabase }
  readonly cursors: CursorSealer
  readonly onRevoked: readonly OnRevoked[]
}

const portal = { tag: 'Portal', alias: false, access: signedIn() } as const
const PATH = '/portal/api/apps/:app_id/installations'

/** Routes for the app's own team, in both worlds. */
export const portalInstallationRoutes = (deps: Deps): Route[] => [
  route({
    ...portal,
    operation: 'listAppInstallations',
    method: 'GET',
    path: PATH,
    summary: 'List an app’s installations',
    description:
      'Returns where the app is installed, newest first. Revoked installations stay in the list for 30 days.',
    schema: {
      params: Type.Object({ app_id: idOf('app') }),
      query: Type.Object({ mode: Type.Optional(Mode), ...pageQuery() }),
      response: { 200: InstallationList },
    },
    handler: async ({ caller, params: { app_id: app }, query }) => {
      await requireTeam(deps.databases.platform.reads, { account: caller.accountId, app }, EDITORS)
      const { reads, world } = deps.databases[query.mode ?? 'live']
      const list = (at: Position) => listFor(reads, { app, user: null }, { ...at, targetTypes: TARGET_TYPES })
      const pages = pagesOf(deps.cursors, { list: 'portal_installations', world, app })
      return {
        status: 200,
        body: await showPage(pages, { size: pageSize(query.per_page), cursor: query.cursor }, list),
      }
    },
  }),
  route({
    ...portal,
    operation: 'revokeAppInstallation',
    method: 'DELETE',
    path: `${PATH}/:id`,
    summary: 'Revoke an app’s installation',
    description: 'Revokes an installation of the app and, at once, every token of it.',
    schema: {
      params: Type.Object({ app_id: idOf('app'), id: idOf('installation') }),
      response: { 200: OneInstallation },
    },
    // Which world it is in is known once it is found, so the transaction is opened here.
    handler: async ({ caller, params: { app_id: app, id }, requestId }) => {
      await requireTeam(deps.databases.platform.reads, { account: caller.accountId, app }, EDITORS)
      const context = changeContext(requestId, deps)
      const world = await worldOf(deps, app, id)
      const installation = await deps.databases[world].transaction(async (tx) => {
        const revoked = await revokeInstallation(tx, { id, role: 'partner' }, context)
        const details = { installation: id, mode: world }
        const entry = { actor: caller.accountId, action: 'installation.revoked', subject: app, details }
        if (revoked.ended) await recordAuditIn(tx, entry)
        return revoked.installation
      })
      return { status: 200, body: { data: installationRecord(installation) } }
    },
  }),
]

/** An installation of another app gets the same 404 as an unknown id. */
async function worldOf({ databases }: Deps, app: Id<'app'>, id: Id<'installation'>): Promise<World> {
  for (const world of WORLDS) {
    const [found]: readonly Installation[] = await findInstallations(databases[world].reads, [id])
    if (found?.appId === app) return world
  }
  throw notFound(`${id} is no installation of ${app}`)
}
