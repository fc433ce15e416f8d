import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { enoughPeople } from './enough-people.ts'
import type { PeopleIn } from './people-in.ts'
import { addRanges, rangeOf } from './range.ts'
import { withheldCategories } from './withheld-categories.ts'

const K = fc.integer({ min: 2, max: 300 })

describe('In ranges and not exact numbers', () => {
  test.each([
    [5, 5, { min: 5, max: 9 }],
    [9, 5, { min: 5, max: 9 }],
    [10, 5, { min: 10, max: 19 }],
    [49, 5, { min: 20, max: 49 }],
    [12_345, 5, { min: 10_000, max: null }],
    [9, 9, { min: 9, max: 19 }],
    [2, 2, { min: 2, max: 4 }],
    [30_000, 20_000, { min: 20_000, max: null }],
  ])('%i people with k = %i', (people, k, range) => {
    expect(rangeOf(people, k)).toEqual(range)
  })

  test('every number from k on lies in one range, which is never a single number', () => {
    fc.assert(
      fc.property(K, fc.nat(20_000), (k, more) => {
        const { min, max } = rangeOf(k + more, k)
        expect(min).toBeLessThanOrEqual(k + more)
        expect(max ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(k + more)
        expect((max ?? Number.POSITIVE_INFINITY) - min).toBeGreaterThan(0)
      }),
    )
  })

  test('fewer than k are in no range', () => {
    expect(() => rangeOf(4, 5)).toThrow(RangeError)
  })

  test('two of them add up to a range, and to one without end if one has none', () => {
    expect(addRanges({ min: 5, max: 9 }, { min: 10, max: 19 })).toEqual({ min: 15, max: 28 })
    expect(addRanges({ min: 5, max: 9 }, { min: 10_000, max: null })).toEqual({ min: 10_005, max: null })
  })
})

test('Aggregates below k people are suppressed: k are enough, one fewer is not', () => {
  const people = (count: number) => new Set(Array.from({ length: count }, (_, at) => String(at)))
  expect(enoughPeople(people(5), 5)).toBe(true)
  expect(enoughPeople(people(4), 5)).toBe(false)
})

describe('Together with what would reveal them by subtraction', () => {
  const withheld = (...sizes: readonly number[]) => {
    const entries = sizes.map((size, at) => {
      const people = Array.from({ length: size }, (_, nth) => `${at} ${nth}`)
      return [`c${at}`, new Set(people)] as const
    })
    return [...withheldCategories(new Map(entries), 5)].sort()
  }

  test.each([
    ['nothing, where all have enough', [6, 7, 5], []],
    ['those with too few, where together they have enough', [20, 3, 2], ['c1', 'c2']],
    ['one more, the first in order, where together they have too few', [20, 6, 3], ['c0', 'c2']],
    ['the first that is left, whatever its size', [0, 6, 20], ['c0', 'c1']],
    ['all, where all are too few', [3, 4, 2], ['c0', 'c1', 'c2']],
    [
      'all, where one has everybody: that nobody is elsewhere would tell where everybody is',
      [20, 0, 0],
      ['c0', 'c1', 'c2'],
    ],
  ])('%s', (_, sizes, expected) => {
    expect(withheld(...sizes)).toEqual(expected)
  })

  test('somebody in two small categories is one person of the two together', () => {
    const few = new Set(['a', 'b', 'c', 'd'])
    const people: PeopleIn<string> = new Map([
      ['large', new Set(['e', 'f', 'g', 'h', 'i'])],
      ['small', few],
      ['also small', few],
    ])
    expect(withheldCategories(people, 5)).toEqual(new Set(['small', 'also small', 'large']))
  })
})
