import { type Static, Type } from 'typebox'
import { listOf } from '#http/pagination.ts'
import { absoluteUrl } from '#http/response-bodies.ts'
import { exactly, idOf, nullable, oneOf, time } from '#http/schema-fields.ts'
import { parseCents } from '#kernel/money.ts'
import { illegalTransition, type StateMachine } from '#kernel/state-machine.ts'
import { SEEN_PARAGRAPHS_PATTERN, UNSEEN } from '#kernel/text.ts'
import { MEMBERSHIP_STATES } from '../membership-states.ts'
import { percent } from '../membership-store.ts'
import { type MemberProfile, PERMISSIONS } from '../syndicate.ts'
import { MEMBER_ROLES } from './directory-store.ts'
import type { MemberRow } from './member-page-store.ts'
import type { PermissionHere } from './store.ts'

export const Time = time('In UTC, in the world’s time.')
export const NullableText = nullable(Type.String())

export const Email = Type.String({
  maxLength: 254,
  pattern: `^[^@${UNSEEN}]+@[^@${UNSEEN}]+$`,
  examples: ['ada@example.org'],
})

export const Paragraphs = (max: number) =>
  Type.String({ minLength: 1, maxLength: max, pattern: SEEN_PARAGRAPHS_PATTERN })

export const OfSyndicate = Type.Object({ syndicate_id: idOf('syndicate') })
export const OfMember = Type.Object({ syndicate_id: idOf('syndicate'), member_id: idOf('membership') })

const Words = Type.Array(Type.String())
const Percent = nullable(Type.Number())
const Location = Type.Optional(
  nullable(Type.String(), 'City, state and country are left out if the person hides their location.'),
)

const MemberSchema = exactly(
  {
    id: idOf('membership'),
    type: Type.Literal('syndicate_member'),
    attributes: exactly({
      user: nullable(idOf('user'), 'Null for an invitation to an address that no user has.'),
      user_name: nullable(
        Type.String(),
        'Null for a deactivated person, and for an invited address without a known name.',
      ),
      user_email: nullable(
        Type.String(),
        'The person’s email address, or the invited address. Null for a deactivated person.',
      ),
      role: oneOf(MEMBER_ROLES),
      status: nullable(
        oneOf(MEMBERSHIP_STATES),
        'The state of the membership, as in events. Null for an invitation, which is not a membership.',
      ),
      invite_role: nullable(oneOf(['admin', 'operator']), 'For an invitation: the role that it names.'),
      syndicate_permission: nullable(
        oneOf(PERMISSIONS),
        'The permission of a manager, or the permission that an invitation names. Null for other people.',
      ),
      title: NullableText,
      sort_order: nullable(Type.Integer()),
      carry_percentage_override: nullable(Type.Integer()),
      carry_discount_percentage: Percent,
      management_fee_discount_percentage: Percent,
      public_on_syndicate_profile: Type.Boolean(),
      interests: Words,
      stage_preferences: Words,
      looking_for: Words,
      linkedin_url: NullableText,
      twitter_url: NullableText,
      website: NullableText,
      city: Location,
      state: Location,
      country: Location,
      avatar_url: NullableText,
      bio: nullable(Type.String(), 'The member’s own description: bio, otherwise thesis, otherwise about.'),
      last_activity_at: nullable(Time),
      profile_url: nullable(Type.String(), 'A path on the platform’s own site.'),
      tags: Type.Array(Type.String(), { description: 'What the member can help with.' }),
      joined_at: Time,
      investment_total_cents: nullable(
        Type.Integer(),
        'The sum of the member’s investments in the syndicate’s selected deals (for each company, the deal that opened last), in minor units. Only investments in the currency of most selected deals count. Null for an invitation.',
      ),
      currency: nullable(Type.String(), 'The currency of investment_total_cents.'),
      deal_count: nullable(
        Type.Integer(),
        'The number of selected deals in which the member invested. Null for an invitation.',
      ),
      accredited: Type.Boolean(),
      legal_name: NullableText,
      starred: Type.Boolean({ description: 'Always false: stars exist only on the platform’s own site.' }),
      private_tags: Words,
      created_at: Time,
      updated_at: Time,
    }),
  },
  'SyndicateMember',
)

export const OneMember = exactly({ data: MemberSchema })
export const MemberList = listOf(MemberSchema)

export type MemberRecord = Static<typeof MemberSchema>

/**
 * Any address can be invited. The owner of an invited address has not agreed to be shown to these managers, so an invitee's row
 * shows none of these fields of the user with this address.
 */
const HIDDEN_OF_INVITEE = {
  legal_name: null,
  accredited: false,
  // Whether the person hides their location must not be visible either.
  location_hidden: false,
  city: null,
  state: null,
  country: null,
  avatar_url: null,
  username: null,
}

