import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import { exactly, idOf, line, nullable, oneOf, time } from '#http/schema-fields.ts'
import type { Invitation, ReceivedInvitation } from './invitation-store.ts'
import {
  type Membership,
  ORGANIZATION_ROLES,
  ORGANIZATION_STATES,
  type Organization,
  type TeamMember,
} from './store.ts'

export const Time = time('Real time, UTC, with microseconds.')

/** The shape of a record with an id: `{id, type, attributes}`. */
export const Resource = <I extends TSchema, A extends TProperties>(
  { id, type, title }: { readonly id: I; readonly type: string; readonly title: string },
  attributes: A,
) => exactly({ id, type: Type.Literal(type), attributes: exactly(attributes) }, title)

export const One = <S extends TSchema>(schema: S) => exactly({ data: schema })

export const InvitationParam = exactly({
  organization_id: idOf('organization'),
  invitation_id: idOf('organizationInvitation'),
})

/** An invitation with the data that the team sees. */
export const InvitationRecord = Resource(
  { id: idOf('organizationInvitation'), type: 'invitation', title: 'TeamInvitation' },
  { email: Type.String(), role: oneOf(ORGANIZATION_ROLES), invited_at: Time, expires_at: Time },
)

export function invitationRecord(invitation: Invitation): Static<typeof InvitationRecord> {
  const { id, email, role, created_at: invited_at, expires_at } = invitation
  return { id, type: 'invitation', attributes: { email, role, invited_at, expires_at } }
}

/** An invitation in the invited person's own list: organization, role and times, without the member who sent it. */
const ReceivedInvitationRecord = exactly(
  {
    organization: exactly({ id: idOf('organization'), name: Type.String() }),
    role: oneOf(ORGANIZATION_ROLES),
    invited_at: Time,
    expires_at: Time,
  },
  'ReceivedInvitation',
)

export function receivedRecord(invitation: ReceivedInvitation): Static<typeof ReceivedInvitationRecord> {
  const { organization_id: id, organization_name: name, role, created_at: invited_at, expires_at } = invitation
  return { organization: { id, name }, role, invited_at, expires_at }
}

const NAME_CHARS_MAX = 200

export const OrganizationParam = exactly({ organization_id: idOf('organization') })
export const MemberParam = exactly({ organization_id: idOf('organization'), account_id: idOf('account') })

export const OrganizationBody = exactly({ name: line(NAME_CHARS_MAX) }, 'OrganizationName')

const Role = oneOf(ORGANIZATION_ROLES)

/** Any address of this form is accepted, with or without an account. */
const Email = Type.String({ maxLength: 254, pattern: '^[^\\s@]+@[^\\s@]+$' })

export const NewMember = exactly({ email: Email, role: Role }, 'NewMember')
export const RoleChange = exactly({ role: Role }, 'RoleChange')

const organizationFields = {
  name: Type.String(),
  status: oneOf(ORGANIZATION_STATES),
  created_at: Time,
  ended_at: nullable(Time),
}

export const OrganizationRecord = Resource(
  { id: idOf('organization'), type: 'organization', title: 'Organization' },
  organizationFields,
)

export function organizationRecord(organization: Organization): Static<typeof OrganizationRecord> {
  const { id, name, state: status, created_at, ended_at } = organization
  return { id, type: 'organization', attributes: { name, status, created_at, ended_at } }
}

/** An organization with the data that a member of its team sees. */
export const MembershipRecord = Resource(
  { id: idOf('organization'), type: 'organization', title: 'OwnOrganization' },
  { ...organizationFields, role: Role },
)

export function membershipRecord(membership: Membership): Static<typeof MembershipRecord> {
  const { id, type, attributes } = organizationRecord(membership)
  return { id, type, attributes: { ...attributes, role: membership.role } }
}

export const MemberRecord = Resource(
  { id: idOf('account'), type: 'member', title: 'Member' },
  { name: Type.String(), email: Type.String(), role: Role, joined_at: Time },
)

export function memberRecord(member: TeamMember): Static<typeof MemberRecord> {
  const { account_id, name, email, role, created_at } = member
  return { id: account_id, type: 'member', attributes: { name, email, role, joined_at: created_at } }
}

export const PersonRecord = Resource(
  { id: idOf('account'), type: 'account', title: 'SignedInPerson' },
  {
    name: Type.String(),
    email: Type.String(),
    organizations: Type.Array(MembershipRecord),
    invitations: Type.Array(ReceivedInvitationRecord, { description: 'Up to 100 valid invitations, newest first.' }),
  },
)
