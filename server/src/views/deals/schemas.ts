import { type Static, Type } from 'typebox'
import { listOf, pageQuery } from '#http/pagination.ts'
import { exactly, idOf, nullableType, oneOf, time } from '#http/schema-fields.ts'
import {
  each,
  type Fields,
  inAttributes,
  isFields,
  moneyBefore,
  type VersionStep,
  wholeUnitsText,
} from '#http/version-steps.ts'
import { exemptionBefore, securityBefore } from '#market/offerings/http.ts'
import { OFFERING_STATES, type OfferingState } from '#market/offerings/index.ts'
import { Count, ExemptionSchema, SecuritySchema, Text, Time, Url } from '#views/catalog/http.ts'

export const cents = (description: string) =>
  Type.Integer({ description: `${description} In minor units of the currency.`, examples: [500_000] })
export const Currency = Type.String({ description: 'ISO 4217, in lower case.', examples: ['usd'] })

const Part = (description: string) =>
  exactly({ investor_count: Count, amount_cents: cents('The total of these investors.') }, description)

const BreakdownSchema = exactly(
  { pending: Part('DealInvestorsPending'), confirmed: Part('DealInvestorsConfirmed') },
  'DealInvestorBreakdown',
)

export const DealSchema = exactly(
  {
    id: idOf('offering'),
    type: Type.Literal('syndicate_deal'),
    attributes: exactly({
      name: Type.String({ description: 'The company’s name if the offering has no name of its own.' }),
      status: oneOf<OfferingState>(
        OFFERING_STATES,
        '`open`: the offering accepts investments, or reservations if it tests the waters. `closing`: it accepts no more investments, and the funds are not disbursed yet.',
      ),
      testing_the_waters: Type.Boolean({
        description: 'True: people can only reserve an amount in this offering, and not invest.',
      }),
      company: idOf('company'),
      company_name: Text,
      company_url: nullableType(Text, 'The last part of the URL of the company’s page.'),
      company_logo_url: nullableType(Url),
      currency: Currency,
      amount_raised_cents: cents('The amount raised in this offering only, or reserved if it tests the waters.'),
      investor_count: Type.Integer({
        minimum: 0,
        description: 'The number of people who invested, members or not, each counted once.',
      }),
      funding_target_cents: nullableType(cents('The funding target.')),
      exemption: ExemptionSchema,
      security: SecuritySchema,
      min_investment_cents: nullableType(cents('The minimum investment.')),
      max_investment_cents: nullableType(cents('The maximum investment.')),
      description: nullableType(Text),
      created_at: Time,
      updated_at: Time,
      closed_at: nullableType(Time),
      funding_started_at: nullableType(Time, 'Null while the offering is upcoming.'),
      investor_breakdown: Type.Optional(
        Type.Unsafe<Static<typeof BreakdownSchema>>({
          ...BreakdownSchema,
          description: 'The syndicate’s members who invested in the deal. Only in GET …/deals/{id}.',
        }),
      ),
    }),
  },
  'SyndicateDeal',
)

export type DealRecord = Static<typeof DealSchema>

export const SyndicateParam = Type.Object({ syndicate_id: idOf('syndicate') })
export const DealParams = Type.Object({ syndicate_id: idOf('syndicate'), fundraise_id: idOf('offering') })
export const MemberParams = Type.Object({ syndicate_id: idOf('syndicate'), member_id: idOf('membership') })
export const OneDeal = exactly({ data: DealSchema })

export const StatusSchema = oneOf(
  ['pending', 'confirmed'],
  '`pending`: committed but not final, or reserved. `confirmed`: final. If the member has several investments, the most advanced state.',
)

const DealInvestorSchema = exactly(
  {
    id: idOf('user'),
    type: Type.Literal('deal_investor'),
    attributes: exactly({
      user: idOf('user'),
      user_name: Text,
      user_email: nullableType(Text, 'Null for a deactivated user.'),
      avatar_url: nullableType(Url),
      currency: Currency,
      amount_cents: cents('The person’s total in the deal.'),
      status: StatusSchema,
      invested_at: time('When the person made the first investment or reservation in the deal.'),
    }),
  },
  'DealInvestor',
)

export type DealInvestor = Static<typeof DealInvestorSchema>

export const DealInvestorList = listOf(DealInvestorSchema, {
  count: Type.Integer({ description: 'The same as page_count.' }),
  total_count: Type.Integer({ description: 'The number of members who invested in the deal.' }),
  offset: Type.Integer(),
  per_page: Type.Integer({ description: 'The maximum number of rows in a page of this request.' }),
})

export const InvestorQuery = Type.Object({
  offset: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 1_000_000_000,
      description: 'How many rows to skip, 0 by default. Ignored if a cursor is given.',
    }),
  ),
  ...pageQuery(),
})

/**
 * In older versions amounts of deals were whole units in strings, except the target, which was cents in a string. A closing
 * deal was shown as closed.
 */
export const DEAL_STEPS: readonly VersionStep[] = [
  {
    name: 'deals in minor units',
    before: '2026-11-01',
    operations: ['listSyndicateDeals', 'getSyndicateDeal', 'closeSyndicateDeal', 'finalizeSyndicateDeal'],
    response: (body) => inAttributes(body, dealBefore),
  },
  {
    name: 'investors of deals in minor units',
    before: '2026-11-01',
    operations: ['listSyndicateDealInvestors', 'listSyndicateMemberInvestments'],
    response: (body) => totalsBefore(inAttributes(body, (row) => moneyBefore(row, ['amount'], wholeUnitsText))),
  },
  {
    name: 'statistics of syndicates in minor units',
    before: '2026-11-01',
    operations: ['getSyndicateStatistics'],
    response: (body) => inAttributes(body, statisticsBefore),
  },
]

function dealBefore(attributes: Fields): Fields {
  const { status, exemption, security, investor_breakdown: parts } = attributes
  const inUnits = moneyBefore(attributes, ['amount_raised', 'min_investment', 'max_investment'], wholeUnitsText)
  return {
    ...moneyBefore(inUnits, ['funding_target'], (cents) => (typeof cents === 'number' ? String(cents) : cents)),
    status: status === 'closing' ? 'closed' : status,
    exemption: exemptionBefore(exemption),
    security: securityBefore(security),
    ...(isFields(parts) ? { investor_breakdown: breakdownBefore(parts) } : {}),
  }
}

function breakdownBefore(parts: Fields): Fields {
  const before = (part: unknown) => each(part, (fields) => moneyBefore(fields, ['amount'], wholeUnitsText))
  return Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, before(part)]))
}

const totalBefore = (fields: Fields) => moneyBefore(fields, ['total_amount'], wholeUnitsText)

function totalsBefore(body: unknown): unknown {
  if (!isFields(body) || !isFields(body['meta'])) return body
  const meta = totalBefore(body['meta'])
  if (!('total_by_currency' in meta)) return body
  return { ...body, meta: { ...meta, total_by_currency: each(meta['total_by_currency'], totalBefore) } }
}

function statisticsBefore(attributes: Fields): Fields {
  const before = (fields: Fields) => moneyBefore(fields, ['total_raised'], wholeUnitsText)
  return { ...before(attributes), raised_by_currency: each(attributes['raised_by_currency'], before) }
}
