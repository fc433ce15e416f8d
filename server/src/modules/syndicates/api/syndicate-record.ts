import { type Static, Type } from 'typebox'
import { listOf } from '#http/pagination.ts'
import type { Fund } from '../syndicate.ts'
import { absoluteUrl } from './absolute-url.ts'
import { exactly, idOf, Line, NullableText, nullable, oneOf, Paragraphs, Time } from './fields.ts'
import type { ShownSyndicate } from './syndicate-list-store.ts'

const NullableCents = nullable(Type.Integer(), 'In minor units of the currency.')
const Currency = Type.String({ description: 'ISO 4217, in small letters.', examples: ['usd'] })

const SyndicateSchema = exactly(
  {
    id: idOf('syndicate'),
    type: Type.Literal('syndicate'),
    attributes: exactly({
      name: Type.String(),
      slug: Type.String(),
      tagline: NullableText,
      description: NullableText,
      avatar_url: NullableText,
      published: Type.Boolean(),
      launched: Type.Boolean(),
      membership_open: Type.Boolean(),
      syndicate_type: nullable(oneOf(['annual_subscription', 'traditional_fund']), 'Null: deal by deal.'),
      auto_accept_accredited_members: Type.Boolean(),
      fund_required: Type.Boolean({ description: 'Whether members must invest through the fund.' }),
      annual_subscription: Type.Optional(
        exactly({
          currency: Currency,
          fund_investment_amount_cents: NullableCents,
          deals_per_year: nullable(Type.Integer()),
          amount_per_deal_cents: NullableCents,
        }),
      ),
      traditional_fund: Type.Optional(
        exactly({
          currency: Currency,
          require_minimum_investment: Type.Boolean(),
          minimum_investment_amount_cents: NullableCents,
        }),
      ),
      member_count: Type.Integer(),
      deal_count: Type.Integer({ description: 'Deals that run at present.' }),
      primary_fund_company: nullable(idOf('company')),
      created_by: nullable(idOf('user')),
      created_at: Time,
      updated_at: Time,
    }),
  },
  'Syndicate',
)

export const OneSyndicate = exactly({ data: SyndicateSchema })
export const SyndicateList = listOf(SyndicateSchema)

/** As long as their columns. */
export const SyndicateChanges = exactly(
  {
    syndicate: exactly({
      name: Type.Optional(Line(200)),
      tagline: Type.Optional(nullable(Line(500))),
      description: Type.Optional(nullable(Paragraphs(10_000))),
    }),
  },
  'SyndicateChanges',
)

export function syndicateRecord(row: ShownSyndicate, origin: string): Static<typeof SyndicateSchema> {
  const { id, fund, fund_currency, avatar_url, ...rest } = row
  const attributes = {
    ...rest,
    avatar_url: absoluteUrl(origin, avatar_url),
    syndicate_type: fund?.type ?? null,
    ...fundTerms(fund, fund_currency),
  }
  return { id, type: 'syndicate', attributes }
}

/** "Only if syndicate_type is this one." */
function fundTerms(fund: Fund | null, currency: string) {
  switch (fund?.type) {
    case undefined:
      return {}
    case 'annual_subscription':
      return {
        annual_subscription: {
          currency,
          fund_investment_amount_cents: fund.fund_investment_amount_cents ?? null,
          deals_per_year: fund.deals_per_year ?? null,
          amount_per_deal_cents: fund.amount_per_deal_cents ?? null,
        },
      }
    case 'traditional_fund':
      return {
        traditional_fund: {
          currency,
          require_minimum_investment: fund.require_minimum_investment,
          minimum_investment_amount_cents: fund.minimum_investment_amount_cents ?? null,
        },
      }
  }
}
