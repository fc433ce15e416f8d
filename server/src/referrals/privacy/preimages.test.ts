import { describe, expect, test } from 'vitest'
import { GUARDS, type Guards, type PeopleIn } from './ranges.ts'
import { certainties } from './testing/preimages.ts'

/**
 * The second attack of decision 18: an attacker who knows the rules lists every group of people that would give the
 * response that the attacker received. No statement about fewer than k people is true for all of these groups. If a
 * guard is removed, such a statement exists.
 */
describe('An attacker who knows the rules finds no group of fewer than k people', () => {
  const one = { several: false, guards: GUARDS }

  test.each([
    ['three categories', { ...one, dimension: 'by_amount_tier', k: 4, most: 39 }],
    ['three categories with k = 5', { ...one, dimension: 'by_amount_tier', k: 5, most: 19 }],
    ['five categories', { ...one, dimension: 'by_status', k: 4, most: 15 }],
    ['people with several investments', { ...one, dimension: 'by_amount_tier', k: 4, most: 7, several: true }],
  ] as const)('the attack finds no such group: %s', (_, asked) => {
    expect(certainties(asked)).toEqual([])
  })

  const sizeIn = (people: PeopleIn<string>, category: string) => people.get(category)?.size ?? 0
  const few = <C extends string>(people: PeopleIn<C>, k: number) =>
    [...people.keys()].filter((category) => sizeIn(people, category) < k)
  const others = <C extends string>(people: PeopleIn<C>, k: number) =>
    [...people.keys()].filter((category) => sizeIn(people, category) >= k)
  const anyRange: Guards['range'] = (people, k) => (people < k ? { min: people, max: people } : GUARDS.range(people, k))

  const onlyFew: Guards['withheld'] = (people, k) => new Set(few(people, k))
  const whereNeeded: Guards['withheld'] = (people, k) => {
    const small = few(people, k)
    const together = new Set(small.flatMap((category) => [...(people.get(category) ?? [])])).size
    return together >= k ? new Set(small) : GUARDS.withheld(people, k)
  }
  const theSmallest: Guards['withheld'] = (people, k) => {
    const [small, rest] = [few(people, k), others(people, k)]
    const [smallest] = rest.toSorted((a, b) => sizeIn(people, a) - sizeIn(people, b))
    return new Set(small.length === 0 || smallest === undefined ? small : [...small, smallest])
  }
  const notNobody: Guards['withheld'] = (people, k) =>
    new Set([...GUARDS.withheld(people, k)].filter((category) => sizeIn(people, category) > 0))

  test.each<[string, Partial<Guards>, number]>([
    ['if only the small categories are withheld', { withheld: onlyFew }, 15],
    [
      'if an extra category is withheld only when the small ones together have fewer than k people',
      { withheld: whereNeeded },
      15,
    ],
    ['if the extra category is chosen by its size', { withheld: theSmallest }, 39],
    ['if an empty category is published', { withheld: notNobody, range: anyRange }, 15],
    ['if nothing is withheld', { withheld: () => new Set(), range: anyRange }, 15],
    ['if exact numbers are published instead of ranges', { range: (people) => ({ min: people, max: people }) }, 15],
  ])('the attack finds such a group %s', (_, guards, most) => {
    const asked = { ...one, dimension: 'by_amount_tier', k: 4, most, guards: { ...GUARDS, ...guards } } as const
    expect(certainties(asked).length).toBeGreaterThan(0)
  })

  test('the attack finds such a group if ranges begin at round numbers instead of multiples of k', () => {
    const round: Guards['range'] = (people, k) => (people < 10 ? { min: k, max: 9 } : { min: 10, max: 15 })
    const asked = { ...one, dimension: 'by_status', k: 3, most: 9, guards: { ...GUARDS, range: round } } as const
    expect(certainties(asked).length).toBeGreaterThan(0)
  })
})
