import { type Static, Type } from 'typebox'
import { Exactly, IdOf, Line, OneOf, OrNull, Resource, Time } from './fields.ts'
import { ReceivedInvitationRecord } from './invitation-records.ts'
import {
  type Membership,
  ORGANIZATION_ROLES,
  ORGANIZATION_STATES,
  type Organization,
  type TeamMember,
} from './store.ts'

const NAME_CHARS_MAX = 200

export const OrganizationParam = Exactly({ organization_id: IdOf('organization') })
export const MemberParam = Exactly({ organization_id: IdOf('organization'), account_id: IdOf('account') })

export const OrganizationBody = Exactly({ name: Line(NAME_CHARS_MAX) }, 'OrganizationName')

const Role = OneOf(ORGANIZATION_ROLES)

/** Plain addresses; whether it is anybody's is not looked up. */
const Email = Type.String({ maxLength: 254, pattern: '^[^\\s@]+@[^\\s@]+$' })

export const NewMember = Exactly({ email: Email, role: Role }, 'NewMember')
export const RoleChange = Exactly({ role: Role }, 'RoleChange')

const organizationFields = {
  name: Type.String(),
  status: OneOf(ORGANIZATION_STATES),
  created_at: Time,
  ended_at: OrNull(Time),
}

export const OrganizationRecord = Resource(
  { id: IdOf('organization'), type: 'organization', title: 'Organization' },
  organizationFields,
)

export function organizationRecord(organization: Organization): Static<typeof OrganizationRecord> {
  const { id, name, state: status, created_at, ended_at } = organization
  return { id, type: 'organization', attributes: { name, status, created_at, ended_at } }
}

/** An organization as one of its team sees it. */
export const MembershipRecord = Resource(
  { id: IdOf('organization'), type: 'organization', title: 'OwnOrganization' },
  { ...organizationFields, role: Role },
)

export function membershipRecord(membership: Membership): Static<typeof MembershipRecord> {
  const { id, type, attributes } = organizationRecord(membership)
  return { id, type, attributes: { ...attributes, role: membership.role } }
}

export const MemberRecord = Resource(
  { id: IdOf('account'), type: 'member', title: 'Member' },
  { name: Type.String(), email: Type.String(), role: Role, joined_at: Time },
)

export function memberRecord(member: TeamMember): Static<typeof MemberRecord> {
  const { account_id, name, email, role, created_at } = member
  return { id: account_id, type: 'member', attributes: { name, email, role, joined_at: created_at } }
}

export const PersonRecord = Resource(
  { id: IdOf('account'), type: 'account', title: 'SignedInPerson' },
  {
    name: Type.String(),
    email: Type.String(),
    organizations: Type.Array(MembershipRecord),
    invitations: Type.Array(ReceivedInvitationRecord, { description: 'The newest 100, newest first.' }),
  },
)
