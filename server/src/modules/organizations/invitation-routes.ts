import { Type } from 'typebox'
import { signedIn } from '#http/access.ts'
import { listOf, wholeList } from '#http/pagination.ts'
import { type Route, route } from '#http/route.ts'
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

const portal = { tag: 'Portal', alias: false, access: signedIn() } as const

/** How somebody comes to be on a team: its owners and admins ask, and the person asked says yes. */
export const invitationRoutes = ({ platform }: { readonly platform: PlatformDatabase }): Route[] => [
  route({
    ...portal,
    operation: 'inviteMember',
    method: 'POST',
    path: '/portal/api/organizations/:organization_id/members',
    summary: 'Ask somebody to join the team, by the address they sign in with',
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
    summary: 'Who was asked to join the team and has not answered',
    schema: { params: OrganizationParam, response: { 200: listOf(InvitationRecord) } },
    handler: async ({ caller, params: { organization_id: organization } }) => {
      await requireMember(platform.reads, { organization, account: caller.accountId })
      const open = (await invitationsOf(platform.reads, organization)).filter(holds)
      return { status: 200, body: wholeList(open.map(invitationRecord)) }
    },
  }),
  route({
    ...portal,
    operation: 'withdrawInvitation',
    method: 'DELETE',
    path: '/portal/api/organizations/:organization_id/invitations/:invitation_id',
    summary: 'Withdraw an invitation',
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
    summary: 'Join the team that asked you',
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
    summary: 'Say no to a team that asked you',
    schema: { params: OrganizationParam, response: { 204: Type.Null() } },
    platform: async ({ ptx, caller: { accountId: account }, params: { organization_id: organization } }) => {
      await declineInvitation(ptx, { organization, account })
      return { status: 204, body: null }
    },
  }),
]
