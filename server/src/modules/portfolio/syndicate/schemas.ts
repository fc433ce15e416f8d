import { type Static, Type } from 'typebox'
import {
  AsOf,
  ByCurrency,
  Count,
  exactly,
  idOf,
  POSITION,
  POSITION_END,
  SECURITY,
  StatusCounts,
  TOTALS,
} from '../view/schemas.ts'

export const SyndicateParam = Type.Object({ syndicate_id: idOf('syndicate') })

const Investors = Type.Integer({ minimum: 0, description: 'Who holds or held it, each counted once.' })

const SecuritySchema = exactly({ ...SECURITY, investor_count: Investors }, 'SyndicatePortfolioSecurity')

export const SyndicatePositionSchema = exactly(
  {
    id: idOf('offering'),
    type: Type.Literal('syndicate_portfolio_position'),
    attributes: exactly({
      ...POSITION,
      investor_count: Investors,
      securities: Type.Array(SecuritySchema, { description: 'By early bird and price.' }),
      ...POSITION_END,
    }),
  },
  'SyndicatePortfolioPosition',
)

export const SyndicateSummarySchema = exactly({
  data: exactly(
    {
      type: Type.Literal('syndicate_portfolio_summary'),
      attributes: exactly({
        ...TOTALS,
        by_currency: ByCurrency,
        deal_counts: StatusCounts,
        investor_count: Count,
        as_of: AsOf,
      }),
    },
    'SyndicatePortfolioSummary',
  ),
})

export type SyndicatePosition = Static<typeof SyndicatePositionSchema>
export type SyndicateSummary = Static<typeof SyndicateSummarySchema>['data']
