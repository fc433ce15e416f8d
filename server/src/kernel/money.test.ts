import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addCents, type Cents, centsOf, decimalString, parseCents, type WholeUnits, wholeUnits } from './money.ts'

const MAX = Number.MAX_SAFE_INTEGER

describe('money', () => {
  test.each([0, 1, -100, 25_000, MAX, '25000', '-1', String(MAX)])('%j is an amount in cents', (value) => {
    expect(parseCents(value)).toBe(Number(value))
  })

  test.each([0.5, MAX + 1, Number.NaN, '1e3', '1.00', '', ' 1', '9007199254740993', null, undefined, {}, 1n])(
    '%s is not an amount in cents',
    (value) => {
      expect(parseCents(value)).toBeNull()
    },
  )

  test('whole units and cents convert both ways, and a fraction of a unit is rejected, never rounded', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }), (units) => {
        expect(wholeUnits(centsOf(units as WholeUnits))).toBe(units + 0)
      }),
    )
    for (const cents of [1, 99, 101, -50]) expect(() => wholeUnits(cents as Cents)).toThrow(RangeError)
    expect(() => centsOf(MAX as WholeUnits)).toThrow(RangeError)
  })

  test('a sum is exact; a sum that is too large throws', () => {
    expect(addCents([1, 2, 3] as Cents[])).toBe(6)
    expect(addCents([MAX, -1, 1] as Cents[])).toBe(MAX)
    expect(() => addCents([MAX, 1] as Cents[])).toThrow(RangeError)
  })

  test.each([
    [0, '0.00'],
    [5, '0.05'],
    [-5, '-0.05'],
    [123_450, '1234.50'],
    [MAX, '90071992547409.91'],
  ])('%i cents are written as %s', (cents, text) => {
    expect(decimalString(cents as Cents)).toBe(text)
  })
})