/** Only managers read this, so it contains the fields that only managers may see. */
export function memberRecord(found: MemberRow, origin: string): MemberRecord {
  const row = found.role === 'invitee' ? { ...found, ...HIDDEN_OF_INVITEE } : found
  const profile = JSON.parse(row.profile) as MemberProfile
  const { city, state, country } = row
  return {
    id: row.id,
    type: 'syndicate_member',
    attributes: {
      user: row.user,
      user_name: row.user_name,
      user_email: row.user_email,
      role: row.role,
      status: row.status,
      invite_role: inviteRole(row),
      syndicate_permission: row.syndicate_permission,
      title: row.title,
      sort_order: row.sort_order,
      carry_percentage_override: row.carry_percentage_override,
      carry_discount_percentage: percent(row.carry_discount_percentage),
      management_fee_discount_percentage: percent(row.management_fee_discount_percentage),
      public_on_syndicate_profile: row.public_on_syndicate_profile,
      ...profileAttributes(profile),
      ...(row.location_hidden ? {} : { city, state, country }),
      avatar_url: absoluteUrl(origin, row.avatar_url),
      profile_url: row.username === null ? null : `/${row.username}`,
      joined_at: row.joined_at,
      investment_total_cents: parseCents(row.invested_cents),
      currency: row.invested_cents === null ? null : row.invested_currency,
      deal_count: row.invested_deals,
      accredited: row.accredited,
      legal_name: row.legal_name,
      starred: false,
      private_tags: row.private_tags,
      created_at: row.created_at,
      updated_at: row.updated_at,
    },
  }
}

/** `invite_role`: "Role invited as (e.g. admin)." */
function inviteRole({ role, syndicate_permission }: MemberRow): MemberRecord['attributes']['invite_role'] {
  if (role !== 'invitee' || syndicate_permission === null) return null
  return syndicate_permission === 'full_access' ? 'admin' : 'operator'
}

function profileAttributes(profile: MemberProfile) {
  const { interests = [], stage_preferences = [], looking_for = [], tags = [] } = profile
  return {
    interests: [...interests],
    stage_preferences: [...stage_preferences],
    looking_for: [...looking_for],
    tags: [...tags],
    linkedin_url: profile.linkedin_url ?? null,
    twitter_url: profile.twitter_url ?? null,
    website: profile.website ?? null,
    bio: profile.bio ?? profile.thesis ?? profile.about ?? null,
    last_activity_at: profile.last_activity_at ?? null,
  }
}

type OfInvitations = 'resend_invite' | 'withdraw_invite'

/** The moves of an open invitation. */
const INVITATION_MACHINE: StateMachine<'open' | 'withdrawn', OfInvitations, never> = {
  noun: 'invitation',
  table: {
    none: {},
    open: { resend_invite: { to: 'open', events: [] }, withdraw_invite: { to: 'withdrawn', events: [] } },
    withdrawn: {},
  },
}

export function noInvitation(move: OfInvitations) {
  const why = 'This person has already joined or applied.'
  return illegalTransition(INVITATION_MACHINE, { from: 'none', move }, why)
}

type OfMembers = 'approve' | 'decline' | 'hide' | 'restore' | 'promote' | 'demote' | 'update' | 'reorder'

/** "Invitations create no membership", so an invitation allows none of the moves of a membership. */
const MEMBERSHIP_TO_BE: StateMachine<'member', OfMembers, never> = {
  noun: 'membership',
  table: { none: {}, member: {} },
}

/** "Approve: applicants only; invitees must use their link." */
export function noMembershipYet(move: OfMembers) {
  const why = 'An invited person joins by the link that was sent to them.'
  return illegalTransition(MEMBERSHIP_TO_BE, { from: 'none', move }, why)
}

/**
 * from          move     to
 * member        promote  full_access
 * operator      promote  full_access
 * full_access   demote   operator
 *
 * "Promote: to full_access; demote: full_access → operator." Both moves are only for members. The creator of the
 * syndicate keeps full access, because no one else could give it back. "None of them has an event."
 */
type MemberPermission = PermissionHere['status'] | 'operator' | 'full_access' | 'creator'

export const PERMISSION_MACHINE: StateMachine<MemberPermission, 'promote' | 'demote', never> = {
  noun: 'member',
  table: {
    none: {},
    pending: {},
    approved: {},
    left: {},
    removed: {},
    payment_failed: {},
    declined: {},
    withdrawn: {},
    member: { promote: { to: 'full_access', events: [] } },
    operator: { promote: { to: 'full_access', events: [] } },
    full_access: { demote: { to: 'operator', events: [] } },
    creator: {},
  },
}

/** A creator who is hidden from the directory is still the creator. */
export function permissionOf({ status, created, permission }: PermissionHere): MemberPermission {
  if (status !== 'member') return status
  return created && permission === 'full_access' ? 'creator' : (permission ?? 'member')
}
