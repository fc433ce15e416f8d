import { type Static, Type } from 'typebox'
import { listOf, pageQuery } from '#http/pagination.ts'
import { exactly, idOf, nullableType, oneOf, time } from '#http/schema-fields.ts'
import { BUSINESS_MODELS, INDUSTRIES, PAST_ROUND_EXEMPTIONS } from '#market/companies/index.ts'
import {
  EXEMPTIONS,
  INTENDED_SECURITIES,
  OFFERING_STATES,
  type OfferingState,
  type SecurityType,
} from '#market/offerings/index.ts'

export const Text = Type.String()
export const Count = Type.Integer({ minimum: 0 })
export const Time = time()
export const Url = Type.String({ format: 'uri' })

export const FETCHED_AT = {
  fetched_at: Type.String({
    format: 'date-time',
    description: 'When the data was read, in world time. Show this time next to figures. It does not change the ETag.',
  }),
}

export const NOT_MODIFIED = Type.Null({
  description: 'The response is the same as the one whose ETag is in If-None-Match.',
})

const SECURITY_TYPES = [
  'safe',
  'equity',
  'convertible_note',
  'revenue_share',
  'debt',
  'fund',
  'other',
] as const satisfies readonly SecurityType[]

const term = (description: string) => Type.Optional(nullableType(Type.String(), description))
const cents = (description: string) => Type.Optional(nullableType(Type.Integer(), `${description} In minor units.`))
const flag = (description: string) => Type.Optional(Type.Boolean({ description }))

/** The terms of all types of securities. A security has only the terms of its type. */
const SecurityTerms = exactly(
  {
    valuation_cap_cents: cents('For safe and convertible_note: the post-money cap. Null if uncapped.'),
    uncapped: flag('For safe and convertible_note: true if there is no valuation cap.'),
    discount_percent: term('For safe and convertible_note.'),
    most_favored_nation: flag('For safe and convertible_note.'),
    pro_rata: flag('For safe.'),
    share_price: term('For equity: a decimal.'),
    pre_money_valuation_cents: cents('For equity.'),
    share_class: Type.Optional(nullableType(Type.String(), 'For equity: `preferred` or `common`.')),
    interest_rate_percent: term('For convertible_note and debt: the interest per year.'),
    maturity_months: Type.Optional(nullableType(Type.Integer(), 'For convertible_note and debt.')),
    revenue_share_percent: term('For revenue_share.'),
    repayment_cap_multiple: term('For revenue_share.'),
    payment_period: term('For revenue_share: a word such as quarterly.'),
    revenue_basis: term('For revenue_share: `gross` or `net`.'),
    secured: flag('For revenue_share.'),
    guarantor: term('For revenue_share.'),
    first_payment_date: term('For debt: a date.'),
    name: term('For other.'),
    description: term('For other.'),
    more_info_url: term('For other.'),
  },
  'SecurityTerms',
)

export const SecuritySchema = Type.Object(
  {
    type: nullableType(
      Type.String({ examples: [...SECURITY_TYPES] }),
      'Null while the security is undecided, and for an offering that tests the waters: see intended_security.',
    ),
    label: Type.Optional(Text),
    terms: nullableType(SecurityTerms, 'Prices per share and rates are decimals in strings. Null if `type` is null.'),
  },
  { additionalProperties: false },
)

const TagSchema = exactly({ type: Text, label: Text }, 'Tag')

const Money = (description: string) => nullableType(Type.Integer(), `${description} In whole units of the currency.`)
const MinorUnits = (name: string) => nullableType(Type.Integer(), `${name} in minor units of the currency.`)

const personal = (description: string) =>
  Type.Optional(Type.Boolean({ description: `${description} Only in the user’s own view (read:explore).` }))

