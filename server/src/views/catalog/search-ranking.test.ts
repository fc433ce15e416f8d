import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mistakesTyping, ranked } from './search.ts'

const named = (name: string, typed: string, more: { raising?: boolean; raised?: string } = {}) => ({
  id: `co_${name}`,
  words: name.toLowerCase().split(' '),
  typed: typed.split(' '),
  raising: more.raising ?? false,
  raised_cents: more.raised ?? '0',
})

const order = (typed: string, ...names: readonly string[]) =>
  ranked(names.map((name) => named(name, typed))).map(({ company }) => company.words.join(' '))

describe('the ranking of names', () => {
  test('an equal name is first, then the start of a name, the start of a word, a part, and a typing error', () => {
    const names = ['olasr', 'big isolar', 'big solar', 'solar two', 'solar']
    expect(order('solar', ...names)).toEqual(['solar', 'solar two', 'big solar', 'big isolar'])
    expect(order('sola', 'sloa')).toEqual(['sloa'])
  })

  test('fewer wrong letters come first', () => {
    expect(order('mycelium', 'mycelixx', 'mycelixm')).toEqual(['mycelixm', 'mycelixx'])
  })

  test('one or two letters match only the start of a word, without typing errors', () => {
    expect(order('ab', 'abc', 'xab', 'ba')).toEqual(['abc'])
  })

  test('every word of the search must match', () => {
    expect(order('solar wind', 'solar', 'wind solar', 'solar windows')).toEqual(['solar windows', 'wind solar'])
  })

  test('among equal matches, a raising company is first, then the company that raised more, then the shorter name', () => {
    const [a, b, c, d] = [
      named('solar aa', 'solar'),
      named('solar bb', 'solar', { raised: '100' }),
      named('solar cccc', 'solar', { raising: true }),
      named('solar dd', 'solar'),
    ]
    for (const given of [
      [a, b, c, d],
      [d, c, b, a],
    ]) {
      expect(ranked(given).map(({ company }) => company.id)).toEqual([c.id, b.id, a.id, d.id])
    }
  })

  test('an empty search finds nothing', () => {
    expect(ranked([{ ...named('solar', ''), typed: [] }])).toEqual([])
  })
})

describe('the number of typing errors in a complete or unfinished word', () => {
  test.each([
    ['solar', 'solar', 0],
    ['sol', 'solar', 0],
    ['solar', 'sola', 1],
    ['slolar', 'solar', 1],
    ['soalr', 'solar', 1],
    ['slo', 'solar', 1],
    ['sxlay', 'solar', 2],
    ['wind', 'solar', 3],
    ['solarpanels', 'solar', 3],
    ['ab', '', 2],
  ])('%s for %s: %i', (typed, word, expected) => {
    expect(mistakesTyping(typed, word, 2)).toBe(expected)
  })

  test('is zero only for a prefix, never more than the errors that were made, and at most one above the maximum', () => {
    const word = fc.string({ maxLength: 8, unit: fc.constantFrom('a', 'b', 'c', '🚀') })
    fc.assert(
      fc.property(word, word, fc.nat(3), (typed, meant, most) => {
        const counted = mistakesTyping(typed, meant, most)
        expect(counted === 0).toBe(meant.startsWith(typed))
        expect(counted).toBeLessThanOrEqual(most + 1)
        expect(mistakesTyping(typed, meant + typed, most)).toBeLessThanOrEqual(counted)
        expect(mistakesTyping(`${typed}a`, `${typed}b${meant}`, most)).toBeLessThanOrEqual(1)
      }),
    )
  })
})
