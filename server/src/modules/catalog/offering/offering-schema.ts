import { Type } from 'typebox'
import {
  EXEMPTIONS,
  INTENDED_SECURITIES,
  OFFERING_STATES,
  type OfferingState,
  type SecurityType,
} from '#modules/offerings/index.ts'
import { Count, exactly, FETCHED_AT, idOf, nullable, oneOf, Text, Time, Url } from '../schemas.ts'

export const SECURITY_TYPES = [
  'safe',
  'equity',
  'convertible_note',
  'revenue_share',
  'debt',
  'fund',
  'other',
] as const satisfies readonly SecurityType[]

const term = (description: string) => Type.Optional(nullable(Type.String(), description))
const cents = (description: string) => Type.Optional(nullable(Type.Integer(), `${description} In minor units.`))
const flag = (description: string) => Type.Optional(Type.Boolean({ description }))

/** Every term of every kind; a security has those of its own. */
const SecurityTerms = exactly(
  {
    valuation_cap_cents: cents('safe, convertible_note: post-money. Null if uncapped.'),
    uncapped: flag('safe, convertible_note: whether there is no cap.'),
    discount_percent: term('safe, convertible_note.'),
    most_favored_nation: flag('safe, convertible_note.'),
    pro_rata: flag('safe.'),
    share_price: term('equity: as a decimal.'),
    pre_money_valuation_cents: cents('equity.'),
    share_class: Type.Optional(nullable(Type.String(), 'equity: `preferred` or `common`.')),
    interest_rate_percent: term('convertible_note, debt: a year.'),
    maturity_months: Type.Optional(nullable(Type.Integer(), 'convertible_note, debt.')),
    revenue_share_percent: term('revenue_share.'),
    repayment_cap_multiple: term('revenue_share.'),
    payment_period: term('revenue_share: such as quarterly.'),
    revenue_basis: term('revenue_share: `gross` or `net`.'),
    secured: flag('revenue_share.'),
    guarantor: term('revenue_share.'),
    first_payment_date: term('debt: a date.'),
    name: term('other.'),
    description: term('other.'),
    more_info_url: term('other.'),
  },
  'SecurityTerms',
)

export const SecuritySchema = Type.Object(
  {
    type: nullable(
      Type.String({ examples: [...SECURITY_TYPES] }),
      'Null while it is undecided: see intended_security.',
    ),
    label: Type.Optional(Text),
    terms: nullable(
      SecurityTerms,
      'Prices per share and rates are decimals in strings. Null while the security is undecided.',
    ),
  },
  { additionalProperties: false },
)

const TagSchema = exactly({ type: Text, label: Text }, 'Tag')

const Money = (description: string) => nullable(Type.Integer(), `${description} In whole units of the currency.`)
const MinorUnits = (name: string) => nullable(Type.Integer(), `${name} in minor units of the currency.`)

const personal = (description: string) =>
  Type.Optional(Type.Boolean({ description: `${description} Only in the user’s own view (read:explore).` }))

export const OfferingSchema = exactly(
  {
    id: idOf('offering'),
    type: Type.Literal('offering'),
    company: idOf('company'),
    attributes: exactly({
      company_name: Text,
      tagline: nullable(Text),
      url: Type.String({
        format: 'uri',
        description: 'The company’s page. Link to it wherever you show the offering.',
      }),
      card_image_url: nullable(Url),
      logo_url: nullable(Url),
      exemption: oneOf(EXEMPTIONS, 'The rule under which it is sold.'),
      security: SecuritySchema,
      intended_security: nullable(
        exactly({ type: oneOf(INTENDED_SECURITIES), label: Text }),
        'What a round that tests the waters means to sell. Null for all others, and where nobody has decided.',
      ),
      industries: Type.Array(TagSchema),
      business_models: Type.Array(TagSchema),
      status: oneOf<OfferingState>(
        OFFERING_STATES,
        '`open` takes investments, or reservations where it tests the waters.',
      ),
      testing_the_waters: Type.Boolean({ description: 'True: one reserves here and does not invest.' }),
      currency: Type.String({ description: 'ISO 4217, in small letters.', examples: ['usd'] }),
      funding_target: Money('What it means to raise.'),
      funding_target_cents: MinorUnits('funding_target'),
      min_investment: Money('The least one can put in.'),
      min_investment_cents: MinorUnits('min_investment'),
      amount_raised: Money('Raised in this offering alone.'),
      amount_raised_cents: MinorUnits('amount_raised'),
      investor_count: nullable(Count, 'Investors of this offering, each counted once.'),
      started_at: nullable(Time),
      closes_at: nullable(Time, 'Null where there is no date, and once it is no longer open.'),
      closed_at: nullable(Time),
      publicly_visible: personal('False: shown because of who the user is.'),
      invested: personal('Whether the user has an investment in it.'),
      followed: personal('Whether the user follows the company.'),
    }),
    warnings: Type.Array(exactly({ code: oneOf(['concurrent_rounds', 'prior_rounds']), message: Text }), {
      description: 'Why the company’s page may show other sums. Not part of the etag.',
    }),
    etag: Type.String({ description: 'Changes when the attributes everybody sees do.' }),
  },
  'Offering',
)

export const OneOffering = exactly({ data: OfferingSchema, meta: exactly(FETCHED_AT) })