export const OfferingSchema = exactly(
  {
    id: idOf('offering'),
    type: Type.Literal('offering'),
    company: idOf('company'),
    attributes: exactly({
      company_name: Text,
      tagline: nullableType(Text),
      url: Type.String({
        format: 'uri',
        description: 'The company’s page. Link to it wherever you show the offering.',
      }),
      card_image_url: nullableType(Url),
      logo_url: nullableType(Url),
      exemption: oneOf(EXEMPTIONS, 'The exemption under which the offering is sold.'),
      security: SecuritySchema,
      intended_security: nullableType(
        exactly({ type: oneOf(INTENDED_SECURITIES), label: Text }),
        'The security that a round that tests the waters intends to sell. Null if undecided, and for other rounds.',
      ),
      industries: Type.Array(TagSchema),
      business_models: Type.Array(TagSchema),
      status: oneOf<OfferingState>(
        OFFERING_STATES,
        '`open`: the offering accepts investments, or reservations if it tests the waters.',
      ),
      testing_the_waters: Type.Boolean({ description: 'True: people reserve here and do not invest.' }),
      currency: Type.String({ description: 'ISO 4217, in lower case.', examples: ['usd'] }),
      funding_target: Money('The funding target.'),
      funding_target_cents: MinorUnits('funding_target'),
      min_investment: Money('The minimum investment.'),
      min_investment_cents: MinorUnits('min_investment'),
      amount_raised: Money('The amount raised in this offering only.'),
      amount_raised_cents: MinorUnits('amount_raised'),
      investor_count: nullableType(Count, 'Investors of this offering, each counted once.'),
      started_at: nullableType(Time),
      closes_at: nullableType(Time, 'Null if the offering has no closing date or is not open.'),
      closed_at: nullableType(Time),
      publicly_visible: personal('False if the offering is shown only because of this user’s rights.'),
      invested: personal('Whether the user has an investment in this offering.'),
      followed: personal('Whether the user follows the company.'),
    }),
    warnings: Type.Array(exactly({ code: oneOf(['concurrent_rounds', 'prior_rounds']), message: Text }), {
      description: 'Reasons why the company’s page may show other sums. They do not change the etag.',
    }),
    etag: Type.String({ description: 'Changes when the public attributes change.' }),
  },
  'Offering',
)

export const OneOffering = exactly({ data: OfferingSchema, meta: exactly(FETCHED_AT) })

const Amount = (description: string) =>
  nullableType(Type.Integer({ examples: [12_500_000] }), `${description} In minor units of the currency.`)
const Currency = Type.String({ description: 'ISO 4217, in lower case.', examples: ['usd'] })

export const ExemptionSchema = oneOf(EXEMPTIONS, 'The exemption under which the offering is sold.')

const CurrentRaise = exactly(
  {
    offering_id: Type.String({ description: 'The round that the company’s page shows first.' }),
    offering_ids: Type.Array(Text, {
      description: 'All open legs (offerings) of the raise; amount_raised_cents is their sum.',
    }),
    testing_the_waters: Type.Boolean({ description: 'True: people reserve here and do not invest.' }),
    currency: Currency,
    amount_raised_cents: Amount('The amount raised by all these legs together.'),
    funding_target_cents: Amount(
      'The target of all these legs together. A leg without a target raises toward the targets of the other legs.',
    ),
    investor_count: nullableType(Count, 'The number of investors in these legs, each counted once.'),
    oversubscribed: Type.Boolean({ description: 'Whether amount_raised_cents is more than funding_target_cents.' }),
    closes_at: nullableType(Time, 'When the round in offering_id closes.'),
  },
  'CurrentRaise',
)

const PastRound = exactly(
  {
    offering_id: nullableType(Text, 'The offering. Null if the round did not run on this platform.'),
    source: oneOf(
      ['platform', 'reported'],
      '`platform`: the round ran on this platform. `reported`: a founder reported it.',
    ),
    exemption: oneOf(PAST_ROUND_EXEMPTIONS, 'The exemption under which the round was sold.'),
    currency: nullableType(Text),
    amount_raised_cents: Amount('The amount raised.'),
    investor_count: nullableType(Count),
    opened_at: nullableType(Time),
    closed_at: nullableType(Time),
  },
  'PastRound',
)

const Round = exactly(
  {
    offering_id: idOf('offering'),
    current: Type.Boolean({ description: 'Whether the round is open.' }),
    status: oneOf(['open', 'closing', 'closed']),
    testing_the_waters: Type.Boolean({
      description: 'True: people reserve or reserved here and do not invest, so nothing is raised.',
    }),
    exemption: ExemptionSchema,
    security: SecuritySchema,
    currency: Currency,
    amount_raised_cents: Amount(
      'The amount raised in this round only. Null if the round tests the waters; its offering has the reserved amount.',
    ),
    investor_count: nullableType(Count, 'Null if the round tests the waters.'),
    opened_at: nullableType(Time),
    closed_at: nullableType(Time),
  },
  'Round',
)

const Totals = exactly(
  {
    currency: nullableType(Text, 'The currency of the sums. Amounts in other currencies are only in `rounds`.'),
    raised_on_platform_all_time_cents: Amount('The sum of rounds[].amount_raised_cents in this currency.'),
    profile_total_raised_cents: Amount('The current raise plus the past rounds, as on the company’s page.'),
    profile_reported_off_platform_cents: Amount('The part of profile_total_raised_cents that a founder reported.'),
    profile_includes_past_rounds: nullableType(Type.Boolean(), 'Null if the viewer sees no round.'),
  },
  'CompanyTotals',
)

