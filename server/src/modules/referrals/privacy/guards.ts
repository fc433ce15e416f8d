import { enoughPeople } from './enough-people.ts'
import type { PeopleIn } from './people-in.ts'
import { type Range, rangeOf } from './range.ts'
import { withheldCategories } from './withheld-categories.ts'

/** What stands between the numbers and whoever reads them; the attack in the tests takes them away one by one. */
export type Guards = {
  enough(people: ReadonlySet<string>, k: number): boolean
  withheld<C extends string>(people: PeopleIn<C>, k: number): ReadonlySet<C>
  range(people: number, k: number): Range
}

export const GUARDS: Guards = { enough: enoughPeople, withheld: withheldCategories, range: rangeOf }
