import { describe, expect, test } from 'vitest'
import type { Cents } from '#kernel/money.ts'
import { html } from '#pages/html.ts'
import { checkoutAddress, type OfferingSummary, rangeWords, readAmount } from './checkout.ts'

describe('the address of the host’s checkout', () => {
  test('has every placeholder filled in, encoded; a missing value is left empty', () => {
    const template = 'https://host.example/o/{offering}?s={session}&i={invite}&back={return_url}'
    const places = { offering: 'ofr_1', session: 'is_1', return_url: 'https://us.example/?a=1&b={session}' }
    expect(checkoutAddress(template, places)).toBe(
      'https://host.example/o/ofr_1?s=is_1&i=&back=https%3A%2F%2Fus.example%2F%3Fa%3D1%26b%3D%7Bsession%7D',
    )
  })
})

describe('an amount as people type it', () => {
  const offeringSummary = (minCents: number | null, maxCents: number | null = null): OfferingSummary => ({
    ...{ companyName: 'Mills', testingTheWaters: false, status: 'open', currency: 'usd', html: html`` },
    minCents: minCents as Cents | null,
    maxCents: maxCents as Cents | null,
  })

  test.each([
    ['250', 25_000],
    [' 1,250 ', 125_000],
    ['$1,250,000', 125_000_000],
    ['1', 100],
  ])('%j is %i cents', (typed, cents) => {
    expect(readAmount(typed, offeringSummary(null))).toBe(cents)
  })

  test.each([undefined, '', '0', '-5', '12.50', '1,25', '1e3', '٣', '99999999999', 'a lot'])(
    '%j is rejected',
    (typed) => {
      expect(() => readAmount(typed, offeringSummary(null))).toThrow(
        expect.objectContaining({ type: 'validation_error' }),
      )
    },
  )

  test('the page lists the lower bound first, and no bound that the offering does not have', () => {
    expect(rangeWords(offeringSummary(25_000, 500_000))).toBe('Minimum investment: $250. Maximum investment: $5,000.')
    expect(rangeWords(offeringSummary(null, 500_000))).toBe('Maximum investment: $5,000.')
    expect(rangeWords(offeringSummary(25_000))).toBe('Minimum investment: $250.')
    expect(rangeWords(offeringSummary(null))).toBe('')
  })

  test('an amount above the offering’s maximum is rejected, with the maximum', () => {
    expect(readAmount('5,000', offeringSummary(null, 500_000))).toBe(500_000)
    expect(() => readAmount('5,001', offeringSummary(null, 500_000))).toThrow(
      expect.objectContaining({
        details: { fields: [expect.objectContaining({ message: 'must not be more than $5,000' })] },
      }),
    )
  })

  test('an amount below the offering’s minimum is rejected, with the minimum', () => {
    expect(readAmount('250', offeringSummary(25_000))).toBe(25_000)
    expect(() => readAmount('249', offeringSummary(25_000))).toThrow(
      expect.objectContaining({ details: { fields: [expect.objectContaining({ message: 'must be at least $250' })] } }),
    )
  })
})
