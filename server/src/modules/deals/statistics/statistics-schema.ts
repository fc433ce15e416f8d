import { type Static, Type } from 'typebox'
import { Count, exactly, idOf } from '#modules/catalog/http.ts'
import { Currency, cents } from '../deal/deal-schema.ts'

const StatisticsSchema = exactly(
  {
    id: idOf('syndicate'),
    type: Type.Literal('syndicate_statistics'),
    attributes: exactly({
      total_members: Type.Integer({ minimum: 0, description: 'Members now; hidden and deactivated ones left out.' }),
      members_by_role: Type.Unsafe<Readonly<Record<string, number>>>({
        type: 'object',
        additionalProperties: Count,
        description: 'As GET …/members names the roles; those nobody has are left out.',
      }),
      total_deals: Type.Integer({ minimum: 0, description: 'All that the syndicate runs or ran.' }),
      live_deals: Type.Integer({ minimum: 0, description: 'As GET …/deals lists them.' }),
      currency: Currency,
      total_raised_cents: cents('Of each company the deal that opened last; what tests the waters is left out.'),
      raised_by_currency: Type.Array(exactly({ currency: Currency, total_raised_cents: cents('The same.') }), {
        description: 'Each currency, since they do not add up. The first is the one above.',
      }),
      total_investors: Type.Integer({ minimum: 0, description: 'In the same deals, each counted once.' }),
      recent_activity_count: Type.Integer({
        minimum: 0,
        description: 'What happened to its members, invitations and sessions in the last 30 days, by events.',
      }),
    }),
  },
  'SyndicateStatistics',
)

export const OneStatistics = exactly({ data: StatisticsSchema })
export type Statistics = Static<typeof StatisticsSchema>
