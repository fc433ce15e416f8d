import { type Static, Type } from 'typebox'
import { listOf } from '#http/pagination.ts'
import { exactly, idOf, nullable, oneOf, Text, Url } from '#modules/catalog/http.ts'
import { Currency, units } from '../deal/deal-schema.ts'

export const StatusSchema = oneOf(
  ['pending', 'confirmed'],
  '`pending`: committed and not final, or reserved. `confirmed`: final. Of several, the most advanced.',
)

const DealInvestorSchema = exactly(
  {
    id: idOf('user'),
    type: Type.Literal('deal_investor'),
    attributes: exactly({
      user: idOf('user'),
      user_name: Text,
      user_email: nullable(Text, 'Null of who was deactivated.'),
      avatar_url: nullable(Url),
      currency: Currency,
      amount: units('All they have in the deal.'),
      status: StatusSchema,
      invested_at: Type.String({ format: 'date-time', description: 'When the first of it was committed.' }),
    }),
  },
  'DealInvestor',
)

export type DealInvestor = Static<typeof DealInvestorSchema>

export const DealInvestorList = listOf(DealInvestorSchema, {
  count: Type.Integer({ description: 'The same as page_count.' }),
  total_count: Type.Integer({ description: 'Of the deal.' }),
  offset: Type.Integer(),
  per_page: Type.Integer({ description: 'The most that a page of this request holds.' }),
})

/** "per_page 1–200; omitted: everything", as far as one answer goes. */
export const INVESTORS_MAX = 200
export const EVERYTHING_MAX = 10_000

export const InvestorQuery = Type.Object({
  offset: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 1_000_000_000, description: 'How many rows to pass over, 0 by default.' }),
  ),
  per_page: Type.Optional(
    Type.Integer({
      description: `How many rows, ${INVESTORS_MAX} at most. Without it, or with zero or less: all, up to ${EVERYTHING_MAX} in one answer.`,
    }),
  ),
  cursor: Type.Optional(
    Type.String({ description: "The previous page's meta.next_cursor, in place of an offset.", maxLength: 1_024 }),
  ),
})
