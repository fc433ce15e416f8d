import fc from 'fast-check'
import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { PAGE_SIZES, pageQuery, pageSize } from '../pagination.ts'
import { inputReader } from './read-input.ts'
import { parseQueryText } from './read-query.ts'

const Query = Type.Object({ ...pageQuery(), tags: Type.Optional(Type.Array(Type.String())) })
const read = inputReader({ schema: { query: Query, response: {} } })
const query = (text: string) =>
  read({ params: {}, query: parseQueryText(text), body: undefined }, '2026-11-01').query as {
    per_page?: number
    tags?: string[]
  }

describe('a list parameter', () => {
  test('has the same value for repeated and comma-joined items', () => {
    const item = fc
      .string({ minLength: 1, unit: 'grapheme' })
      .filter((text) => !text.includes(',') && !text.includes('\0'))
    fc.assert(
      fc.property(fc.array(fc.array(item, { minLength: 1 }), { minLength: 1 }), (groups) => {
        const text = groups.map((group) => `tags=${group.map(encodeURIComponent).join(',')}`).join('&')
        expect(query(text).tags).toEqual(groups.flat())
      }),
    )
  })
})

describe('per_page', () => {
  test('any integer gives the page size that the specification requires', () => {
    fc.assert(
      fc.property(fc.bigInt(), (wanted) => {
        const size = pageSize(query(`per_page=${wanted}`).per_page)
        const expected = wanted < 1n ? PAGE_SIZES.default : wanted > 100n ? 100 : Number(wanted)
        expect(size).toBe(expected)
      }),
    )
    expect(pageSize(query(`per_page=${'9'.repeat(400)}`).per_page)).toBe(100)
    expect(pageSize(query(`per_page=-${'9'.repeat(400)}`).per_page)).toBe(25)
    expect(pageSize(query('').per_page)).toBe(25)
  })

  test('a text that is not an integer is rejected', () => {
    fc.assert(
      fc.property(
        fc.string().filter((text) => !/^-?\d+$/.test(text)),
        (text) => {
          expect(() => query(`per_page=${encodeURIComponent(text)}`)).toThrow('per_page')
        },
      ),
    )
  })
})

describe('any query text', () => {
  test('is parsed or marked as malformed, and never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(parseQueryText(text)).toHaveProperty('malformed')
      }),
    )
  })
})
