import { type Static, Type } from 'typebox'
import { listOf, pageQuery } from '#http/pagination.ts'
import { exactly, idOf, nullable, oneOf, Text, Url } from '#modules/catalog/http.ts'
import { Currency, cents } from '../deal/deal-schema.ts'

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
      amount_cents: cents('All they have in the deal.'),
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

export const InvestorQuery = Type.Object({
  offset: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 1_000_000_000,
      description: 'How many rows to skip, 0 by default. A cursor wins over it.',
    }),
  ),
  ...pageQuery(),
})
