import { Type } from 'typebox'
import { EDITORS, type NotifyAppTeam, requireTeam } from '#access/apps/index.ts'
import { recordAuditIn } from '#access/audit/index.ts'
import { liveOperator, operator, signedIn } from '#http/access.ts'
import { pageQuery, pageSize } from '#http/pagination.ts'
import { type Route, route } from '#http/route.ts'
import { exactly, idOf } from '#http/schema-fields.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import { notFound } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { WORLDS, type World } from '#kernel/world.ts'
import type { PlatformDatabase, WorldDatabase } from '#system/postgres/database.ts'
import { type Installation, TARGET_TYPES } from '../installation.ts'
import { listFor } from '../installation-access.ts'
import { changeContext, type OnRevoked } from '../lifecycle.ts'
import { revokeInstallation, withdrawPiiApproval } from '../revocations.ts'
import { findInstallations } from '../store.ts'
import {
  InstallationList,
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

export type PlatformRouteDeps = {
  /** The platform's own name: the role in which its staff acts. */
  readonly brand: string
  readonly onRevoked: readonly OnRevoked[]
}

const AppId = idOf('app')
const Count = Type.Integer({ minimum: 0 })

const PiiWithdrawal = exactly(
  {
    data: exactly({
      id: AppId,
      type: Type.Literal('pii_withdrawal'),
      attributes: exactly({
        installs_disconnected: exactly({ test: Count, live: Count }, 'InstallsDisconnectedByWorld'),
      }),
    }),
  },
  'PiiWithdrawal',
)

type PiiWithdrawalDeps = PlatformRouteDeps & { readonly notify: NotifyAppTeam }

/** Affects both worlds, so a sandbox operator key is not accepted. */
export const piiWithdrawalRoutes = ({ brand, onRevoked, notify }: PiiWithdrawalDeps): Route[] => [
  route({
    operation: 'withdrawPii',
    method: 'DELETE',
    path: '/platform/apps/:app_id/pii_approval',
    alias: false,
    summary: 'Withdraw investor PII approval',
    description: 'Withdraws an app’s approval for investor PII and revokes the installations that depend on it.',
    tag: 'Platform partners',
    access: liveOperator(),
    schema: { params: exactly({ app_id: AppId }), response: { 200: PiiWithdrawal } },
    platform: async ({ ptx, caller, params: { app_id: app }, requestId }) => {
      const withdrawal = { app, actor: caller.operatorKeyId, role: brand }
      const ended = await withdrawPiiApproval(ptx, withdrawal, changeContext(requestId, { onRevoked }))
      if (ended.withdrawn) {
        const stopped = { installs_disconnected: ended.test + ended.live }
        await notify(ptx, { kind: 'app.pii_withdrawn', app, stopped })
      }
      const attributes = { installs_disconnected: { test: ended.test, live: ended.live } }
      return { status: 200, body: { data: { id: app, type: 'pii_withdrawal' as const, attributes } } }
    },
  }),
]

const InstallationId = Type.Object({ id: idOf('installation') })
const platform = { tag: 'Platform partners', alias: false, access: operator() } as const

/** Routes for the operator: any installation of the key's world, no matter how long ago it was revoked. */
export const platformInstallationRoutes = ({ brand, onRevoked }: PlatformRouteDeps): Route[] => [
  route({
    ...platform,
    operation: 'readInstallationByOperator',
    method: 'GET',
    path: '/platform/installations/:id',
    summary: 'Get any installation',
    description: 'Returns an installation of any app, for the operator.',
    schema: { params: InstallationId, response: { 200: OneInstallation } },
    handler: async ({ db, params: { id } }) => {
      const [installation] = await findInstallations(db.reads, [id])
      if (installation === undefined) throw notFound(`${id} is unknown`)
      return { status: 200, body: { data: installationRecord(installation) } }
    },
  }),
  route({
    ...platform,
    operation: 'revokeInstallationByOperator',
    method: 'DELETE',
    path: '/platform/installations/:id',
    summary: 'Revoke any installation',
    description: 'Revokes an installation and, at once, every token of it.',
    schema: { params: InstallationId, response: { 200: OneInstallation } },
    transaction: async ({ tx, caller, params: { id }, requestId }) => {
      const context = changeContext(requestId, { onRevoked })
      const { installation, ended } = await revokeInstallation(tx, { id, role: brand }, context)
      if (ended) {
        const details = { installation: id, mode: tx.world }
        const entry = { actor: caller.operatorKeyId, action: 'installation.revoked', subject: installation.appId }
        await recordAuditIn(tx, { ...entry, details })
      }
      return { status: 200, body: { data: installationRecord(installation) } }
    },
  }),
]
