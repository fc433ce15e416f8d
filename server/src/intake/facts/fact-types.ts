import { Type } from 'typebox'
import { ACCREDITATIONS, registerUser, updateUser } from '#access/people/index.ts'
import { idOf, line, nullable, oneOf } from '#http/schema-fields.ts'
import type { Id } from '#kernel/ids.ts'
import { setMemberCountries } from '#market/syndicates/index.ts'
import {
  EXIT_REASONS,
  EXIT_STATUSES,
  exitOffering,
  HOLDING_STATUSES,
  sellInvestment,
  setFundHolding,
  valueOffering,
} from '#views/portfolio/index.ts'
import type { FactRules } from './apply-fact.ts'
import { companyFacts } from './company-facts.ts'
import { contentFacts } from './content-facts.ts'
import {
  COMPANY_STAGE,
  INVESTMENT_SESSION_STAGE,
  INVESTMENT_STAGE,
  JOIN_SESSION_STAGE,
  MEMBERSHIP_STAGE,
  OFFERING_STAGE,
  PEOPLE_STAGE,
  SYNDICATE,
} from './examples.ts'
import { type FactSettings, type FactType, factTable, factType } from './fact-type.ts'
import type { FactGroup } from './feed-document.ts'
import { Email, Link, Location, Paragraphs, placesOf, Time, withTimes } from './fields.ts'
import { forgetUser } from './forget-user.ts'
import { investmentFacts, referralFacts } from './investment-facts.ts'
import { investmentSessionFacts } from './investment-session-facts.ts'
import { joinSessionFacts } from './join-session-facts.ts'
import { membershipFacts } from './membership-facts.ts'
import { offeringFacts } from './offering-facts.ts'
import { syndicateFacts } from './syndicate-facts.ts'

/** Decimals as text: a price is never a floating-point number. Up to ten digits after the point, like the columns. */
const SharePrice = Type.String({ pattern: '^\\d{1,18}(\\.\\d{1,10})?$' })
const Multiple = Type.String({ pattern: '^\\d{1,9}(\\.\\d{1,10})?$' })

const OFFERING = 'ofr_0ExampleNounOffering0000' as Id<'offering'>

export const portfolioFacts: readonly FactType[] = [
  factType({
    type: 'portfolio.valued',
    summary:
      'The stakes sold in an offering have a new value: a share price, or a multiple of the price paid. ' +
      'It is valid from valued_at, or from occurred_at if valued_at is absent.',
    data: Type.Object(
      {
        offering: idOf('offering'),
        share_price: Type.Optional(SharePrice),
        multiple: Type.Optional(Multiple),
        valued_at: Type.Optional(Time),
      },
      { additionalProperties: false },
    ),
    example: { offering: OFFERING, multiple: '1.65', valued_at: '2026-01-12T00:00:00Z' },
    apply: (tx, data, { occasion }) => valueOffering(tx, withTimes(data, 'valued_at'), occasion),
  }),
  factType({
    type: 'portfolio.exited',
    summary: 'All stakes sold in an offering ended. The proceeds are given as a multiple of the price paid.',
    data: Type.Object(
      {
        offering: idOf('offering'),
        status: oneOf(EXIT_STATUSES),
        reason: Type.Optional(nullable(oneOf(EXIT_REASONS))),
        multiple: Type.Optional(Multiple),
        exited_at: Type.Optional(Time),
      },
      { additionalProperties: false },
    ),
    example: { offering: OFFERING, status: 'exited', reason: 'acquisition', multiple: '2.4' },
    apply: (tx, data, { occasion }) => exitOffering(tx, withTimes(data, 'exited_at'), occasion),
  }),
  factType({
    type: 'portfolio.sold',
    summary: 'An investor sold an executed investment, at a multiple of the price paid.',
    data: Type.Object(
      { investment: idOf('investment'), multiple: Multiple, sold_at: Type.Optional(Time) },
      { additionalProperties: false },
    ),
    example: { investment: 'inv_0ExampleNounInvestment00' as Id<'investment'>, multiple: '1.2' },
    apply: (tx, data, { occasion }) => sellInvestment(tx, withTimes(data, 'sold_at'), occasion),
  }),
  factType({
    type: 'fund.holding_set',
    summary: 'A fund invested in a company, or the state of that investment changed.',
    data: Type.Object(
      { fund: idOf('company'), company: idOf('company'), status: oneOf(HOLDING_STATUSES) },
      { additionalProperties: false },
    ),
    example: {
      fund: 'co_0ExampleNounFund00000000' as Id<'company'>,
      company: 'co_0ExampleNounCompany00000' as Id<'company'>,
      status: 'active',
    },
    apply: (tx, data) => setFundHolding(tx, data),
  }),
]

/** An address has at most 2,000 bytes as JSON, even with four bytes per letter. */
const Address = Type.Object(
  {
    line1: Type.Optional(line(100)),
    line2: Type.Optional(line(100)),
    city: Type.Optional(line(80)),
    state: Type.Optional(line(60)),
    postal_code: Type.Optional(line(20)),
    country: Type.Optional(line(60)),
  },
  { additionalProperties: false },
)

