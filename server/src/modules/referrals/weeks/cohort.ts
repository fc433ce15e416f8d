import type { GroupRanges } from '../privacy/group-ranges.ts'
import type { Range } from '../privacy/range.ts'
import type { Tellable } from '../privacy/tell-ranges.ts'
import type { ReleaseRules } from './release-rules.ts'

/** What the ranges of a week say of one code and one company. */
export type Cohort = {
  /** JSON of the members that a company's part of the answer has in ranges, without the braces; null where it has none. */
  readonly ranges: string | null
  /** How many people the ranges add, by what they say. */
  readonly counted: Range | null
  /** Whether they tell of whoever was new, and of whoever had changed. */
  readonly tells: { readonly credited: boolean; readonly corrected: boolean }
}

/** `since`: the week from which the ranges have had nothing yet. */
export type Around = { readonly k: number; readonly since: string }

/** `all`: what is to be told of one code and one company. */
export function cohortOf(all: readonly Tellable[], { k, since }: Around, { tell }: Pick<ReleaseRules, 'tell'>): Cohort {
  const { group, corrections } = tell(all, k)
  return {
    ranges: group === null && corrections === null ? null : rangesText({ since, credited: group, corrections }),
    counted: group?.investors ?? null,
    tells: { credited: group !== null, corrected: corrections !== null },
  }
}

type Ranges = {
  readonly since: string
  readonly credited: GroupRanges | null
  readonly corrections: GroupRanges | null
}

function rangesText(ranges: Ranges): string {
  return JSON.stringify(ranges).slice(1, -1)
}
