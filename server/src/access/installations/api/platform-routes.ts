import { Type } from 'typebox'
import type { NotifyAppTeam } from '#access/apps/index.ts'
import { recordAuditIn } from '#access/audit/index.ts'
import { liveOperator, operator } from '#http/access.ts'
import { listOf, openCursor, page, pageQuery, pageSize } from '#http/pagination.ts'
import { type Route, route } from '#http/route.ts'
import { exactly, idOf, oneOf } from '#http/schema-fields.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import { notFound } from '#kernel/errors.ts'
import type { PlatformDatabase } from '#system/postgres/database.ts'
import { INSTALLATION_STATES, TARGET_TYPES } from '../installation.ts'
import { changeContext, type OnRevoked } from '../lifecycle.ts'
import { listInstallationsOfPartners, type PartnerInstallation } from '../platform-store.ts'
import { revokeInstallation, withdrawPiiApproval } from '../revocations.ts'
import { findInstallations } from '../store.ts'
import { dutyRoutes } from './removal-duty-routes.ts'
import { InstallationSchema, installationRecord, OneInstallation } from './schemas.ts'

export type PlatformRouteDeps = {
  /** The platform's own name, which is recorded as the role of its staff. */
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

/** A withdrawal affects both worlds, so an operator key of the test world is not accepted. */
export const piiWithdrawalRoutes = ({ brand, onRevoked, notify }: PiiWithdrawalDeps): Route[] => [
  route({
    operation: 'withdrawPii',
    method: 'DELETE',
    path: '/platform/apps/:app_id/pii_approval',
    alias: false,
    summary: 'Withdraw investor PII approval',
    description: 'Withdraws an app’s approval for investor PII and revokes the installations that depend on it.',
    tag: 'Platform partners',
    access: liveOperator('compliance', 'partner'),
    schema: { params: exactly({ app_id: AppId }), response: { 200: PiiWithdrawal } },
    platform: async ({ ptx, caller, params: { app_id: app }, requestId }) => {
      const withdrawal = { app, actor: caller.actor, role: brand }
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
const platform = { tag: 'Platform partners', alias: false } as const

const Partner = {
  app: exactly({ id: idOf('app'), name: Type.String() }),
  organization: exactly({ id: idOf('organization'), name: Type.String() }),
} as const

const PartnerInstallationRecord = exactly({ ...InstallationSchema.properties, ...Partner }, 'PartnerInstallation')

function partnerInstallationRecord({ installation, app, organization }: PartnerInstallation) {
  return { ...installationRecord(installation), app, organization }
}

type ListDeps = { readonly platform: PlatformDatabase; readonly cursors: CursorSealer }

const listRoutes = ({ platform: { reads }, cursors }: ListDeps): Route[] => [
  route({
    ...platform,
    access: operator('viewer', 'partner'),
    operation: 'listInstallationsByOperator',
    method: 'GET',
    path: '/platform/installations',
    summary: 'List all partners’ installations',
    description:
      'Returns the installations of all partners in the caller’s mode, newest first. The query filters by app, organization, target and status.',
    schema: {
      query: exactly({
        app_id: Type.Optional(AppId),
        organization_id: Type.Optional(idOf('organization')),
        target_type: Type.Optional(oneOf(TARGET_TYPES)),
        target_id: Type.Optional(
          Type.String({ maxLength: 40, description: 'The id of a company, a syndicate or a user.' }),
        ),
        status: Type.Optional(oneOf(INSTALLATION_STATES)),
        ...pageQuery(),
      }),
      response: { 200: listOf(PartnerInstallationRecord) },
    },
    handler: async ({ db: { world }, query }) => {
      const size = pageSize(query.per_page)
      const kind = { kind: `platform_installations/${world}`, version: 1 }
      const [before = null] = openCursor(cursors, kind, query.cursor) ?? []
      const filter = {
        ...{ app: query.app_id ?? null, organization: query.organization_id ?? null },
        ...{ targetType: query.target_type ?? null, target: query.target_id ?? null, state: query.status ?? null },
      }
      const at = { before: before === null ? null : String(before), limit: size + 1 }
      const rows = await listInstallationsOfPartners(reads, world, filter, at)
      const next = ({ installation }: PartnerInstallation) => cursors.seal(kind, [installation.id])
      return { status: 200, body: page({ rows, size, item: partnerInstallationRecord, next }) }
    },
  }),
]

/** Routes for the operator: any installation in the operator's mode, no matter how long ago it was revoked. */
export const platformInstallationRoutes = ({ brand, onRevoked, ...lists }: PlatformRouteDeps & ListDeps): Route[] => [
  ...listRoutes(lists),
  ...dutyRoutes(lists),
  route({
    ...platform,
    access: operator('viewer', 'partner'),
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
    access: operator('compliance', 'partner'),
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
        const entry = { actor: caller.actor, action: 'installation.revoked', subject: installation.appId }
        await recordAuditIn(tx, { ...entry, details })
      }
      return { status: 200, body: { data: installationRecord(installation) } }
    },
  }),
]
