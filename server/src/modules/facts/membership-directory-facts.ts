import { Type } from 'typebox'
import type { Id } from '#kernel/ids.ts'
import { changeProfile, hideMember, restoreMember } from '#modules/syndicates/index.ts'
import { type FactType, factType } from './fact-type.ts'
import { HttpUrl, Line, Nullable, Paragraphs, Time } from './fields.ts'
import { Ref } from './profile-fields.ts'
import { withTimes } from './told-time.ts'

const WORDS_MAX = 50
const Words = Type.Optional(Nullable(Type.Array(Line(100), { maxItems: WORDS_MAX })))
const Percentage = Type.Optional(Nullable(Type.Number({ minimum: 0, maximum: 100 })))
const SORT_ORDER_MAX = 2 ** 31 - 1

/** All of it together has at most 20,000 bytes. */
const Profile = Type.Object(
  {
    bio: Type.Optional(Nullable(Paragraphs(5000))),
    thesis: Type.Optional(Nullable(Paragraphs(5000))),
    about: Type.Optional(Nullable(Paragraphs(5000))),
    interests: Words,
    stage_preferences: Words,
    looking_for: Words,
    tags: Words,
    linkedin_url: Type.Optional(Nullable(HttpUrl)),
    twitter_url: Type.Optional(Nullable(HttpUrl)),
    website: Type.Optional(Nullable(HttpUrl)),
    last_activity_at: Type.Optional(Nullable(Time)),
  },
  { additionalProperties: false },
)

const WHICH = Type.Object({ id: Ref('membership') }, { additionalProperties: false })

export const directoryFacts = (membership: Id<'membership'>): readonly FactType[] => [
  factType({
    type: 'membership.profile_changed',
    summary:
      'What a syndicate’s directory says of a member changed: the fields given, no others. Null takes a field away. No ' +
      'event.',
    data: Type.Object(
      {
        id: Ref('membership'),
        title: Type.Optional(Nullable(Line(200))),
        sort_order: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: SORT_ORDER_MAX }))),
        public_on_syndicate_profile: Type.Optional(Type.Boolean()),
        carry_percentage_override: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 100 }))),
        carry_discount_percentage: Percentage,
        management_fee_discount_percentage: Percentage,
        profile: Type.Optional(Profile),
        private_tags: Type.Optional(Type.Array(Line(100), { maxItems: WORDS_MAX })),
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
    summary: 'A syndicate’s directory shows a member no longer. The membership stays as it is; no event.',
    data: WHICH,
    example: { id: membership },
    apply: (tx, data, { occasion }) => hideMember(tx, data, occasion),
  }),
  factType({
    type: 'membership.restored',
    summary: 'A syndicate’s directory shows a member again. No event.',
    data: WHICH,
    example: { id: membership },
    apply: (tx, data, { occasion }) => restoreMember(tx, data, occasion),
  }),
]
