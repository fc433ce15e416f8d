import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { addRanges, type Range } from '../privacy/ranges.ts'
import type { Cohort, Current } from './cohort.ts'
import { addCounts, insertCohorts, publishWaiting } from './store.ts'
import { type Pair, type PublishedState, pairName } from './week.ts'

export type PairCohort = Pair & Cohort

export async function publishRanges(tx: Tx, week: string, made: readonly PairCohort[]): Promise<void> {
  if (made.length === 0) return
  const saying = made.flatMap(({ ranges, ...rest }) => (ranges === null ? [] : [{ ...rest, ranges }]))
  await Promise.all([insertCohorts(tx, week, saying), addCounts(tx, countedIn(made))])
}

/** The published state of an investment after these ranges; null while it waits for more people. */
export type PublishedOf = (current: Current) => PublishedState | null

export function publishedBy(said: readonly PairCohort[]): PublishedOf {
  const tellings = new Map(said.map((pair) => [pairName(pair), pair.tells]))
  return (current) => {
    const tells = tellings.get(pairName(current))
    const isTold = current.told === null ? tells?.credited : tells?.corrected
    return isTold === true && !current.passedOver ? current : current.told
  }
}

/** The same for investments that are no longer in memory. */
export async function markPublished(tx: Tx, said: readonly PairCohort[]): Promise<void> {
  await publishWaiting(tx, {
    credited: said.filter(({ tells }) => tells.credited),
    corrected: said.filter(({ tells }) => tells.corrected),
  })
}

/**
 * "Counts on a code are as of the last published week": they add up the published ranges and nothing else.
 */
function countedIn(made: readonly PairCohort[]): ReadonlyMap<Id<'referralCode'>, Range> {
  const counts = new Map<Id<'referralCode'>, Range>()
  for (const { code, counted } of made) {
    if (counted === null) continue
    const before = counts.get(code)
    counts.set(code, before === undefined ? counted : addRanges(before, counted))
  }
  return counts
}
