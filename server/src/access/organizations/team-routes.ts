import { Type } from 'typebox'
import { type AuditEntry, recordAudit } from '#access/audit/index.ts'
import { signedIn } from '#http/access.ts'
import { deleteResponsesOf } from '#http/idempotency-store.ts'
import { listOf, pageQuery, shortListPage } from '#http/pagination.ts'
import { type Route, route } from '#http/route.ts'
import { callerIdentity } from '#kernel/caller.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import { notFound } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { PlatformDatabase, PlatformQueries, PlatformTx } from '#system/postgres/database.ts'
import { lockAsMember, type Place, rejectLastOwner, rejectToManage, requireMember } from './membership.ts'
import { MemberParam, MemberRecord, memberRecord, One, OrganizationParam, RoleChange } from './schemas.ts'
import { deleteMember, listTeam, type OrganizationRole, type TeamMember, updateRole } from './store.ts'

type Deps = { readonly platform: PlatformDatabase; readonly cursors: CursorSealer }

const team = { tag: 'Portal', alias: false, access: signedIn() } as const

/**
 * Routes for the team of an organization. Every member may list the team, every member except the last owner may leave
 * the team, and owners and admins may change it.
 */
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
    summary: 'Update a member’s role',
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

type Change = { readonly account: Id<'account'>; readonly role: OrganizationRole }

export async function changeRole(tx: PlatformTx, place: Place, { account, role }: Change): Promise<void> {
  const { role: actor } = await lockAsMember(tx, place, { event: 'change_role' })
  const { team, member } = await findMember(tx, place, account)
  rejectToManage(actor, member.role, role)
  if (member.role === role) return
  if (member.role === 'owner') rejectLastOwner(team, 'change_role')
  await updateRole(tx, { organization: place.organization, account, role })
  await deleteResponses(tx, account)
  await audit(tx, place, 'organization.role_changed', { account, from: member.role, to: role })
}

/** Every member except the last owner may leave. */
export async function removeMember(tx: PlatformTx, place: Place, account: Id<'account'>): Promise<void> {
  const { role: actor } = await lockAsMember(tx, place, { event: 'remove_member' })
  const { team, member } = await findMember(tx, place, account)
  if (account !== place.account) rejectToManage(actor, member.role)
  if (member.role === 'owner') rejectLastOwner(team, 'remove_member')
  await deleteMember(tx, place.organization, account)
  await deleteResponses(tx, account)
  await audit(tx, place, 'organization.member_removed', { account, role: member.role })
}

/** Discards stored idempotent responses, because a repeated request must not return data that the person may no longer see. */
async function deleteResponses(tx: PlatformTx, accountId: Id<'account'>): Promise<void> {
  await deleteResponsesOf(tx, callerIdentity({ kind: 'account', accountId }))
}

type Found = { readonly team: readonly TeamMember[]; readonly member: TeamMember }

async function findMember(tx: PlatformTx, { organization }: Place, account: Id<'account'>): Promise<Found> {
  const team = await listTeam(tx, organization)
  const member = team.find(({ account_id }) => account_id === account)
  if (member === undefined) throw notFound(`${account} is not on the team of ${organization}`)
  return { team, member }
}

async function audit(tx: PlatformTx, place: Place, action: string, details: NonNullable<AuditEntry['details']>) {
  await recordAudit(tx, { actor: place.account, action, subject: place.organization, details })
}
