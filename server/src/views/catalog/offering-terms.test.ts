import { expect, test } from 'vitest'
import { termRows } from './offering-terms.ts'

test('each term of a security is shown with its own value; nothing is rounded or added', () => {
  expect(
    termRows({ valuation_cap_cents: 1_400_000_000, uncapped: false, discount_percent: '17.5', pro_rata: true }, 'usd'),
  ).toEqual([
    ['Valuation cap', '$14,000,000'],
    ['Discount', '17.5 %'],
    ['Pro rata right', 'Yes'],
  ])
  expect(termRows({ share_price: '1.2345', share_class: 'preferred', pre_money_valuation_cents: null }, 'eur')).toEqual(
    [
      ['Share price', '€1.2345'],
      ['Share class', 'preferred'],
    ],
  )
  expect(
    termRows({ interest_rate_percent: '7', maturity_months: 24, first_payment_date: '2027-01-01' }, 'usd'),
  ).toEqual([
    ['Interest a year', '7 %'],
    ['Maturity', '24 months'],
    ['First payment', '2027-01-01'],
  ])
  expect(termRows(null, 'usd')).toEqual([])
})
