import { type Static, Type } from 'typebox'
import { Count, exactly, idOf, nullable, Text } from '#modules/catalog/http.ts'

const Currency = Type.String({ description: 'ISO 4217, in small letters.', examples: ['usd'] })

/** Sums of many amounts can pass what JSON readers tell apart, and are then shown as the largest there is. */
const TOTALS = {
  currency: Currency,
  total_invested_cents: Type.Integer({ minimum: 0, description: 'Committed or executed. In cents.' }),
  total_reserved_cents: Type.Integer({
    minimum: 0,
    description: 'Reserved in rounds that test the waters, which is not invested. In cents.',
  }),
  investment_count: Count,
  reservation_count: Count,
}

const pii = 'Absent without read:investors:pii, except of the user whose token it is.'

export const InvestorSchema = exactly(
  {
    id: idOf('user'),
    type: Type.Literal('investor'),
    attributes: exactly({
      full_name: Type.Optional(Type.String({ description: `${pii} \`[deleted user]\` of who was deactivated.` })),
      email: Type.Optional(nullable(Text, `${pii} Null of who was deactivated.`)),
      accredited: Type.Boolean({ description: 'Whether they are accredited now.' }),
      deactivated: Type.Boolean(),
      ...TOTALS,
      by_currency: Type.Array(exactly(TOTALS), {
        description: 'Each currency, since they do not add up. The first is the one above.',
      }),
      created_at: Type.String({ format: 'date-time', description: 'When the first of it was committed.' }),
    }),
  },
  'Investor',
)

export type Investor = Static<typeof InvestorSchema>
