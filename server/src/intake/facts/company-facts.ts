import { Type } from 'typebox'
import { idOf, line, nullable, oneOf } from '#http/schema-fields.ts'
import type { Id } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import {
  askQuestion,
  BUSINESS_MODELS,
  COMPANY_KINDS,
  COMPANY_ROLES,
  createCompany,
  DISCLOSURE_KEYS,
  endRole,
  followCompany,
  INDUSTRIES,
  INDUSTRIES_MAX,
  PAST_ROUND_EXEMPTIONS,
  PAST_ROUNDS_MAX,
  postComment,
  removeComment,
  reportPastRounds,
  setRole,
  unfollowCompany,
  updateComment,
  updateCompany,
} from '#market/companies/index.ts'
import { type FactType, factType } from './fact-type.ts'
import { AmountCentsOrZero, Currency, Link, Location, Paragraphs, placesOf, Time, withTimes } from './fields.ts'

const TEXT = Paragraphs(10_000)

const WRITTEN = {
  id: idOf('comment'),
  author: idOf('user'),
  body: TEXT,
  disclosure_key: Type.Optional(nullable(oneOf(DISCLOSURE_KEYS))),
}

const LIKES_MAX = 2 ** 31 - 1

const QUESTION = 'cmt_0ExampleNounQuestion0000' as Id<'comment'>
const ANSWER = 'cmt_0ExampleNounAnswer000000' as Id<'comment'>

const commentFacts: readonly FactType[] = [
  factType({
    type: 'question.asked',
    summary: 'A person asked a question on a company’s page.',
    data: Type.Object({ company: idOf('company'), ...WRITTEN }, { additionalProperties: false }),
    example: {
      id: QUESTION,
      company: 'co_0ExampleNounCompany00000' as Id<'company'>,
      author: 'usr_0ExampleNounInvestor0000' as Id<'user'>,
      body: 'How many digits does the store hold?',
      disclosure_key: 'investor',
    },
    apply: (tx, data, { occasion }) => askQuestion(tx, data, occasion),
  }),
  factType({
    type: 'comment.posted',
    summary: 'A person answered a question (the parent is the question) or commented on an answer.',
    data: Type.Object({ parent: idOf('comment'), ...WRITTEN }, { additionalProperties: false }),
    example: {
      id: ANSWER,
      parent: QUESTION,
      author: 'usr_0ExampleNounFounder00000' as Id<'user'>,
      body: 'Fifty, and there are a thousand of them.',
    },
    apply: (tx, data, { occasion }) => postComment(tx, data, occasion),
  }),
  factType({
    type: 'comment.updated',
    summary:
      'A question, answer or comment was edited, highlighted by the company, or liked. Omitted fields do not change.',
    data: Type.Object(
      {
        id: idOf('comment'),
        body: Type.Optional(TEXT),
        highlighted: Type.Optional(Type.Boolean()),
        likes_count: Type.Optional(Type.Integer({ minimum: 0, maximum: LIKES_MAX })),
      },
      { additionalProperties: false },
    ),
    example: { id: QUESTION, highlighted: true, likes_count: 3 },
    apply: (tx, data) => updateComment(tx, data),
  }),
  factType({
    type: 'comment.removed',
    summary: 'A question, answer or comment was removed from the page, with all replies to it.',
    data: Type.Object({ id: idOf('comment') }, { additionalProperties: false }),
    example: { id: ANSWER },
    apply: (tx, { id }, { occasion }) => removeComment(tx, id, occasion),
  }),
]

const ROLE = Type.Object(
  { company: idOf('company'), user: idOf('user'), role: oneOf(COMPANY_ROLES) },
  { additionalProperties: false },
)

const FOLLOW = Type.Object({ company: idOf('company'), user: idOf('user') }, { additionalProperties: false })

const COMPANY_PEOPLE_FACTS_COMPANY = 'co_0ExampleNounCompany00000' as Id<'company'>
const EDITOR = 'usr_0ExampleNounEditor000000' as Id<'user'>
const INVESTOR = 'usr_0ExampleNounInvestor0000' as Id<'user'>

