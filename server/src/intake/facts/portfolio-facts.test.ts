import { Compile } from 'typebox/compile'
import { describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { portfolioFacts } from './fact-types.ts'

/** The tests of the module portfolio show the effects of these facts. This file tests their schemas. */
function accepts(type: string, data: object): boolean {
  const fact = portfolioFacts.find((fact) => fact.type === type)
  if (fact === undefined) throw new Error(`unknown fact ${type}`)
  return Compile(fact.data).Check({ ...(fact.example as object), ...data })
}

describe('decimals', () => {
  test.each(['0', '1', '1.0', '0.0000000001', '999999999.9999999999'])('the multiple %s is accepted', (multiple) => {
    expect(accepts('portfolio.sold', { multiple })).toBe(true)
    expect(accepts('portfolio.exited', { multiple })).toBe(true)
    expect(accepts('portfolio.valued', { multiple })).toBe(true)
  })

  test.each([
    '',
    '-1',
    '+1',
    '1.',
    '.5',
    '1e3',
    '1,5',
    ' 1',
    '1\n',
    '1000000000',
    '0.00000000001',
    'NaN',
    'Infinity',
    1.5,
  ])('the multiple %j is rejected', (multiple) => {
    for (const type of ['portfolio.sold', 'portfolio.exited', 'portfolio.valued']) {
      expect(accepts(type, { multiple })).toBe(false)
    }
  })

  test('a share price with up to 18 digits before the point is accepted', () => {
    const price = (share_price: unknown) => accepts('portfolio.valued', { share_price })
    expect([price('9'.repeat(18)), price('9'.repeat(19)), price('12.50'), price(12.5)]).toEqual([
      true,
      false,
      true,
      false,
    ])
  })
})

test('an id of another kind, an unlisted word or an unknown field is rejected', () => {
  expect(accepts('portfolio.valued', { offering: newId('company') })).toBe(false)
  expect(accepts('portfolio.exited', { status: 'sold' })).toBe(false)
  expect(accepts('portfolio.exited', { reason: 'bankruptcy' })).toBe(false)
  expect(accepts('fund.holding_set', { status: 'sold' })).toBe(false)
  expect(accepts('portfolio.sold', { price: '1' })).toBe(false)
})

test.each(portfolioFacts.map((fact) => [fact.type, fact] as const))('the example of %s is valid', (_type, fact) => {
  expect(Compile(fact.data).Check(fact.example)).toBe(true)
})
