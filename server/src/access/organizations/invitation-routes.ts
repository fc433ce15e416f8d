import { Type } from 'typebox'
import { recordAudit } from '#access/audit/index.ts'
import { signedIn } from '#http/access.ts'
import { listOf, pageQuery, shortListPage } from '#http/pagination.ts'
import { type Route, route } from '#http/route.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import { ApiError, notFound, validationError } from '#kernel/errors.ts'
import { type Id, newId } from '#kernel/ids.ts'
import type { PlatformDatabase, PlatformTx } from '#system/postgres/database.ts'
import { type InvitationMails, queueInvitationMail } from './invitation-mail.ts'
import {
  deleteInvitations,
  findInvitation,
  findInvitationTo,
  type Invitation,
  insertInvitation,
  invitationsOf,
} from './invitation-store.ts'
import {
  isValidInvitation,
  lockAsMember,
  membershipOf,
  type Place,
  rejectEnded,
  rejectToManage,
  requireMember,
} from './membership.ts'
import {
  InvitationParam,
  InvitationRecord,
  invitationRecord,
  MembershipRecord,
  membershipRecord,
  NewMember,
  One,
  OrganizationParam,
} from './schemas.ts'
import {
  insertMember,
  isAddressOfMember,
  listTeam,
  lockOrganization,
  type Organization,
  type OrganizationRole,
} from './store.ts'

type Deps = {
  readonly platform: PlatformDatabase
  readonly cursors: CursorSealer
  /** Null if the service sends no mail. */
  readonly mails: InvitationMails | null
}

const portal = { tag: 'Portal', alias: false, access: signedIn() } as const