/** The people of a company: its team and its followers. */
const companyPeopleFacts: readonly FactType[] = [
  factType({
    type: 'company.person_set',
    summary:
      'A person got a role at a company, in addition to the roles they have there. Founders, admins and editors may edit the company.',
    data: ROLE,
    example: { company: COMPANY_PEOPLE_FACTS_COMPANY, user: EDITOR, role: 'editor' },
    apply: (tx, data, { occasion }) => setRole(tx, data, occasion),
  }),
  factType({
    type: 'company.person_ended',
    summary: 'A role that a person has at a company ended. It can start again.',
    data: ROLE,
    example: { company: COMPANY_PEOPLE_FACTS_COMPANY, user: EDITOR, role: 'editor' },
    apply: (tx, data, { occasion }) => endRole(tx, data, occasion),
  }),
  factType({
    type: 'company.followed',
    summary: 'A person put a company on their watchlist. A repeat changes nothing.',
    data: FOLLOW,
    example: { company: COMPANY_PEOPLE_FACTS_COMPANY, user: INVESTOR },
    apply: (tx, data, { occasion }) => followCompany(tx, data, occasion),
  }),
  factType({
    type: 'company.unfollowed',
    summary: 'A person removed a company from their watchlist. If it was not there, nothing changes.',
    data: FOLLOW,
    example: { company: COMPANY_PEOPLE_FACTS_COMPANY, user: INVESTOR },
    apply: (tx, data) => unfollowCompany(tx, data),
  }),
]

const OPTIONAL = {
  slug: Type.Optional(nullable(Type.String({ pattern: '^[0-9a-z._-]{1,100}$' }))),
  tagline: Type.Optional(nullable(line(500))),
  logo_url: Type.Optional(nullable(Link)),
  card_image_url: Type.Optional(nullable(Link)),
  location: Type.Optional(Location),
  industries: Type.Optional(Type.Array(oneOf(INDUSTRIES), { maxItems: INDUSTRIES_MAX, uniqueItems: true })),
  business_models: Type.Optional(
    Type.Array(oneOf(BUSINESS_MODELS), { maxItems: BUSINESS_MODELS.length, uniqueItems: true }),
  ),
  promotion_opt_in: Type.Optional(Type.Boolean()),
  questions_closed: Type.Optional(Type.Boolean()),
}

const INVESTORS_MAX = 2 ** 31 - 1

const PAST_ROUND = Type.Object(
  {
    exemption: oneOf(PAST_ROUND_EXEMPTIONS),
    amount_raised_cents: Type.Optional(nullable(Type.Unsafe<Cents>(AmountCentsOrZero))),
    currency: Type.Optional(nullable(Currency)),
    investor_count: Type.Optional(nullable(Type.Integer({ minimum: 0, maximum: INVESTORS_MAX }))),
    opened_at: Type.Optional(nullable(Time)),
    closed_at: Type.Optional(nullable(Time)),
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
        id: idOf('company'),
        kind: Type.Optional(oneOf(COMPANY_KINDS)),
        name: line(200),
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
    summary: 'Fields of a company changed. Omitted fields do not change; null clears a field.',
    data: Type.Object(
      { id: idOf('company'), name: Type.Optional(line(200)), page_url: Type.Optional(Link), ...OPTIONAL },
      { additionalProperties: false },
    ),
    example: { id: COMPANY, tagline: 'Engines that weave numbers', promotion_opt_in: false },
    apply: (tx, { location, ...data }, { occasion }) => updateCompany(tx, { ...data, ...placesOf(location) }, occasion),
  }),
  factType({
    type: 'company.past_rounds_reported',
    summary: 'The founder reported rounds that ran on other platforms. The list replaces the previous list.',
    data: Type.Object(
      { company: idOf('company'), rounds: Type.Array(PAST_ROUND, { maxItems: PAST_ROUNDS_MAX }) },
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
      const reported = rounds.map((round) => withTimes(round, 'opened_at', 'closed_at'))
      return reportPastRounds(tx, { company, rounds: reported }, occasion)
    },
  }),
  ...companyPeopleFacts,
  ...commentFacts,
]
