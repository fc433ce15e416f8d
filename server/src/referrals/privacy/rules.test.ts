import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addRanges, type Entry, enoughPeople, GUARDS, groupRanges, rangeOf, withheldCategories } from './ranges.ts'

const K = fc.integer({ min: 2, max: 300 })

describe('In ranges and not exact numbers', () => {
  test.each([
    [5, 5, { min: 5, max: 9 }],
    [9, 5, { min: 5, max: 9 }],
    [10, 5, { min: 10, max: 19 }],
    [49, 5, { min: 20, max: 49 }],
    [12_345, 5, { min: 10_000, max: null }],
    [9, 9, { min: 9, max: 17 }],
    [49, 10, { min: 40, max: 99 }],
    [20_000, 10, { min: 20_000, max: null }],
  ])('%i people with k = %i', (people, k, range) => {
    expect(rangeOf(people, k)).toEqual(range)
  })

  test('every number from k on is in one range, and no range is a single number', () => {
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

  test('two ranges add up to a range, which has no upper end if one of them has none', () => {
    expect(addRanges({ min: 5, max: 9 }, { min: 10, max: 19 })).toEqual({ min: 15, max: 28 })
    expect(addRanges({ min: 5, max: 9 }, { min: 10_000, max: null })).toEqual({ min: 10_005, max: null })
  })
})

test('Aggregates below k people are suppressed: k people are enough, one fewer is not', () => {
  const people = (count: number) => new Set(Array.from({ length: count }, (_, at) => String(at)))
  expect(enoughPeople(people(5), 5)).toBe(true)
  expect(enoughPeople(people(4), 5)).toBe(false)
})

describe('Together with values that would reveal them by subtraction', () => {
  const withheld = (...sizes: readonly number[]) => {
    const entries = sizes.map((size, at) => {
      const people = Array.from({ length: size }, (_, nth) => `${at} ${nth}`)
      return [`c${at}`, new Set(people)] as const
    })
    return [...withheldCategories(new Map(entries), 5)].sort()
  }

  test.each([
    ['no category if all have enough people', [6, 7, 5], []],
    ['a category that is too small and the first other category', [20, 6, 3], ['c0', 'c2']],
    [
      'an extra category even if the small ones together have k people: otherwise a reader would know that none of them is empty',
      [20, 3, 2, 7],
      ['c0', 'c1', 'c2'],
    ],
    ['an empty category and the first other category, whatever the size of that category', [0, 6, 20], ['c0', 'c1']],
    ['all categories if each has too few people', [3, 4, 2], ['c0', 'c1', 'c2']],
    [
      'all categories if one category has every person, because an empty category would reveal where each person is',
      [20, 0, 0],
      ['c0', 'c1', 'c2'],
    ],
  ])('withholds %s', (_, sizes, expected) => {
    expect(withheld(...sizes)).toEqual(expected)
  })
})

test('categories are listed in their usual order, not in the order of withholding', () => {
  const people = Array.from({ length: 5 }, (_, at) => `${at}`)
  const entries = people.map((investor): Entry => ({ investor, status: 'active', tier: 'small', time: 'direct' }))
  const published = groupRanges(entries, 5, GUARDS)
  expect(Object.keys(published?.by_status ?? {})).toEqual(['active', 'reserved', 'executed', 'canceled', 'converted'])
  expect(Object.keys(published?.by_amount_tier ?? {})).toEqual(['small', 'medium', 'large'])
  expect(Object.keys(published?.by_time_to_invest ?? {})).toEqual(['direct', 'assisted', 'delayed'])
})

test('if only one category has people, all categories are null; if every category has all people, none is null', () => {
  const people = Array.from({ length: 5 }, (_, at) => `${at}`)
  const entry =
    (tier: Entry['tier']) =>
    (investor: string): Entry => ({
      ...{ investor, tier, status: 'active', time: 'direct' },
    })
  const small = people.map(entry('small'))
  expect(groupRanges(small, 5, GUARDS)?.by_amount_tier).toEqual({ small: null, medium: null, large: null })
  const all = [...small, ...people.map(entry('medium')), ...people.map(entry('large'))]
  const range = { min: 5, max: 9 }
  expect(groupRanges(all, 5, GUARDS)?.by_amount_tier).toEqual({ small: range, medium: range, large: range })
})
