import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { editDistance } from './edit-distance.ts'
import { ranked } from './rank.ts'

const named = (name: string, asked: string, more: { raising?: boolean; raised?: string } = {}) => ({
  id: `co_${name}`,
  words: name.toLowerCase().split(' '),
  asked: asked.split(' '),
  raising: more.raising ?? false,
  raised_cents: more.raised ?? '0',
})

const order = (asked: string, ...names: readonly string[]) =>
  ranked(names.map((name) => named(name, asked))).map(({ words }) => words.join(' '))

describe('how well names fit', () => {
  test('itself, begins so, has a word that begins so, holds it, was meant', () => {
    const names = ['olasr', 'big isolar', 'big solar', 'solar two', 'solar']
    expect(order('solar', ...names)).toEqual(['solar', 'solar two', 'big solar', 'big isolar'])
    expect(order('sola', 'sloa')).toEqual(['sloa'])
  })

  test('fewer wrong letters come first', () => {
    expect(order('mycelium', 'mycelixx', 'mycelixm')).toEqual(['mycelixm', 'mycelixx'])
  })

  test('one or two letters are the beginning of a word and never a mistake', () => {
    expect(order('ab', 'abc', 'xab', 'ba')).toEqual(['abc'])
  })

  test('every word looked for has to be there', () => {
    expect(order('solar wind', 'solar', 'wind solar', 'solar windows')).toEqual(['solar windows', 'wind solar'])
  })

  test('among equals: raising, more raised, shorter, and always in the same order', () => {
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
      expect(ranked(given).map(({ id }) => id)).toEqual([c.id, b.id, a.id, d.id])
    }
  })

  test('nothing looked for finds nothing', () => {
    expect(ranked([{ ...named('solar', ''), asked: [] }])).toEqual([])
  })
})

describe('the distance between words', () => {
  test.each([
    ['solar', 'solar', 0],
    ['solar', 'sola', 1],
    ['solar', 'slolar', 1],
    ['solar', 'soalr', 1],
    ['solar', 'sxlay', 2],
    ['solar', 'wind', 3],
    ['', 'ab', 2],
  ])('%s and %s: %i', (a, b, expected) => {
    expect(editDistance(a, b, 2)).toBe(expected)
  })

  test('is the same both ways, zero only between equals, and never more than one above the most', () => {
    const word = fc.string({ maxLength: 8, unit: fc.constantFrom('a', 'b', 'c', '🚀') })
    fc.assert(
      fc.property(word, word, fc.nat(3), (a, b, most) => {
        const distance = editDistance(a, b, most)
        expect(distance).toBe(editDistance(b, a, most))
        expect(distance === 0).toBe(a === b)
        expect(distance).toBeLessThanOrEqual(most + 1)
      }),
    )
  })
})
