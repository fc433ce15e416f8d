import { Type } from 'typebox'
import type { Id } from '#kernel/ids.ts'
import { ACCREDITATIONS, registerUser, updateUser } from '#modules/people/index.ts'
import { type FactType, factType } from './fact-type.ts'
import { Email, Line, Nullable, Paragraphs, Time } from './fields.ts'
import { forgetUser } from './forget-user.ts'
import { Link, Location, placesOf, Ref, Word } from './profile-fields.ts'
import { withTimes } from './told-time.ts'

/** As JSON at most 2,000 bytes, even in a script whose letters take four bytes each. */
const Address = Type.Object(
  {
    line1: Type.Optional(Line(100)),
    line2: Type.Optional(Line(100)),
    city: Type.Optional(Line(80)),
    state: Type.Optional(Line(60)),
    postal_code: Type.Optional(Line(20)),
    country: Type.Optional(Line(60)),
  },
  { additionalProperties: false },
)

const OPTIONAL = {
  first_name: Type.Optional(Nullable(Line(100))),
  legal_name: Type.Optional(Nullable(Line(200))),
  username: Type.Optional(Nullable(Type.String({ pattern: '^[0-9A-Za-z._-]{1,60}$' }))),
  bio: Type.Optional(Nullable(Paragraphs(5000))),
  avatar_url: Type.Optional(Nullable(Link)),
  location: Type.Optional(Location),
  location_hidden: Type.Optional(Type.Boolean()),
  address: Type.Optional(Nullable(Address)),
  accreditation: Type.Optional(Word(ACCREDITATIONS)),
  certified_at: Type.Optional(Nullable(Time)),
}

/** Comes and goes in these examples; the people of the others stay. */
const NEWCOMER = 'usr_0ExampleNounNewcomer0000' as Id<'user'>

export const userFacts: readonly FactType[] = [
  factType({
    type: 'user.registered',
    summary: 'A person joined the platform. Email and username are unique among active users, whatever the case.',
    data: Type.Object({ id: Ref('user'), name: Line(200), email: Email, ...OPTIONAL }, { additionalProperties: false }),
    example: {
      id: NEWCOMER,
      name: 'Grace Hopper',
      first_name: 'Grace',
      legal_name: 'Grace Brewster Hopper',
      email: 'grace@example.org',
      username: 'grace',
      bio: 'Invests in tools that make other tools.',
      avatar_url: 'https://images.example.org/grace.png',
      location: { city: 'Arlington', state: 'VA', country: 'US' },
      location_hidden: false,
      address: { line1: '1 Compiler Street', city: 'Arlington', state: 'VA', postal_code: '22201', country: 'US' },
      accreditation: 'self_attested',
      certified_at: '2026-01-10T09:00:00Z',
    },
    apply: (tx, { location, ...data }, { occasion }) =>
      registerUser(tx, { ...withTimes(data, 'certified_at'), ...placesOf(location) }, occasion),
  }),
  factType({
    type: 'user.updated',
    summary: 'Something about a person changed: the fields given, no others. Null takes a field away.',
    data: Type.Object(
      { id: Ref('user'), name: Type.Optional(Line(200)), email: Type.Optional(Email), ...OPTIONAL },
      { additionalProperties: false },
    ),
    example: { id: NEWCOMER, username: 'amazing.grace', bio: null, accreditation: 'verified' },
    apply: (tx, { location, ...data }, { occasion }) =>
      updateUser(tx, { ...withTimes(data, 'certified_at'), ...placesOf(location) }, occasion),
  }),
  factType({
    type: 'user.deactivated',
    summary: 'A person left for ever: what says who they were is erased everywhere, their investments stay.',
    data: Type.Object({ id: Ref('user') }, { additionalProperties: false }),
    example: { id: NEWCOMER },
    apply: (tx, { id }, { occasion }) => forgetUser(tx, id, occasion),
  }),
]
