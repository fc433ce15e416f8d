import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import { type Id, type IdKind, idPattern } from '#kernel/ids.ts'
import { LINE_PATTERN } from '#kernel/text.ts'
import type { Invitation, ReceivedInvitation } from './invitation-store.ts'
import {
  type Membership,
  ORGANIZATION_ROLES,
  ORGANIZATION_STATES,
  type Organization,
  type TeamMember,
} from './store.ts'

/** The pieces of what goes in and out of the portal. */

export const IdOf = <K extends IdKind>(kind: K) => Type.Unsafe<Id<K>>(Type.String({ pattern: idPattern(kind) }))

export const Time = Type.String({ format: 'date-time', description: 'Real time, UTC, with microseconds.' })

export const OrNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])

/** One visible line. */
export const Line = (max: number) => Type.String({ minLength: 1, maxLength: max, pattern: LINE_PATTERN })

export const Exactly = <P extends TProperties>(properties: P, title?: string) =>
  Type.Object(properties, { ...(title === undefined ? {} : { title }), additionalProperties: false })

export const OneOf = <const V extends string>(values: readonly V[]) =>
  Type.Unsafe<V>(Type.Enum([...values], { type: 'string' }))

/** The form of everything here: `{id, type, attributes}`. */
export const Resource = <I extends TSchema, A extends TProperties>(
  { id, type, title }: { readonly id: I; readonly type: string; readonly title: string },
  attributes: A,
) => Exactly({ id, type: Type.Literal(type), attributes: Exactly(attributes) }, title)

export const One = <S extends TSchema>(schema: S) => Exactly({ data: schema })

export const InvitationParam = Exactly({
  organization_id: IdOf('organization'),
  invitation_id: IdOf('organizationInvitation'),
})

/** An invitation as the team sees it. */
export const InvitationRecord = Resource(
  { id: IdOf('organizationInvitation'), type: 'invitation', title: 'TeamInvitation' },
  { email: Type.String(), role: OneOf(ORGANIZATION_ROLES), invited_at: Time, expires_at: Time },
)

export function invitationRecord(invitation: Invitation): Static<typeof InvitationRecord> {
  const { id, email, role, created_at: invited_at, expires_at } = invitation
  return { id, type: 'invitation', attributes: { email, role, invited_at, expires_at } }
}

/** An invitation as the invited person sees it: team and role, but not the member who sent it. */
const ReceivedInvitationRecord = Exactly(
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

const NAME_CHARS_MAX = 200

export const OrganizationParam = Exactly({ organization_id: IdOf('organization') })
export const MemberParam = Exactly({ organization_id: IdOf('organization'), account_id: IdOf('account') })

export const OrganizationBody = Exactly({ name: Line(NAME_CHARS_MAX) }, 'OrganizationName')

const Role = OneOf(ORGANIZATION_ROLES)

/** Plain addresses; whether an account has it is not looked up. */
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

/** An organization as a member of its team sees it. */
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
