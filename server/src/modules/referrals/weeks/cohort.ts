import type { Id } from '#kernel/ids.ts'
import type { Range } from '../privacy/range.ts'
import { tellRanges } from '../privacy/tell-ranges.ts'
import type { TokenKey } from '../tokens/opaque-tokens.ts'
import { cohortRows } from './cohort-rows.ts'
import type { Told } from './credited-store.ts'
import type { Current } from './current.ts'

/** What is released of one code, one company and one week. */
export type Cohort = {
  readonly code: Id<'referralCode'>
  readonly company: Id<'company'>
  /** JSON of the members that a company's part of the answer has in ranges, or as rows; null where it has none. */
  readonly ranges: string | null
  readonly rows: string | null
  readonly investments: readonly Id<'investment'>[]
  /** How many people the ranges add, by what they say. */
  readonly counted: Range | null
  readonly told: readonly Told[]
}

export type Around = {
  readonly week: string
  readonly k: number
  readonly key: TokenKey
  /** The week from which the ranges have had nothing yet. */
  readonly since: string
}

/** `all`: what is to be told of one code and one company, at least one. */
export function cohortOf(
  all: readonly [Current, ...Current[]],
  { week, k, key, since }: Around,
  tell: typeof tellRanges<Current> = tellRanges,
): Cohort {
  const [{ code, company }] = all
  const { group, corrections, told } = tell(all, k)
  const { investments, ...rows } = cohortRows(all, week, key)
  const nowTold = new Set(told)
  return {
    ...{ code, company, investments },
    ranges: group === null && corrections === null ? null : members({ since, credited: group, corrections }),
    rows: investments.length === 0 ? null : members(rows),
    counted: group?.investors ?? null,
    told: all.map((credited) => (nowTold.has(credited) ? { ...credited, told: credited } : credited)),
  }
}

/** Without the braces: the answer puts the company before them. */
function members(value: object): string {
  return JSON.stringify(value).slice(1, -1)
}
