import { Type } from 'typebox'
import type { Occasion } from '#events/index.ts'
import { settlingSessionsMadeHere } from '#hosted/sessions/index.ts'
import { idOf, line, nullable, oneOf } from '#http/schema-fields.ts'
import type { Id } from '#kernel/ids.ts'
import {
  applyForMembership,
  approveApplication,
  changeProfile,
  declineApplication,
  failPayment,
  hideMember,
  inviteMember,
  joinSyndicate,
  leaveSyndicate,
  type MovedMembership,
  PERMISSIONS,
  reinviteMember,
  removeMember,
  restoreMember,
  withdrawApplication,
} from '#market/syndicates/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { INVESTOR, INVITED_EMAIL, MANAGER, MEMBER, SYNDICATE } from './examples.ts'
import { type FactType, factType } from './fact-type.ts'
import { Email, HttpUrl, Paragraphs, Time, withTimes } from './fields.ts'

const WORDS_MAX = 50
const Words = Type.Optional(nullable(Type.Array(line(100), { maxItems: WORDS_MAX })))
const Percentage = Type.Optional(nullable(Type.Number({ minimum: 0, maximum: 100 })))
const SORT_ORDER_MAX = 2 ** 31 - 1

/** The limits of single fields. The use case also rejects a profile with more than 20,000 bytes of JSON. */
const Profile = Type.Object(
  {
    bio: Type.Optional(nullable(Paragraphs(5000))),
    thesis: Type.Optional(nullable(Paragraphs(5000))),
    about: Type.Optional(nullable(Paragraphs(5000))),
    interests: Words,
    stage_preferences: Words,
    looking_for: Words,
    tags: Words,
    linkedin_url: Type.Optional(nullable(HttpUrl)),
    twitter_url: Type.Optional(nullable(HttpUrl)),
    website: Type.Optional(nullable(HttpUrl)),
    last_activity_at: Type.Optional(nullable(Time)),
  },
  { additionalProperties: false },
)

const MEMBERSHIP_DIRECTORY_FACTS_WHICH = Type.Object({ id: idOf('membership') }, { additionalProperties: false })

const directoryFacts = (membership: Id<'membership'>): readonly FactType[] => [
  factType({
    type: 'membership.profile_changed',
    summary:
      'A member’s entry in a syndicate’s directory changed. Omitted fields do not change; null clears a field. No ' +
      'event.',
    data: Type.Object(
      {
        id: idOf('membership'),
        title: Type.Optional(nullable(line(200))),
        sort_order: Type.Optional(nullable(Type.Integer({ minimum: 0, maximum: SORT_ORDER_MAX }))),
        public_on_syndicate_profile: Type.Optional(Type.Boolean()),
        carry_percentage_override: Type.Optional(nullable(Type.Integer({ minimum: 1, maximum: 100 }))),
        carry_discount_percentage: Percentage,
        management_fee_discount_percentage: Percentage,
        profile: Type.Optional(Profile),
        private_tags: Type.Optional(Type.Array(line(100), { maxItems: WORDS_MAX })),
      },
      { additionalProperties: false },
    ),
    example: {
      id: membership,
      title: 'Codebreaker',
      public_on_syndicate_profile: true,
      carry_discount_percentage: 12.5,
      profile: { bio: 'Builds machines.', interests: ['hardware'], website: 'https://alan.example.org' },
      private_tags: ['first cheque'],
    },
    apply: (tx, { id, profile, ...changes }, { occasion }) =>
      changeProfile(
        tx,
        {
          id,
          changes: {
            ...changes,
            ...(profile === undefined ? {} : { profile: withTimes(profile, 'last_activity_at') }),
          },
        },
        occasion,
      ),
  }),
  factType({
    type: 'membership.hidden',
    summary: 'A syndicate’s directory no longer shows a member. The membership does not change. No event.',
    data: MEMBERSHIP_DIRECTORY_FACTS_WHICH,
    example: { id: membership },
    apply: (tx, data, { occasion }) => hideMember(tx, data, occasion),
  }),
  factType({
    type: 'membership.restored',
    summary: 'A syndicate’s directory shows a member again. No event.',
    data: MEMBERSHIP_DIRECTORY_FACTS_WHICH,
    example: { id: membership },
    apply: (tx, data, { occasion }) => restoreMember(tx, data, occasion),
  }),
]

const MEMBERSHIP = 'mem_0ExampleNounMembership00' as Id<'membership'>
const OF_INVITED = 'mem_0ExampleNounMember200000' as Id<'membership'>
/** Two applications that wait for a decision. */
const TO_DECLINE = 'mem_0ExampleNounToDecline000' as Id<'membership'>
const TO_WITHDRAW = 'mem_0ExampleNounToWithdraw00' as Id<'membership'>

const WHICH = Type.Object({ id: idOf('membership') }, { additionalProperties: false })

const INVITATION = Type.Object(
  {
    syndicate: idOf('syndicate'),
    email: Email,
    name: Type.Optional(line(200)),
    permission: Type.Optional(oneOf(PERMISSIONS)),
    invited_by: idOf('user'),
  },
  { additionalProperties: false },
)

type Named = { readonly id: Id<'membership'> }
type Deciding<I extends Named> = (tx: Tx, input: I, occasion: Occasion) => Promise<MovedMembership>

