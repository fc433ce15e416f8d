import { type Entry, type GroupRanges, groupRanges } from './group-ranges.ts'
import { GUARDS, type Guards } from './guards.ts'

/** A credited investment as it is, and as the ranges have had it until now; null while they have not. */
export type Tellable = Entry & { readonly told: Pick<Entry, 'status' | 'tier'> | null }

export type Telling = { readonly group: GroupRanges | null; readonly corrections: GroupRanges | null }

/**
 * What the ranges of a week say of one code and one company. New is whatever no ranges have told yet: where the people of
 * a week are too few, they wait for those of the next, and are told together. What has changed since it was told goes
 * into the corrections, by the same rule: a single cancellation would be somebody's.
 */
export function tellRanges(all: readonly Tellable[], k: number, guards: Guards = GUARDS): Telling {
  const untold = all.filter(({ told }) => told === null)
  const changed = all.filter(
    ({ told, status, tier }) => told !== null && (told.status !== status || told.tier !== tier),
  )
  return { group: groupRanges(untold, k, guards), corrections: groupRanges(changed, k, guards) }
}
