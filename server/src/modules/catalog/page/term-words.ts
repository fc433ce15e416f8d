import type { HtmlValue } from '#http/pages/html.ts'
import type { OfferingRecord } from '../offering/offering-record.ts'

type Terms = OfferingRecord['attributes']['security']['terms']
type Term = keyof NonNullable<Terms>
type Kind = 'cents' | 'money' | 'percent' | 'months' | 'times' | 'word' | 'flag'

/** Every term of every security, as people read it, in the order in which it is told. */
const TERMS: Readonly<Record<Term, readonly [label: string, kind: Kind]>> = {
  valuation_cap_cents: ['Valuation cap', 'cents'],
  uncapped: ['Uncapped', 'flag'],
  discount_percent: ['Discount', 'percent'],
  most_favored_nation: ['Most favored nation', 'flag'],
  pro_rata: ['Pro rata right', 'flag'],
  share_price: ['Share price', 'money'],
  pre_money_valuation_cents: ['Pre-money valuation', 'cents'],
  share_class: ['Share class', 'word'],
  interest_rate_percent: ['Interest a year', 'percent'],
  maturity_months: ['Maturity', 'months'],
  revenue_share_percent: ['Revenue share', 'percent'],
  repayment_cap_multiple: ['Repayment cap', 'times'],
  payment_period: ['Paid', 'word'],
  revenue_basis: ['Of revenue', 'word'],
  secured: ['Secured', 'flag'],
  guarantor: ['Guarantor', 'word'],
  first_payment_date: ['First payment', 'word'],
  name: ['Name', 'word'],
  description: ['Description', 'word'],
  more_info_url: ['More', 'word'],
}

/** "Terms only as the API reports them": each with its own value, and none that it does not have. */
export function termRows(terms: Terms, currency: string): readonly (readonly [string, HtmlValue])[] {
  if (terms === null) return []
  const told = (Object.keys(TERMS) as Term[]).map((term) => {
    const [label, kind] = TERMS[term]
    const words = wordsOf(terms[term], kind, currency)
    return words === null ? null : ([label, words] as const)
  })
  return told.filter((row) => row !== null)
}

function wordsOf(value: string | number | boolean | null | undefined, kind: Kind, currency: string): string | null {
  if (value === null || value === undefined || value === false) return null
  switch (kind) {
    case 'cents':
      return moneyOf(unitsOf(Number(value)), currency)
    case 'money':
      return moneyOf(String(value), currency)
    case 'percent':
      return `${value} %`
    case 'months':
      return `${value} months`
    case 'times':
      return `${value} times`
    case 'flag':
      return 'Yes'
    case 'word':
      return String(value)
  }
}

/** Whole units without a fraction, others with two digits. */
function unitsOf(cents: number): string {
  return cents % 100 === 0 ? String(cents / 100) : (cents / 100).toFixed(2)
}

/** A decimal with as many digits as it was given: nothing is rounded. */
function moneyOf(decimal: string, currency: string): string {
  const digits = decimal.split('.')[1]?.length ?? 0
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    minimumFractionDigits: Math.min(digits, 20),
    maximumFractionDigits: Math.min(digits, 20),
  })
  return format.format(decimal as Intl.StringNumericLiteral)
}
