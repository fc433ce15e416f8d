/** What the column holds. */
export const LOWEST_PLACE = -(2 ** 31)

/**
 * Where those begin who are put first. They count from one where that is before everybody else, and else up to whoever is
 * first among the others, if need be below zero: nobody is moved but those who were named.
 */
export function firstPlace(named: number, firstOfOthers: number | null): number {
  return firstOfOthers === null ? 1 : Math.min(1, firstOfOthers - named)
}
