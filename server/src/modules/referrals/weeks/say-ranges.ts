import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { addRanges, type Range } from '../privacy/range.ts'
import type { Cohort } from './cohort.ts'
import { addCounts, insertCohorts } from './cohort-store.ts'
import type { Pair } from './pair.ts'
import { markTold } from './tellings-store.ts'

export type PairCohort = Pair & Cohort

/** From here on the ranges have told it. */
export async function sayRanges(tx: Tx, week: string, made: readonly PairCohort[]): Promise<void> {
  if (made.length === 0) return
  const saying = made.flatMap(({ ranges, ...rest }) => (ranges === null ? [] : [{ ...rest, ranges }]))
  await insertCohorts(tx, week, saying)
  await addCounts(tx, countedIn(made))
  await markTold(tx, {
    credited: made.filter(({ tells }) => tells.credited),
    corrected: made.filter(({ tells }) => tells.corrected),
  })
}

/** "Counts on a code are as of the last published week": they add up what the ranges say, and know no more than that. */
function countedIn(made: readonly PairCohort[]): ReadonlyMap<Id<'referralCode'>, Range> {
  const counts = new Map<Id<'referralCode'>, Range>()
  for (const { code, counted } of made) {
    if (counted === null) continue
    const before = counts.get(code)
    counts.set(code, before === undefined ? counted : addRanges(before, counted))
  }
  return counts
}
