import { Type } from 'typebox'
import { signedIn } from '#http/access.ts'
import { listOf, pageQuery, shortListPage } from '#http/pagination.ts'
import { type Route, route } from '#http/route.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import type { PlatformDatabase } from '#system/postgres/database.ts'
import { acceptInvitation, declineInvitation } from './answer-invitation.ts'
import { One } from './fields.ts'
import { InvitationParam, InvitationRecord, invitationRecord } from './invitation-records.ts'
import { holds } from './invitation-rules.ts'
import { invitationsOf } from './invitation-store.ts'
import { inviteMember, withdrawInvitation } from './invite.ts'
import { requireMember } from './require-member.ts'
import { MembershipRecord, NewMember, OrganizationParam } from './schemas.ts'
import { showMembership } from './show-membership.ts'

type Deps = { readonly platform: PlatformDatabase; readonly cursors: CursorSealer }

const portal = { tag: 'Portal', alias: false, access: signedIn() } as const

/** How somebody comes to be on a team: its owners and admins ask, and the person asked says yes. */
export const invitationRoutes = ({ platform, cursors }: Deps): Route[] => [
  route({
    ...portal,
    operation: 'inviteMember',
    method: 'POST',
    path: '/portal/api/organizations/:organization_id/members',
    summary: 'Invite a team member',
    description: 'Invites a person to the team by the email address with which they sign in.',
    schema: { params: OrganizationParam, body: NewMember, response: { 201: One(InvitationRecord) } },
    platform: async ({ ptx, caller, params: { organization_id: organization }, body }) => {
      const invitation = await inviteMember(ptx, { organization, account: caller.accountId }, body)
      return { status: 201, body: { data: invitationRecord(invitation) } }
    },
  }),
  route({
    ...portal,
    operation: 'listInvitations',
    method: 'GET',
    path: '/portal/api/organizations/:organization_id/invitations',
    summary: 'List team invitations',
    description: 'Returns the invitations to the team that have no answer yet.',
    schema: { params: OrganizationParam, query: Type.Object(pageQuery()), response: { 200: listOf(InvitationRecord) } },
    handler: async ({
      caller,
      params: { organization_id: organization },
      query,
      behaviour: { unpagedLists: lists },
    }) => {
      await requireMember(platform.reads, { organization, account: caller.accountId })
      const body = shortListPage({
        ...{ query, lists, cursors, kind: { kind: `invitations/${organization}`, version: 1 } },
        rows: (await invitationsOf(platform.reads, organization)).filter(holds),
        place: ({ created_at, id }) => [created_at, id],
        item: invitationRecord,
      })
      return { status: 200, body }
    },
  }),
  route({
    ...portal,
    operation: 'withdrawInvitation',
    method: 'DELETE',
    path: '/portal/api/organizations/:organization_id/invitations/:invitation_id',
    summary: 'Withdraw a team invitation',
    description: 'Withdraws an invitation to the team.',
    schema: { params: InvitationParam, response: { 204: Type.Null() } },
    platform: async ({ ptx, caller, params: { organization_id: organization, invitation_id } }) => {
      await withdrawInvitation(ptx, { organization, account: caller.accountId }, invitation_id)
      return { status: 204, body: null }
    },
  }),
  route({
    ...portal,
    operation: 'acceptInvitation',
    method: 'POST',
    path: '/portal/api/invitations/:organization_id/accept',
    summary: 'Accept a team invitation',
    description: 'Accepts an invitation. You become a member of the team.',
    schema: { params: OrganizationParam, response: { 200: One(MembershipRecord) } },
    platform: async ({ ptx, caller: { accountId: account }, params: { organization_id: organization } }) => {
      await acceptInvitation(ptx, { organization, account })
      return { status: 200, body: await showMembership(ptx, { organization, account }) }
    },
  }),
  route({
    ...portal,
    operation: 'declineInvitation',
    method: 'POST',
    path: '/portal/api/invitations/:organization_id/decline',
    summary: 'Decline a team invitation',
    description: 'Declines an invitation to a team.',
    schema: { params: OrganizationParam, response: { 204: Type.Null() } },
    platform: async ({ ptx, caller: { accountId: account }, params: { organization_id: organization } }) => {
      await declineInvitation(ptx, { organization, account })
      return { status: 204, body: null }
    },
  }),
]
