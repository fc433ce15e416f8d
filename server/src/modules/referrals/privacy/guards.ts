import type { PeopleIn } from './people-in.ts'
import { type Range, rangeOf } from './range.ts'

/** What stands between the numbers and whoever reads them; the attack in the tests takes them away one by one. */
export type Guards = {
  enough(people: ReadonlySet<string>, k: number): boolean
  withheld<C extends string>(people: PeopleIn<C>, k: number): ReadonlySet<C>
  range(people: number, k: number): Range
}

export const GUARDS: Guards = { enough: enoughPeople, withheld: withheldCategories, range: rangeOf }

/**
 * "Aggregates below k people are suppressed." People, and not investments: somebody who invests five times is one. Nobody
 * is fewer than k as well, and is told like that: that nobody was there says something about everybody.
 */
export function enoughPeople(people: ReadonlySet<string>, k: number): boolean {
  return people.size >= k
}

/**
 * "Suppressed together with what would reveal them by subtraction." Of a dimension (status, say) those categories are
 * withheld that have fewer than k people, and whenever there are such, the next in the dimension's own order with them, which
 * has k by itself: what is left when the others are taken from the whole has k people then. Always, and not only where
 * the small ones need it: otherwise those who read that no other was withheld would know that the small ones have k together, and so
 * that none of two is empty. And by a fixed order: which one it is must not depend on how many are in it.
 */
export function withheldCategories<C extends string>(peopleIn: PeopleIn<C>, k: number): ReadonlySet<C> {
  const all = [...peopleIn.keys()]
  const few = all.filter((category) => (peopleIn.get(category)?.size ?? 0) < k)
  const next = all.find((category) => !few.includes(category))
  return new Set(few.length === 0 || next === undefined ? few : [...few, next])
}
