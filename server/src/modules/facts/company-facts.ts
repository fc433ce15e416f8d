import { Type } from 'typebox'
import type { Id } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import {
  BUSINESS_MODELS,
  COMPANY_KINDS,
  createCompany,
  INDUSTRIES,
  INDUSTRIES_MAX,
  PAST_ROUND_EXEMPTIONS,
  PAST_ROUNDS_MAX,
  reportPastRounds,
  updateCompany,
} from '#modules/companies/index.ts'
import { commentFacts } from './comment-facts.ts'
import { companyPeopleFacts } from './company-people-facts.ts'
import { type FactType, factType } from './fact-type.ts'
import { AmountCentsOrZero, Currency, Line, Nullable, Time } from './fields.ts'
import { Link, Location, placesOf, Ref, Word } from './profile-fields.ts'
import { withTimes } from './told-time.ts'

const OPTIONAL = {
  slug: Type.Optional(Nullable(Type.String({ pattern: '^[0-9a-z._-]{1,100}$' }))),
  tagline: Type.Optional(Nullable(Line(500))),
  logo_url: Type.Optional(Nullable(Link)),
  card_image_url: Type.Optional(Nullable(Link)),
  location: Type.Optional(Location),
  industries: Type.Optional(Type.Array(Word(INDUSTRIES), { maxItems: INDUSTRIES_MAX, uniqueItems: true })),
  business_models: Type.Optional(
    Type.Array(Word(BUSINESS_MODELS), { maxItems: BUSINESS_MODELS.length, uniqueItems: true }),
  ),
  promotion_opt_in: Type.Optional(Type.Boolean()),
  questions_closed: Type.Optional(Type.Boolean()),
}

const INVESTORS_MAX = 2 ** 31 - 1

const PAST_ROUND = Type.Object(
  {
    exemption: Word(PAST_ROUND_EXEMPTIONS),
    amount_raised_cents: Type.Optional(Nullable(Type.Unsafe<Cents>(AmountCentsOrZero))),
    currency: Type.Optional(Nullable(Currency)),
    investor_count: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: INVESTORS_MAX }))),
    opened_at: Type.Optional(Nullable(Time)),
    closed_at: Type.Optional(Nullable(Time)),
  },
  { additionalProperties: false },
)

const COMPANY = 'co_0ExampleNounCompany00000' as Id<'company'>

export const companyFacts: readonly FactType[] = [
  factType({
    type: 'company.created',
    summary: 'A company, or a fund, has a page on the platform.',
    data: Type.Object(
      {
        id: Ref('company'),
        kind: Type.Optional(Word(COMPANY_KINDS)),
        name: Line(200),
        page_url: Link,
        ...OPTIONAL,
      },
      { additionalProperties: false },
    ),
    example: {
      id: COMPANY,
      kind: 'company',
      name: 'Analytical Engines',
      slug: 'analytical-engines',
      tagline: 'Mills and stores for numbers',
      page_url: 'https://platform.example.org/analytical-engines',
      logo_url: 'https://images.example.org/analytical-engines.png',
      location: { city: 'London', country: 'GB' },
      industries: ['hardware', 'technology'],
      business_models: ['b2b'],
      promotion_opt_in: true,
    },
    apply: (tx, { location, ...data }, { occasion }) => createCompany(tx, { ...data, ...placesOf(location) }, occasion),
  }),
  factType({
    type: 'company.updated',
    summary: 'Something about a company changed: the fields given, no others. Null takes a field away.',
    data: Type.Object(
      { id: Ref('company'), name: Type.Optional(Line(200)), page_url: Type.Optional(Link), ...OPTIONAL },
      { additionalProperties: false },
    ),
    example: { id: COMPANY, tagline: 'Engines that weave numbers', promotion_opt_in: false },
    apply: (tx, { location, ...data }, { occasion }) => updateCompany(tx, { ...data, ...placesOf(location) }, occasion),
  }),
  factType({
    type: 'company.past_rounds_reported',
    summary: 'The founder reported the rounds that ran elsewhere. The list replaces the one reported before.',
    data: Type.Object(
      { company: Ref('company'), rounds: Type.Array(PAST_ROUND, { maxItems: PAST_ROUNDS_MAX }) },
      { additionalProperties: false },
    ),
    example: {
      company: COMPANY,
      rounds: [
        {
          exemption: 'reg_d_506b',
          amount_raised_cents: 150_000_00 as Cents,
          currency: 'usd',
          investor_count: 12,
          opened_at: '2024-03-01T00:00:00Z',
          closed_at: '2024-06-30T00:00:00Z',
        },
        { exemption: 'other' },
      ],
    },
    apply: (tx, { company, rounds }, { occasion }) => {
      const told = rounds.map((round) => withTimes(round, 'opened_at', 'closed_at'))
      return reportPastRounds(tx, { company, rounds: told }, occasion)
    },
  }),
  ...companyPeopleFacts,
  ...commentFacts,
]
