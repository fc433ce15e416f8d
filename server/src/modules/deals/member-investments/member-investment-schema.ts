import { type Static, Type } from 'typebox'
import { listOf } from '#http/pagination.ts'
import { exactly, idOf, Text } from '#modules/catalog/http.ts'
import { Currency, cents } from '../deal/deal-schema.ts'
import { StatusSchema } from '../investors/investor-schema.ts'

const MemberInvestmentSchema = exactly(
  {
    id: Type.Unsafe<Static<ReturnType<typeof idOf<'investment'>>>>({
      ...idOf('investment'),
      description: 'The first of what they have in the deal.',
    }),
    type: Type.Literal('member_investment'),
    attributes: exactly({
      offering: idOf('offering'),
      company: idOf('company'),
      company_name: Text,
      currency: Currency,
      amount_cents: cents('All they have in the deal.'),
      status: StatusSchema,
      created_at: Type.String({ format: 'date-time', description: 'When the first of it was committed.' }),
    }),
  },
  'MemberInvestment',
)

export type MemberInvestment = Static<typeof MemberInvestmentSchema>

export const MemberInvestmentList = listOf(MemberInvestmentSchema, {
  count: Type.Integer({ description: 'The same as page_count.' }),
  currency: Currency,
  total_amount_cents: cents('All of it, as far as it is in this currency.'),
  total_by_currency: Type.Array(exactly({ currency: Currency, total_amount_cents: cents('The same.') }), {
    description: 'Each currency, since they do not add up. The first is the one above.',
  }),
})
