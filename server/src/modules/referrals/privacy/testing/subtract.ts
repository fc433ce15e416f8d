import { type GroupRanges, STATUSES, TIERS, TIMES } from '../group-ranges.ts'
import type { Range } from '../range.ts'

type Dimension = 'by_status' | 'by_amount_tier' | 'by_time_to_invest'
const CATEGORIES: Readonly<Record<Dimension, readonly string[]>> = {
  by_status: STATUSES,
  by_amount_tier: TIERS,
  by_time_to_invest: TIMES,
}

/** "Of the people in these categories of the dimension there are between so many and so many." */
export type Claim = {
  readonly dimension: Dimension
  readonly categories: readonly string[]
  readonly atLeast: number
  readonly atMost: number
}

const upTo = ({ max }: Range) => max ?? Number.POSITIVE_INFINITY

/**
 * The attacker with pencil and paper: takes the ranges that are shown from the whole, in each dimension, with the whole as
 * narrow as all three dimensions together make it. Knows that each of these people has one investment, so that sums are exact.
 */
export function subtract(group: GroupRanges): Claim[] {
  const dimensions = (Object.keys(CATEGORIES) as Dimension[]).map((dimension) => {
    const ranges: Readonly<Record<string, Range | null>> = group[dimension]
    const shown = CATEGORIES[dimension].flatMap((category) => ranges[category] ?? [])
    const withheld = CATEGORIES[dimension].filter((category) => ranges[category] == null)
    return { dimension, ranges, withheld, min: sum(shown.map(({ min }) => min)), max: sum(shown.map(upTo)) }
  })
  const whole = {
    min: Math.max(group.investors.min, ...dimensions.map(({ min }) => min)),
    max: Math.min(
      upTo(group.investors),
      ...dimensions.map(({ withheld, max }) => (withheld.length === 0 ? max : Infinity)),
    ),
  }
  return dimensions.flatMap(({ dimension, ranges, withheld, min, max }) => {
    const left = { atLeast: Math.max(0, whole.min - max), atMost: whole.max - min }
    const told = CATEGORIES[dimension].flatMap((category) => {
      const range = ranges[category]
      return range == null ? [] : [{ dimension, categories: [category], atLeast: range.min, atMost: upTo(range) }]
    })
    return withheld.length === 0 ? told : [...told, { dimension, categories: withheld, ...left }]
  })
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
