export type Range = { readonly min: number; readonly max: number | null }

/**
 * Where ranges begin, in multiples of k: with the k of 5 at 5, 10, 20, 50, 100, … They are the same for everybody and none is
 * laid around a number. Multiples, because bounds of several ranges can then not meet in one number, however they are added
 * up and taken from each other; that takes a k of 4 at least.
 */
const BEGINNINGS = [1, 2, 4, 10, 20, 40, 100, 200, 400, 1_000, 2_000]

/** "In ranges and not exact numbers." The range that so many people lie in, of those that begin at `k`. */
export function rangeOf(people: number, k: number): Range {
  const beginnings = BEGINNINGS.map((times) => times * k)
  const above = beginnings.find((at) => at > people)
  const min = beginnings.findLast((at) => at <= people)
  if (min === undefined) throw new RangeError(`${people} of at least ${k} people are in no range`)
  return { min, max: above === undefined ? null : above - 1 }
}

/** What two groups come to together, by nothing but what was said of each. */
export function addRanges(a: Range, b: Range): Range {
  return { min: a.min + b.min, max: a.max === null || b.max === null ? null : a.max + b.max }
}