const CompanySchema = exactly(
  {
    id: idOf('company'),
    type: Type.Literal('company'),
    attributes: exactly({
      name: Text,
      tagline: nullableType(Text),
      url: Url,
      logo_url: nullableType(Url),
      card_image_url: nullableType(Url),
      location: exactly({ city: nullableType(Text), state: nullableType(Text), country: nullableType(Text) }),
      promotion_opt_in: Type.Boolean({ description: 'False if the company asked not to be promoted.' }),
      raising: Type.Boolean({
        description: 'Whether a round that the viewer sees accepts investments or reservations.',
      }),
      current_raise: nullableType(CurrentRaise),
      past_rounds: Type.Array(PastRound),
      rounds: Type.Array(Round, { description: 'Every round on this platform that the viewer can see, newest first.' }),
      totals: Totals,
    }),
  },
  'Company',
)

export const OneCompany = exactly({ data: CompanySchema, meta: exactly(FETCHED_AT) })

/** "Amount raised descending, earliest close first, latest launch first, investor count descending." */
export const SORTS = ['most_raised', 'closing_soon', 'newest', 'most_investors'] as const
export type Sort = (typeof SORTS)[number]
export const DEFAULT_SORT: Sort = 'most_raised'

/** No offering has a larger amount, so a filter needs no larger one. */
const UNITS_MAX = 90_071_992_547_409

const units = (description: string) => Type.Number({ description, minimum: 0, maximum: UNITS_MAX })

const FILTERS = {
  exemption: Type.Optional(
    oneOf(['reg_cf', 'reg_d'], 'Only offerings sold under this exemption; `reg_d` includes reg_d_506b and reg_d_506c.'),
  ),
  security: Type.Optional(oneOf(SECURITY_TYPES, 'Only offerings with this attributes.security.type.')),
  testing_the_waters: Type.Optional(
    Type.Boolean({ description: 'False: rounds that accept investments. True: rounds that accept reservations.' }),
  ),
  max_min_investment: Type.Optional(units('The minimum investment is at most this, in whole units of its currency.')),
  closing_before: Type.Optional(
    Type.String({
      format: 'date',
      description: 'The offering closes on this day (UTC) or before. Offerings without a closing date are left out.',
    }),
  ),
  min_amount_raised: Type.Optional(units('The amount raised is at least this, in whole units of its currency.')),
  industry: Type.Optional(
    Type.Array(oneOf(INDUSTRIES), {
      description: 'The company has one of these industries.',
      maxItems: INDUSTRIES.length,
    }),
  ),
  business_model: Type.Optional(
    Type.Array(oneOf(BUSINESS_MODELS), {
      description: 'The company has one of these business models.',
      maxItems: BUSINESS_MODELS.length,
    }),
  ),
  followed: Type.Optional(
    Type.Boolean({
      description:
        'True: only companies that the user follows. False: only the others. Only in the user’s own view (read:explore).',
    }),
  ),
}

export const ExploreQuery = Type.Object({
  sort: Type.Optional(
    oneOf(SORTS, 'Most raised first (the default), earliest close, latest launch, or most investors first.'),
  ),
  ...FILTERS,
  ...pageQuery(),
})

export const ExploreList = listOf(OfferingSchema, {
  total_count: Count,
  sort: oneOf(SORTS, 'The order applied.'),
  filters: Type.Object(FILTERS, { description: 'The filters applied.', additionalProperties: false }),
  personalized: Type.Optional(Type.Literal(true, { description: 'Only in the user’s own view (read:explore).' })),
  ...FETCHED_AT,
})

const AppliedFilters = Type.Object(FILTERS)
export type Filters = Static<typeof AppliedFilters>
export type ExploreQuery = Static<typeof ExploreQuery>

/** The filters among the parameters. An empty list counts as absent. */
export function filtersOf({ sort: _sort, per_page: _size, cursor: _cursor, ...filters }: ExploreQuery): Filters {
  const { industry, business_model, ...scalars } = filters
  return {
    ...scalars,
    ...(industry === undefined || industry.length === 0 ? {} : { industry: [...new Set(industry)] }),
    ...(business_model === undefined || business_model.length === 0
      ? {}
      : { business_model: [...new Set(business_model)] }),
  }
}