/**
 * A decision about a membership. It also ends the join sessions that apps created and that wait for this decision, because the
 * host platform does not know those sessions.
 */
const settling =
  <I extends Named>(decide: Deciding<I>): Deciding<I> =>
  (tx, input, occasion) =>
    settlingSessionsMadeHere(tx, { membershipId: input.id, decide: () => decide(tx, input, occasion) }, occasion)

/** Sorted by their usual order: invited or applied, joined, paid, left; then the facts about the directory. */
export const membershipFacts: readonly FactType[] = [
  factType({
    type: 'membership.invited',
    summary:
      'A syndicate invited an address. This is not a membership yet. The owner of the address may join without approval. An ' +
      'address invited before is invited again by membership.reinvited.',
    data: INVITATION,
    example: { syndicate: SYNDICATE, email: INVITED_EMAIL, name: 'Alan Turing', invited_by: MANAGER },
    apply: (tx, { syndicate, invited_by, ...data }, { occasion }) =>
      inviteMember(tx, { ...data, syndicateId: syndicate, invitedBy: invited_by }, occasion),
  }),
  factType({
    type: 'membership.reinvited',
    summary: 'A syndicate invited an address again.',
    data: INVITATION,
    example: { syndicate: SYNDICATE, email: INVITED_EMAIL, invited_by: MANAGER },
    apply: (tx, { syndicate, invited_by, ...data }, { occasion }) =>
      reinviteMember(tx, { ...data, syndicateId: syndicate, invitedBy: invited_by }, occasion),
  }),
  factType({
    type: 'membership.applied',
    summary:
      'A person applied for membership. A person has one membership of a syndicate, under one id: a person who was declined ' +
      'or withdrew applies again under it.',
    data: Type.Object(
      { id: idOf('membership'), syndicate: idOf('syndicate'), user: idOf('user') },
      { additionalProperties: false },
    ),
    example: { id: MEMBERSHIP, syndicate: SYNDICATE, user: MEMBER },
    apply: (tx, { id, syndicate, user }, { occasion }) =>
      applyForMembership(tx, { id, syndicateId: syndicate, userId: user }, occasion),
  }),
  factType({
    type: 'membership.approved',
    summary:
      'A manager approved an application. In a syndicate without a fund the person becomes a member at once, with the events ' +
      'approved and joined. In a syndicate with a fund the person joins later, with the fact membership.joined.',
    data: Type.Object({ id: idOf('membership'), approved_by: idOf('user') }, { additionalProperties: false }),
    example: { id: MEMBERSHIP, approved_by: MANAGER },
    apply: (tx, { id, approved_by }, { occasion }) =>
      settling(approveApplication)(tx, { id, approvedBy: approved_by }, occasion),
  }),
  factType({
    type: 'membership.joined',
    summary:
      'A person became a member: after an approval, by returning, or after a later successful payment. Or they joined directly, ' +
      'because the syndicate approves automatically or has invited them: then the fact names syndicate and user. If the ' +
      'invitation was sent to an address that is not the person’s own, invited_email names that address.',
    data: Type.Object(
      {
        id: idOf('membership'),
        syndicate: Type.Optional(idOf('syndicate')),
        user: Type.Optional(idOf('user')),
        invited_email: Type.Optional(Email),
      },
      { additionalProperties: false },
    ),
    example: { id: OF_INVITED, syndicate: SYNDICATE, user: INVESTOR, invited_email: INVITED_EMAIL },
    apply: (tx, { id, syndicate, user, invited_email }, { occasion }) =>
      settling(joinSyndicate)(
        tx,
        {
          id,
          ...(syndicate === undefined ? {} : { syndicateId: syndicate }),
          ...(user === undefined ? {} : { userId: user }),
          ...(invited_email === undefined ? {} : { invitedEmail: invited_email }),
        },
        occasion,
      ),
  }),
  factType({
    type: 'membership.payment_failed',
    summary:
      'The payment of a member, or of an approved person, failed. The approval stays valid, and the person has to invest again.',
    data: WHICH,
    example: { id: MEMBERSHIP },
    apply: (tx, data, { occasion }) => failPayment(tx, data, occasion),
  }),
  factType({
    type: 'membership.left',
    summary: 'A member resigned.',
    data: WHICH,
    example: { id: OF_INVITED },
    apply: (tx, data, { occasion }) => leaveSyndicate(tx, data, occasion),
  }),
  factType({
    type: 'membership.removed',
    summary: 'A manager removed a member, or a person whose payment had failed.',
    data: WHICH,
    example: { id: MEMBERSHIP },
    apply: (tx, data, { occasion }) => removeMember(tx, data, occasion),
  }),
  factType({
    type: 'membership.declined',
    summary: 'A manager declined an application.',
    data: WHICH,
    example: { id: TO_DECLINE },
    apply: (tx, data, { occasion }) => settling(declineApplication)(tx, data, occasion),
  }),
  factType({
    type: 'membership.withdrawn',
    summary: 'An applicant withdrew the application.',
    data: WHICH,
    example: { id: TO_WITHDRAW },
    apply: (tx, data, { occasion }) => settling(withdrawApplication)(tx, data, occasion),
  }),
  ...directoryFacts(OF_INVITED),
]
