import { Type } from 'typebox'
import { operator } from '#http/access.ts'
import { type Route, route } from '#http/route.ts'
import { notFound } from '#kernel/errors.ts'
import { recordAuditIn } from '#modules/audit/index.ts'
import { becauseOf, type OnRevoked } from '../because.ts'
import { revokeInstallation } from '../revoke-installation.ts'
import { findInstallations } from '../store.ts'
import { idOf, installationRecord, OneInstallation } from './schemas.ts'

type Deps = { readonly brand: string; readonly onRevoked: readonly OnRevoked[] }

const Id = Type.Object({ id: idOf('installation') })
const platform = { tag: 'Platform partners', alias: false, access: operator() } as const

/** The platform's staff: any installation of the key's world, however long ago it ended. */
export const platformInstallationRoutes = ({ brand, onRevoked }: Deps): Route[] => [
  route({
    ...platform,
    operation: 'readInstallationByOperator',
    method: 'GET',
    path: '/platform/installations/:id',
    summary: 'Get any installation',
    description: 'Returns an installation of any app, for the operator.',
    schema: { params: Id, response: { 200: OneInstallation } },
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
    schema: { params: Id, response: { 200: OneInstallation } },
    transaction: async ({ tx, caller, params: { id }, requestId }) => {
      const because = becauseOf(requestId, { onRevoked })
      const { installation, ended } = await revokeInstallation(tx, { id, role: brand }, because)
      if (ended) {
        const details = { installation: id, mode: tx.world }
        const entry = { actor: caller.operatorKeyId, action: 'installation.revoked', subject: installation.appId }
        await recordAuditIn(tx, { ...entry, details })
      }
      return { status: 200, body: { data: installationRecord(installation) } }
    },
  }),
]
