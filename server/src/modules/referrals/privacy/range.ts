export type Range = { readonly min: number; readonly max: number | null }

/** Where ranges begin. They are the same for everybody and for ever, and none is laid around a number. */
const BEGINNINGS = [5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000]

/**
 * "In ranges and not exact numbers." The range that so many people lie in, of those that begin at `k`. The next one begins
 * at twice that or later, so that none is so narrow as to be a number.
 */
export function rangeOf(people: number, k: number): Range {
  const beginnings = [k, ...BEGINNINGS.filter((at) => at >= 2 * k)]
  const above = beginnings.find((at) => at > people)
  const min = beginnings.findLast((at) => at <= people)
  if (min === undefined) throw new RangeError(`${people} of at least ${k} people are in no range`)
  return { min, max: above === undefined ? null : above - 1 }
}

/** What two groups come to together, by nothing but what was said of each. */
export function addRanges(a: Range, b: Range): Range {
  return { min: a.min + b.min, max: a.max === null || b.max === null ? null : a.max + b.max }
}
