import { notFound } from '#kernel/errors.ts'
import { recordAudit } from '#modules/audit/index.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import { holds } from './invitation-rules.ts'
import { deleteInvitations, findInvitationTo, type Invitation } from './invitation-store.ts'
import { insertMember } from './member-store.ts'
import { type Place, refuseEnded } from './require-member.ts'
import { lockOrganization, type Organization } from './store.ts'
import { refuseFullTeam } from './team-size.ts'

/** The person asked, in their own browser: nobody else puts them on a team. */
export async function acceptInvitation(tx: PlatformTx, place: Place): Promise<void> {
  const { organization, invitation } = await holdInvitation(tx, place)
  refuseEnded(organization, 'accept_invitation')
  await refuseFullTeam(tx, place.organization)
  const { role, invited_by } = invitation
  await insertMember(tx, { ...place, role })
  await deleteInvitations(tx, [invitation.id])
  const details = { invitation: invitation.id, account: place.account, role, invited_by }
  await audit(tx, place, 'organization.member_added', details)
}

export async function declineInvitation(tx: PlatformTx, place: Place): Promise<void> {
  const { invitation } = await holdInvitation(tx, place)
  await deleteInvitations(tx, [invitation.id])
  await audit(tx, place, 'organization.invitation_declined', { invitation: invitation.id, role: invitation.role })
}

type Asked = { readonly organization: Organization; readonly invitation: Invitation }

/** Who was not asked hears the same as where there is no such organization. */
async function holdInvitation(tx: PlatformTx, place: Place): Promise<Asked> {
  const organization = await lockOrganization(tx, place.organization)
  const invitation = await findInvitationTo(tx, place.organization, place.account)
  if (organization === null || invitation === null || !holds(invitation)) {
    throw notFound(`${place.organization} has no open invitation for ${place.account}`)
  }
  return { organization, invitation }
}

async function audit(tx: PlatformTx, place: Place, action: string, details: Readonly<Record<string, string>>) {
  await recordAudit(tx, { actor: place.account, action, subject: place.organization, details })
}
