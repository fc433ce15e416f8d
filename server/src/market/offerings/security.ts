import { type Static, type TProperties, Type } from 'typebox'
import { LINE_PATTERN, PARAGRAPHS_PATTERN } from '#kernel/text.ts'

/**
 * The kinds of security and their terms. Money and rates are decimal strings, never floating-point numbers. A missing term is null
 * (the parties have not agreed on it) or false (it is not part of the deal).
 */
const orNull = <S extends Parameters<typeof Type.Union>[0][number]>(schema: S) =>
  Type.Optional(Type.Union([schema, Type.Null()]))
const Flag = Type.Optional(Type.Boolean())

/** "null if uncapped, never "0"": no amount here may be zero. */
const PositiveDecimal = Type.String({ pattern: '^(?!0+(\\.0+)?$)[0-9]{1,15}(\\.[0-9]{1,10})?$' })
const Percent = Type.String({ pattern: '^[0-9]{1,3}(\\.[0-9]{1,4})?$' })
const Months = Type.Integer({ minimum: 1, maximum: 1_200 })
const Line = (max: number) => Type.String({ minLength: 1, maxLength: max, pattern: LINE_PATTERN })

const money = orNull(PositiveDecimal)
const percent = orNull(Percent)

/** A kind of security and its terms; a term of another kind is rejected. */
function kind<K extends string, T extends TProperties>(type: K, terms: T) {
  return Type.Object(
    { type: Type.Literal(type), terms: Type.Object(terms, { additionalProperties: false }) },
    { additionalProperties: false },
  )
}

export const Security = Type.Union([
  kind('safe', { valuation_cap: money, discount_percent: percent, most_favored_nation: Flag, pro_rata: Flag }),
  kind('equity', {
    share_price: money,
    pre_money_valuation: money,
    share_class: orNull(Type.Union([Type.Literal('preferred'), Type.Literal('common')])),
  }),
  kind('convertible_note', {
    valuation_cap: money,
    discount_percent: percent,
    interest_rate_percent: percent,
    maturity_months: orNull(Months),
    most_favored_nation: Flag,
  }),
  kind('revenue_share', {
    revenue_share_percent: percent,
    repayment_cap_multiple: money,
    payment_period: orNull(Line(50)),
    revenue_basis: orNull(Type.Union([Type.Literal('gross'), Type.Literal('net')])),
    secured: Flag,
    guarantor: orNull(Line(200)),
  }),
  kind('debt', {
    interest_rate_percent: percent,
    maturity_months: orNull(Months),
    first_payment_date: orNull(Type.String({ format: 'date' })),
  }),
  kind('fund', {}),
  kind('other', {
    name: orNull(Line(200)),
    description: orNull(Type.String({ minLength: 1, maxLength: 1_500, pattern: PARAGRAPHS_PATTERN })),
    more_info_url: orNull(Type.String({ maxLength: 2_000, pattern: '^https?://[^\\s\\u0000-\\u001f]+$' })),
  }),
])
export type Security = Static<typeof Security>
export type SecurityType = Security['type']
