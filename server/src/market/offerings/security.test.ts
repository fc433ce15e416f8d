import { Value } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { Security, type SecurityType } from './security.ts'
import { completeTerms, givenTerms } from './store.ts'

/** Every term of every kind, in the form of a fact. */
const WHOLE: { readonly [K in SecurityType]: object } = {
  safe: { valuation_cap: '8000000', discount_percent: '20', most_favored_nation: true, pro_rata: false },
  equity: { share_price: '1.2345', pre_money_valuation: '12000000', share_class: 'preferred' },
  convertible_note: {
    valuation_cap: null,
    discount_percent: '12.5',
    interest_rate_percent: '6',
    maturity_months: 24,
    most_favored_nation: false,
  },
  revenue_share: {
    revenue_share_percent: '5',
    repayment_cap_multiple: '1.8',
    payment_period: 'quarterly',
    revenue_basis: 'gross',
    secured: true,
    guarantor: 'The founder',
  },
  debt: { interest_rate_percent: '9', maturity_months: 36, first_payment_date: '2027-02-28' },
  fund: {},
  other: { name: 'Token warrant', description: 'Two\nlines.', more_info_url: 'https://example.org/terms' },
}

describe.each(Object.entries(WHOLE) as [SecurityType, object][])('the terms of %s', (type, terms) => {
  test('the terms of a security may all be present, or all absent', () => {
    expect(Value.Errors(Security, { type, terms })).toEqual([])
    expect(Value.Errors(Security, { type, terms: {} })).toEqual([])
  })

  test('the terms of a security are all stored, and are read back as they were sent', () => {
    const stored = completeTerms({ type, terms } as Security)
    expect(stored).toMatchObject(terms)
    expect(givenTerms(type, stored)).toEqual({ type, terms })
    const withoutTerms = completeTerms({ type, terms: {} } as Security)
    expect(Object.keys(withoutTerms).sort()).toEqual(Object.keys(stored).sort())
    expect(Object.values(withoutTerms).every((value) => value === null || typeof value === 'boolean')).toBe(true)
  })

  test('a term of another kind of security is rejected', () => {
    const other = type === 'debt' ? { share_price: '1' } : { first_payment_date: '2027-01-01' }
    expect(Value.Check(Security, { type, terms: { ...terms, ...other } })).toBe(false)
  })
})

describe('a term', () => {
  test.each([
    ['safe', { valuation_cap: '0' }],
    ['safe', { valuation_cap: '0.00' }],
    ['safe', { valuation_cap: 8_000_000 }],
    ['safe', { uncapped: true }],
    ['equity', { share_price: '-1' }],
    ['equity', { share_class: 'gold' }],
    ['convertible_note', { maturity_months: 0 }],
    ['debt', { first_payment_date: '2027-02-30' }],
    ['revenue_share', { guarantor: 'Ada \u202e' }],
    ['other', { more_info_url: 'javascript:alert(1)' }],
  ])('of %s is rejected: %j', (type, terms) => {
    expect(Value.Check(Security, { type, terms })).toBe(false)
  })

  test('uncapped is true if a security that can have a cap has none; other securities have no such term', () => {
    expect(completeTerms({ type: 'safe', terms: { valuation_cap: '1' } })).toMatchObject({ uncapped: false })
    expect(completeTerms({ type: 'convertible_note', terms: {} })).toMatchObject({
      uncapped: true,
      valuation_cap: null,
    })
    expect(completeTerms({ type: 'equity', terms: {} })).not.toHaveProperty('uncapped')
  })
})