const OPTIONAL = {
  first_name: Type.Optional(nullable(line(100))),
  legal_name: Type.Optional(nullable(line(200))),
  username: Type.Optional(nullable(Type.String({ pattern: '^[0-9A-Za-z._-]{1,60}$' }))),
  bio: Type.Optional(nullable(Paragraphs(5000))),
  avatar_url: Type.Optional(nullable(Link)),
  location: Type.Optional(Location),
  location_hidden: Type.Optional(Type.Boolean()),
  address: Type.Optional(nullable(Address)),
  accreditation: Type.Optional(oneOf(ACCREDITATIONS)),
  certified_at: Type.Optional(nullable(Time)),
}

/** These examples register and deactivate this person. Other examples use other people. */
const NEWCOMER = 'usr_0ExampleNounNewcomer0000' as Id<'user'>

export const userFacts: readonly FactType[] = [
  factType({
    type: 'user.registered',
    summary:
      'A person joined the platform. Email and username are unique among active users, regardless of letter case.',
    data: Type.Object(
      { id: idOf('user'), name: line(200), email: Email, ...OPTIONAL },
      { additionalProperties: false },
    ),
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
    touches: ({ id, email, username = null }) => ({
      changes: [
        id,
        `email ${email.toLowerCase()}`,
        ...(username === null ? [] : [`username ${username.toLowerCase()}`]),
      ],
    }),
    apply: (tx, { location, ...data }, { occasion }) =>
      registerUser(tx, { ...withTimes(data, 'certified_at'), ...placesOf(location) }, occasion),
  }),
  factType({
    type: 'user.updated',
    summary: 'Fields of a person changed. Omitted fields do not change; null clears a field.',
    data: Type.Object(
      { id: idOf('user'), name: Type.Optional(line(200)), email: Type.Optional(Email), ...OPTIONAL },
      { additionalProperties: false },
    ),
    example: { id: NEWCOMER, username: 'amazing.grace', bio: null, accreditation: 'verified' },
    apply: (tx, { location, ...data }, { occasion }) =>
      updateUser(tx, { ...withTimes(data, 'certified_at'), ...placesOf(location) }, occasion),
  }),
  factType({
    type: 'user.deactivated',
    summary: 'A person left for good. Everything that identifies them is erased; their investments stay.',
    data: Type.Object({ id: idOf('user') }, { additionalProperties: false }),
    example: { id: NEWCOMER },
    apply: (tx, { id }, { occasion }) => forgetUser(tx, id, occasion),
  }),
]

/** ISO 3166-1 alpha-2; there are about 250. */
const Country = Type.String({ pattern: '^[A-Z]{2}$' })
const COUNTRIES_MAX = 250

const memberCountryFacts: readonly FactType[] = [
  factType({
    type: 'syndicate.member_countries_set',
    summary:
      'The countries where members of a syndicate may live, as two-letter ISO codes. They are compared with the country of the ' +
      'person’s address, or of their location if there is no address. Null allows every country. People who live elsewhere cannot ' +
      'join from a partner’s site.',
    data: Type.Object(
      {
        syndicate: idOf('syndicate'),
        countries: nullable(Type.Array(Country, { minItems: 1, maxItems: COUNTRIES_MAX })),
      },
      { additionalProperties: false },
    ),
    example: { syndicate: SYNDICATE, countries: ['GB', 'US'] },
    apply: (tx, { syndicate: id, countries }, { occasion }) => setMemberCountries(tx, { id, countries }, occasion),
  }),
]

/** All fact types, in the order of the documentation. */
export const FACT_GROUPS: readonly FactGroup[] = [
  { heading: 'People', stage: PEOPLE_STAGE, facts: userFacts },
  { heading: 'Companies', stage: COMPANY_STAGE, facts: companyFacts },
  { heading: 'Offerings', stage: OFFERING_STAGE, facts: offeringFacts },
  { heading: 'Company content', stage: [], facts: contentFacts },
  { heading: 'Investments', stage: INVESTMENT_STAGE, facts: investmentFacts },
  { heading: 'Portfolio', stage: [], facts: portfolioFacts },
  { heading: 'Referrals', stage: [], facts: referralFacts },
  { heading: 'Syndicates', stage: [], facts: [...syndicateFacts, ...memberCountryFacts] },
  { heading: 'Memberships', stage: MEMBERSHIP_STAGE, facts: membershipFacts },
  { heading: 'Join sessions', stage: JOIN_SESSION_STAGE, facts: joinSessionFacts },
  { heading: 'Investment sessions', stage: INVESTMENT_SESSION_STAGE, facts: investmentSessionFacts },
]

/** All fact types by name, with the settings. Call this once per process, because each table compiles the schemas again. */
export function factRules(settings: FactSettings): FactRules {
  return { table: factTable(FACT_GROUPS.flatMap(({ facts }) => facts)), settings }
}
