import { Type } from 'typebox'
import { liveOperator, operator } from '#http/access.ts'
import { listOf, openCursor, page, pageQuery, pageSize } from '#http/pagination.ts'
import { type Route, route } from '#http/route.ts'
import { exactly, idOf, nullable, oneOf, time } from '#http/schema-fields.ts'
import { type OperatorCaller, PLATFORM_ROLES } from '#kernel/caller.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import { WORLDS } from '#kernel/world.ts'
import type { PlatformDatabase } from '#system/postgres/database.ts'
import { changeStaffRole } from '../administration/administer.ts'
import { AccountEnvelope, envelopeOf, Params, StaffRoleBody } from '../administration/schemas.ts'
import { listStaff, type StaffRow } from './store.ts'

type Deps = { readonly platform: PlatformDatabase; readonly cursors: CursorSealer }

const COMMON = { alias: false, tag: 'Platform staff' } as const
const CURSOR = { kind: 'staff', version: 1 }

const Operator = exactly(
  {
    data: exactly({
      id: Type.Union([idOf('operatorKey'), idOf('account')]),
      type: oneOf(['operator_key', 'account']),
      attributes: exactly({
        name: Type.String({ description: 'The name of the key or of the person.' }),
        role: oneOf(PLATFORM_ROLES),
        mode: oneOf(WORLDS, 'The mode of the key. For a person, the mode in X-Portico-Mode (default: `live`).'),
        session_ends_at: nullable(
          time('Real time.'),
          'The time at which a person must prove their second factor again, or earlier after a pause. Null for a key.',
        ),
      }),
    }),
  },
  'PlatformOperator',
)

const Staff = exactly(
  {
    id: idOf('account'),
    type: Type.Literal('staff_member'),
    attributes: exactly({
      name: Type.String(),
      email: Type.String(),
      role: oneOf(PLATFORM_ROLES),
      has_factor: Type.Boolean({ description: 'The role has no effect while the account has no second factor.' }),
      disabled_at: nullable(time('Real time.')),
    }),
  },
  'StaffMember',
)

/** Routes that return the calling operator, list the platform's staff, and set or revoke a staff role. */
export const staffRoutes = ({ platform, cursors }: Deps): Route[] => [
  route({
    ...COMMON,
    operation: 'readOperator',
    method: 'GET',
    path: '/platform/me',
    summary: 'Get the calling operator',
    description: 'Returns the caller, an operator key or a signed-in person of the staff, with the role and the mode.',
    access: operator('viewer', 'platform'),
    schema: { response: { 200: Operator } },
    handler: async ({ caller }) => ({ status: 200, body: { data: operatorRecord(caller) } }),
  }),
  route({
    ...COMMON,
    operation: 'listStaff',
    method: 'GET',
    path: '/platform/staff',
    summary: 'List the platform’s staff',
    description: 'Returns the people with a staff role, oldest account first.',
    access: liveOperator('support', 'person'),
    schema: { query: exactly(pageQuery()), response: { 200: listOf(Staff) } },
    handler: async ({ query }) => {
      const size = pageSize(query.per_page)
      const [after = ''] = openCursor(cursors, CURSOR, query.cursor) ?? []
      const rows = await listStaff(platform.reads, { after: String(after), limit: size + 1 })
      const next = ({ id }: StaffRow) => cursors.seal(CURSOR, [id])
      return { status: 200, body: page({ rows, size, item: staffRecord, next }) }
    },
  }),
  route({
    ...COMMON,
    operation: 'setStaffRole',
    method: 'PUT',
    path: '/platform/accounts/:id/staff_role',
    summary: 'Set a staff role',
    description:
      'Gives a person a role on the platform’s staff. The role replaces an earlier role. It takes effect with the person’s next request if the account has a second factor.',
    access: liveOperator('admin', 'person'),
    schema: { params: Params, body: StaffRoleBody, response: { 200: AccountEnvelope } },
    platform: async ({ ptx, params: { id }, body: { role }, caller }) => ({
      status: 200,
      body: envelopeOf(await changeStaffRole(ptx, id, { role, actor: caller.actor })),
    }),
  }),
  route({
    ...COMMON,
    operation: 'revokeStaffRole',
    method: 'DELETE',
    path: '/platform/accounts/:id/staff_role',
    summary: 'Revoke a staff role',
    description: 'Takes a person’s staff role away. Their next request under /platform is rejected; the account stays.',
    access: liveOperator('admin', 'person'),
    schema: { params: Params, response: { 200: AccountEnvelope } },
    platform: async ({ ptx, params: { id }, caller }) => ({
      status: 200,
      body: envelopeOf(await changeStaffRole(ptx, id, { role: null, actor: caller.actor })),
    }),
  }),
]

function operatorRecord({ actor, name, role, world: mode, session }: OperatorCaller) {
  const attributes = { name, role, mode, session_ends_at: session?.endsAt ?? null }
  return { id: actor, type: session === null ? ('operator_key' as const) : ('account' as const), attributes }
}

function staffRecord({ id, name, email, staff_role: role, has_factor, disabled_at }: StaffRow) {
  return { id, type: 'staff_member' as const, attributes: { name, email, role, has_factor, disabled_at } }
}
