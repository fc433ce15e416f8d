import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { addRanges, type Range } from '../privacy/ranges.ts'
import type { Cohort, Current } from './cohort.ts'
import { addCounts, insertCohorts, tellWaiting } from './store.ts'
import { type Pair, pairName, type Said } from './week.ts'

export type PairCohort = Pair & Cohort

export async function sayRanges(tx: Tx, week: string, made: readonly PairCohort[]): Promise<void> {
  if (made.length === 0) return
  const saying = made.flatMap(({ ranges, ...rest }) => (ranges === null ? [] : [{ ...rest, ranges }]))
  await Promise.all([insertCohorts(tx, week, saying), addCounts(tx, countedIn(made))])
}

/** What the ranges have told of an investment once these are said; null while it waits for more people. */
export type ToldOf = (current: Current) => Said | null

export function toldBy(said: readonly PairCohort[]): ToldOf {
  const tellings = new Map(said.map((pair) => [pairName(pair), pair.tells]))
  return (current) => {
    const tells = tellings.get(pairName(current))
    const isTold = current.told === null ? tells?.credited : tells?.corrected
    return isTold === true && !current.passedOver ? current : current.told
  }
}

/** The same of investments that are not at hand any more. */
export async function markTold(tx: Tx, said: readonly PairCohort[]): Promise<void> {
  await tellWaiting(tx, {
    credited: said.filter(({ tells }) => tells.credited),
    corrected: said.filter(({ tells }) => tells.corrected),
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
