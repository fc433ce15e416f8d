import { type Static, Type } from 'typebox'
import { listOf } from '#http/pagination.ts'
import type { Fund } from '../syndicate.ts'
import { absoluteUrl } from './absolute-url.ts'
import { exactly, idOf, Line, NullableText, nullable, oneOf, Paragraphs, Time } from './fields.ts'
import type { ShownSyndicate } from './syndicate-list-store.ts'
import { wholeUnits } from './whole-units.ts'

const NullableUnits = nullable(Type.String(), 'Whole units of the fund’s currency.')

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
          fund_investment_amount: NullableUnits,
          deals_per_year: nullable(Type.Integer()),
          amount_per_deal: NullableUnits,
        }),
      ),
      traditional_fund: Type.Optional(
        exactly({ require_minimum_investment: Type.Boolean(), minimum_investment_amount: NullableUnits }),
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
  const { id, fund, avatar_url, ...rest } = row
  const attributes = {
    ...rest,
    avatar_url: absoluteUrl(origin, avatar_url),
    syndicate_type: fund?.type ?? null,
    ...fundTerms(fund),
  }
  return { id, type: 'syndicate', attributes }
}

/** "Only if syndicate_type is this one." */
function fundTerms(fund: Fund | null) {
  switch (fund?.type) {
    case undefined:
      return {}
    case 'annual_subscription':
      return {
        annual_subscription: {
          fund_investment_amount: wholeUnits(fund.fund_investment_amount_cents),
          deals_per_year: fund.deals_per_year ?? null,
          amount_per_deal: wholeUnits(fund.amount_per_deal_cents),
        },
      }
    case 'traditional_fund':
      return {
        traditional_fund: {
          require_minimum_investment: fund.require_minimum_investment,
          minimum_investment_amount: wholeUnits(fund.minimum_investment_amount_cents),
        },
      }
  }
}
