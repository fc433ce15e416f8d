import { type Static, Type } from 'typebox'
import { Exactly, IdOf, OneOf, Resource, Time } from './fields.ts'
import type { Invitation, ReceivedInvitation } from './invitation-store.ts'
import { ORGANIZATION_ROLES } from './store.ts'

export const InvitationParam = Exactly({
  organization_id: IdOf('organization'),
  invitation_id: IdOf('organizationInvitation'),
})

/** As the team sees it: nothing but what the team said. */
export const InvitationRecord = Resource(
  { id: IdOf('organizationInvitation'), type: 'invitation', title: 'TeamInvitation' },
  { email: Type.String(), role: OneOf(ORGANIZATION_ROLES), invited_at: Time, expires_at: Time },
)

export function invitationRecord(invitation: Invitation): Static<typeof InvitationRecord> {
  const { id, email, role, created_at: invited_at, expires_at } = invitation
  return { id, type: 'invitation', attributes: { email, role, invited_at, expires_at } }
}

/** As the person asked sees it: which team, and as what; not who on the team asked, whose address is the team's own. */
export const ReceivedInvitationRecord = Exactly(
  {
    organization: Exactly({ id: IdOf('organization'), name: Type.String() }),
    role: OneOf(ORGANIZATION_ROLES),
    invited_at: Time,
    expires_at: Time,
  },
  'ReceivedInvitation',
)

export function receivedRecord(invitation: ReceivedInvitation): Static<typeof ReceivedInvitationRecord> {
  const { organization_id: id, organization_name: name, role, created_at: invited_at, expires_at } = invitation
  return { organization: { id, name }, role, invited_at, expires_at }
}
