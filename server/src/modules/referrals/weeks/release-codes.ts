import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { addRanges, type Range } from '../privacy/range.ts'
import { keysOfPairs } from '../tokens/keys-of-pairs.ts'
import { type Cohort, cohortOf } from './cohort.ts'
import { addCounts, insertCohorts, rangesSince } from './cohort-store.ts'
import { findCredited, writeTellings } from './credited-store.ts'
import { type Current, currentOf } from './current.ts'
import type { ReleaseSettings } from './release-settings.ts'
import type { Week } from './week.ts'

type Releasing = ReleaseSettings & { readonly week: Week; readonly codes: readonly Id<'referralCode'>[] }

/** What a week says of some codes, and what has been told from then on. */
export async function releaseCodes(tx: Tx, { week, codes, peopleMin: k, tokenKeys }: Releasing): Promise<void> {
  const credited = await findCredited(tx, week, codes)
  const since = await rangesSince(tx, codes)
  const pairs = byPair(credited.map(currentOf))
  const keyOf = await keysOfPairs(
    tx,
    tokenKeys,
    pairs.map(([{ app, company }]) => ({ app, company })),
  )
  const cohorts = pairs.map((all) => {
    const [{ app, code, company }] = all
    return cohortOf(all, { week: week.week, k, key: keyOf({ app, company }), since: since(code, company) })
  })
  await insertCohorts(tx, week.week, cohorts)
  await addCounts(tx, countedIn(cohorts))
  await writeTellings(
    tx,
    cohorts.flatMap(({ told }) => told),
  )
}

/** One list for each code and company, which stand together. */
function byPair(all: readonly Current[]): [Current, ...Current[]][] {
  const pairs: [Current, ...Current[]][] = []
  for (const credited of all) {
    const last = pairs.at(-1)
    if (last?.[0].code === credited.code && last[0].company === credited.company) last.push(credited)
    else pairs.push([credited])
  }
  return pairs
}

/** "Counts on a code are as of the last published week": they add up what the ranges say, and know no more than that. */
function countedIn(cohorts: readonly Cohort[]): ReadonlyMap<Id<'referralCode'>, Range> {
  const counts = new Map<Id<'referralCode'>, Range>()
  for (const { code, counted } of cohorts) {
    if (counted === null) continue
    const before = counts.get(code)
    counts.set(code, before === undefined ? counted : addRanges(before, counted))
  }
  return counts
}
