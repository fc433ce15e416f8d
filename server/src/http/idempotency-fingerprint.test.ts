import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalJson, fingerprint } from './idempotency.ts'
import { parseQueryText } from './input/read-query.ts'

describe('canonical JSON', () => {
  test('is the same for equal values, in any order of fields', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(canonicalJson(reversed(value))).toBe(canonicalJson(value))
      }),
    )
  })

  test('is different for different values', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        // -0 and 0 are the same number in JSON.
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })
})

describe('the fingerprint of a request', () => {
  const INPUT = { params: { id: '1' }, query: undefined, body: { a: 1 } }
  test.each([
    ['method', 'PUT', INPUT],
    ['path', 'POST', { ...INPUT, params: { id: '2' } }],
    ['query', 'POST', { ...INPUT, query: { a: 1 } }],
    ['body', 'POST', { ...INPUT, body: { a: '1' } }],
  ])('changes with its %s', (_, method, input) => {
    expect(fingerprint(method, input).equals(fingerprint('POST', INPUT))).toBe(false)
  })

  test('is equal for equal raw queries, and different for different ones', () => {
    const withQuery = (text: string) => fingerprint('POST', { ...INPUT, query: parseQueryText(text) })
    expect(withQuery('a=1').equals(withQuery('a=1'))).toBe(true)
    expect(withQuery('a=1').equals(withQuery('a=2'))).toBe(false)
    expect(withQuery('a=1').equals(withQuery('a=1&a=1'))).toBe(false)
  })
})

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).reverse()
  return Object.fromEntries(fields.map(([name, inner]) => [name, reversed(inner)]))
}
