import { Type } from 'typebox'
import { signedIn } from '#http/access.ts'
import { listOf, pageQuery, shortListPage } from '#http/pagination.ts'
import { type Route, route } from '#http/route.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import { notFound } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { PlatformDatabase, PlatformQueries } from '#system/postgres/database.ts'
import { One } from './fields.ts'
import { changeRole, removeMember } from './manage-team.ts'
import { listTeam } from './member-store.ts'
import { requireMember } from './require-member.ts'
import { MemberParam, MemberRecord, memberRecord, OrganizationParam, RoleChange } from './schemas.ts'

type Deps = { readonly platform: PlatformDatabase; readonly cursors: CursorSealer }

const team = { tag: 'Portal', alias: false, access: signedIn() } as const

/** The team of an organization: everybody on it sees it, owners and admins change it, and everybody may leave. */
export const teamRoutes = ({ platform, cursors }: Deps): Route[] => [
  route({
    ...team,
    operation: 'listMembers',
    method: 'GET',
    path: '/portal/api/organizations/:organization_id/members',
    summary: 'List team members',
    description: 'Returns the team of an organization.',
    schema: { params: OrganizationParam, query: Type.Object(pageQuery()), response: { 200: listOf(MemberRecord) } },
    handler: async ({
      caller,
      params: { organization_id: organization },
      query,
      behaviour: { unpagedLists: lists },
    }) => {
      await requireMember(platform.reads, { organization, account: caller.accountId })
      const body = shortListPage({
        ...{ query, lists, cursors, kind: { kind: `team/${organization}`, version: 1 } },
        rows: await listTeam(platform.reads, organization),
        place: ({ created_at, account_id }) => [created_at, account_id],
        item: memberRecord,
      })
      return { status: 200, body }
    },
  }),
  route({
    ...team,
    operation: 'changeMemberRole',
    method: 'PATCH',
    path: '/portal/api/organizations/:organization_id/members/:account_id',
    summary: 'Change a member’s role',
    description: 'Gives a member of the team another role.',
    schema: { params: MemberParam, body: RoleChange, response: { 200: One(MemberRecord) } },
    platform: async ({ ptx, caller, params: { organization_id: organization, account_id: account }, body }) => {
      await changeRole(ptx, { organization, account: caller.accountId }, { account, ...body })
      return { status: 200, body: await show(ptx, organization, account) }
    },
  }),
  route({
    ...team,
    operation: 'removeMember',
    method: 'DELETE',
    path: '/portal/api/organizations/:organization_id/members/:account_id',
    summary: 'Remove a team member',
    description: 'Removes a member from the team. With your own id you leave the team.',
    schema: { params: MemberParam, response: { 204: Type.Null() } },
    platform: async ({ ptx, caller, params: { organization_id: organization, account_id: account } }) => {
      await removeMember(ptx, { organization, account: caller.accountId }, account)
      return { status: 204, body: null }
    },
  }),
]

async function show(queries: PlatformQueries, organization: Id<'organization'>, account: Id<'account'>) {
  const member = (await listTeam(queries, organization)).find(({ account_id }) => account_id === account)
  if (member === undefined) throw notFound(`${account} is not on the team of ${organization}`)
  return { data: memberRecord(member) }
}
