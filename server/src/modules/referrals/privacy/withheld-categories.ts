import type { PeopleIn } from './people-in.ts'

/**
 * "Suppressed together with what would reveal them by subtraction." Of a dimension (status, say) those categories are
 * withheld that have fewer than k people. What is left when the others are taken from the whole is all of those together:
 * if they are fewer than k people even together, the next category in the dimension's own order is withheld with them. One
 * is enough, since it has k by itself, and the order is fixed: which one it is must not depend on how many are in it.
 */
export function withheldCategories<C extends string>(peopleIn: PeopleIn<C>, k: number): ReadonlySet<C> {
  const all = [...peopleIn.keys()]
  const few = all.filter((category) => sizeOf(peopleIn, [category]) < k)
  if (few.length === 0 || sizeOf(peopleIn, few) >= k) return new Set(few)
  const next = all.find((category) => !few.includes(category))
  return new Set(next === undefined ? few : [...few, next])
}

function sizeOf<C extends string>(peopleIn: PeopleIn<C>, categories: readonly C[]): number {
  return new Set(categories.flatMap((category) => [...(peopleIn.get(category) ?? [])])).size
}
