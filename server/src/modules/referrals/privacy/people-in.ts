/** Who is in each category of a dimension, in the order in which categories are withheld for the sake of others. */
export type PeopleIn<C extends string> = ReadonlyMap<C, ReadonlySet<string>>

/** Somebody with two investments may be in two categories, and in each of them once. */
export function peopleIn<C extends string, E extends { readonly investor: string }>(
  entries: readonly E[],
  categories: readonly C[],
  categoryOf: (entry: E) => C,
): PeopleIn<C> {
  const people = new Map<C, Set<string>>(categories.map((category) => [category, new Set()]))
  for (const entry of entries) people.get(categoryOf(entry))?.add(entry.investor)
  return people
}