/** Routes of team invitations: owners and admins invite, the invited person accepts. */
export const invitationRoutes = ({ platform, cursors, mails }: Deps): Route[] => [
  route({
    ...portal,
    operation: 'inviteMember',
    method: 'POST',
    path: '/portal/api/organizations/:organization_id/members',
    summary: 'Invite a team member',
    description:
      'Invites a person to the team by the email address of their account. The person gets a mail if the service sends mail.',
    errors: [429],
    schema: { params: OrganizationParam, body: NewMember, response: { 201: One(InvitationRecord) } },
    platform: async ({ ptx, caller, params: { organization_id: organization }, body }) => {
      const invitation = await inviteMember(ptx, { organization, account: caller.accountId }, { ...body, mails })
      return { status: 201, body: { data: invitationRecord(invitation) } }
    },
  }),
  route({
    ...portal,
    operation: 'listInvitations',
    method: 'GET',
    path: '/portal/api/organizations/:organization_id/invitations',
    summary: 'List team invitations',
    description: 'Returns the invitations to the team that have no answer and are still valid.',
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
        rows: (await invitationsOf(platform.reads, organization)).filter(isValidInvitation),
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
      return { status: 200, body: { data: membershipRecord(await membershipOf(ptx, { organization, account })) } }
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

/** Only the invited person can accept: the account's address must be the invited one. */
export async function acceptInvitation(tx: PlatformTx, place: Place): Promise<void> {
  const { organization, invitation } = await lockOpenInvitation(tx, place)
  rejectEnded(organization, 'accept_invitation')
  await rejectFullTeam(tx, place.organization)
  const { role, invited_by } = invitation
  await insertMember(tx, { ...place, role })
  await deleteInvitations(tx, [invitation.id])
  const details = { invitation: invitation.id, account: place.account, role, invited_by }
  await audit(tx, place, 'organization.member_added', details)
}

export async function declineInvitation(tx: PlatformTx, place: Place): Promise<void> {
  const { invitation } = await lockOpenInvitation(tx, place)
  await deleteInvitations(tx, [invitation.id])
  await audit(tx, place, 'organization.invitation_declined', { invitation: invitation.id, role: invitation.role })
}

type OpenInvitation = { readonly organization: Organization; readonly invitation: Invitation }

/** The response for a person who was not invited is the same as for an unknown organization. */
async function lockOpenInvitation(tx: PlatformTx, place: Place): Promise<OpenInvitation> {
  const organization = await lockOrganization(tx, place.organization)
  const invitation = await findInvitationTo(tx, place.organization, place.account)
  if (organization === null || invitation === null || !isValidInvitation(invitation)) {
    throw notFound(`${place.organization} has no open invitation for ${place.account}`)
  }
  return { organization, invitation }
}

async function audit(tx: PlatformTx, place: Place, action: string, details: Readonly<Record<string, string>>) {
  await recordAudit(tx, { actor: place.account, action, subject: place.organization, details })
}

/** The maximum of open invitations per organization. A team that needs more is probably sending mail to strangers. */
export const INVITATIONS_MAX = 100

type Wanted = {
  readonly email: string
  readonly role: OrganizationRole
  readonly mails: InvitationMails | null
}

/**
 * Invites the person with this address to join the team. Compares the address only with the addresses of the team's members and
 * of its invitations, never with other accounts. So the response reveals neither the person's name nor whether the address has an
 * account. A new invitation replaces the earlier invitation to the same address.
 */
export async function inviteMember(tx: PlatformTx, place: Place, { email, role, mails }: Wanted): Promise<Invitation> {
  const { role: actor, organization } = await lockAsMember(tx, place, { event: 'invite' })
  rejectToManage(actor, role)
  await rejectFullTeam(tx, place.organization)
  if (await isAddressOfMember(tx, place.organization, email)) throw alreadyThere()
  const before = await invitationsOf(tx, place.organization)
  const same = before.find((invitation) => invitation.email === folded(email))
  if (same !== undefined && isValidInvitation(same)) rejectToManage(actor, same.role)
  const remaining = before.filter((invitation) => invitation !== same && isValidInvitation(invitation))
  if (remaining.length >= INVITATIONS_MAX) throw tooMany()
  await deleteInvitations(tx, idsOf(before.filter((invitation) => !remaining.includes(invitation))))
  const id = newId('organizationInvitation')
  await insertInvitation(tx, { id, organization: place.organization, email, role, invited_by: place.account })
  await auditOfInvite(tx, place, 'organization.member_invited', { invitation: id, role })
  const invitation = await requireInvitation(tx, place, id)
  if (mails !== null) {
    const invited = { id, organization, invitedBy: place.account, email: invitation.email, role }
    await queueInvitationMail(tx, mails, invited)
  }
  return invitation
}

export async function withdrawInvitation(tx: PlatformTx, place: Place, id: Id<'organizationInvitation'>) {
  const { role: actor } = await lockAsMember(tx, place, { event: 'withdraw_invitation' })
  const invitation = await requireInvitation(tx, place, id)
  rejectToManage(actor, invitation.role)
  await deleteInvitations(tx, [id])
  await auditOfInvite(tx, place, 'organization.invitation_withdrawn', { invitation: id, role: invitation.role })
}

async function requireInvitation(tx: PlatformTx, { organization }: Place, id: Id<'organizationInvitation'>) {
  const invitation = await findInvitation(tx, organization, id)
  if (invitation === null || !isValidInvitation(invitation))
    throw notFound(`${organization} has no open invitation ${id}`)
  return invitation
}

/** Lowercases only ASCII letters, like the database does with addresses. */
function folded(email: string): string {
  return email.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

const idsOf = (invitations: readonly Invitation[]) => invitations.map(({ id }) => id)

/** Addresses stay out of the audit, which is never erased. */
async function auditOfInvite(
  tx: PlatformTx,
  place: Place,
  action: string,
  details: { invitation: string; role: string },
) {
  await recordAudit(tx, { actor: place.account, action, subject: place.organization, details })
}

/** The error may contain the reason, because the team can see the addresses of its members. */
function alreadyThere(): ApiError {
  return validationError([
    { field: 'email', code: 'already_exists', message: 'is the address of a person on this team' },
  ])
}

function tooMany(): ApiError {
  return new ApiError('forbidden', {
    public: `This organization has ${INVITATIONS_MAX} open invitations, which is as many as it can have.`,
    remediation: 'Withdraw one, or wait until one has been answered or has run out.',
  })
}

export const TEAM_MAX = 200

/** The caller has locked the organization, so the team does not grow before the commit. */
async function rejectFullTeam(tx: PlatformTx, organization: Id<'organization'>): Promise<void> {
  if ((await listTeam(tx, organization)).length < TEAM_MAX) return
  throw new ApiError('forbidden', {
    public: `This team has ${TEAM_MAX} members, which is as many as a team can have.`,
    remediation: 'A person has to leave it or be removed first.',
  })
}
