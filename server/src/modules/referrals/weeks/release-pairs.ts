import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { addRanges, type Range } from '../privacy/range.ts'
import { type KeyOf, keysOfPairs } from '../tokens/keys-of-pairs.ts'
import { type OpenPair, takeChanges } from './changes-store.ts'
import { type Cohort, cohortOf } from './cohort.ts'
import { cohortRow } from './cohort-rows.ts'
import { addCounts, insertCohorts, insertRows, rangesSince } from './cohort-store.ts'
import { findCredited } from './credited-store.ts'
import { type Current, currentOf } from './current.ts'
import { type Gathered, gatheredPeople } from './gathered-people.ts'
import { type Pair, pairName } from './pair.ts'
import type { ReleaseSettings } from './release-settings.ts'
import { markTold, writeTellings } from './tellings-store.ts'
import type { Week } from './week.ts'

type Releasing = ReleaseSettings & { readonly week: Week; readonly limit: number }

/**
 * What a week says of some pairs of code and company. The rows are written in parts of at most so many of a pair, and what
 * the ranges need of each person is all that is held until the last part: a pair may have more than fits into memory. A
 * pair whose key cannot be opened is left out, and told in a later week, when it can.
 */
export async function releasePairs(tx: Tx, all: readonly Pair[], releasing: Releasing): Promise<void> {
  const keyOf = await keysOfPairs(tx, releasing.tokenKeys, all)
  const pairs = all.filter((pair) => keyOf(pair) !== null)
  for (const pair of all) if (keyOf(pair) === null) releasing.onUnopened(pair)
  const people = gatheredPeople()
  let open: readonly OpenPair[] = pairs.map((pair) => ({ ...pair, after: '' }))
  while (open.length > 0) open = await releasePart(tx, open, { ...releasing, keyOf, people })
  await releaseRanges(tx, pairs, { ...releasing, people })
}

type Part = Releasing & { readonly keyOf: KeyOf; readonly people: Gathered }

/** Answers with the pairs of which there may be more. */
async function releasePart(tx: Tx, open: readonly OpenPair[], part: Part): Promise<OpenPair[]> {
  const { week, limit, people } = part
  const taken = await takeChanges(tx, open, { ends_at: week.ends_at, limit })
  const found = await findCredited(
    tx,
    week,
    taken.map(({ investment }) => investment),
  )
  const current = found.map(currentOf)
  const rows = current.map((credited) => rowOf(credited, part)).filter((row) => row !== null)
  await insertRows(tx, week.week, rows)
  await writeTellings(tx, current)
  for (const credited of current) people.add(credited)
  const ofPairs = Map.groupBy(taken, pairName)
  return open.flatMap((pair) => {
    const own = ofPairs.get(pairName(pair)) ?? []
    const last = own.map(({ investment }) => investment).reduce((a, b) => (a > b ? a : b), '')
    return own.length < limit ? [] : [{ ...pair, after: last }]
  })
}

function rowOf(credited: Current, { week, keyOf }: Part) {
  const key = keyOf(credited)
  return key && cohortRow(credited, week.week, key)
}

type Told = Pair & Cohort

async function releaseRanges(
  tx: Tx,
  pairs: readonly Pair[],
  { week, peopleMin: k, people }: Releasing & { readonly people: Gathered },
): Promise<void> {
  const since = await rangesSince(tx, pairs)
  const told = pairs.map((pair): Told => ({ ...pair, ...cohortOf(people.of(pair), { k, since: since(pair) }) }))
  const saying = told.flatMap(({ ranges, ...rest }) => (ranges === null ? [] : [{ ...rest, ranges }]))
  await insertCohorts(tx, week.week, saying)
  await addCounts(tx, countedIn(told))
  await markTold(tx, {
    credited: told.filter(({ tells }) => tells.credited),
    corrected: told.filter(({ tells }) => tells.corrected),
  })
}

/** "Counts on a code are as of the last published week": they add up what the ranges say, and know no more than that. */
function countedIn(told: readonly Told[]): ReadonlyMap<Id<'referralCode'>, Range> {
  const counts = new Map<Id<'referralCode'>, Range>()
  for (const { code, counted } of told) {
    if (counted === null) continue
    const before = counts.get(code)
    counts.set(code, before === undefined ? counted : addRanges(before, counted))
  }
  return counts
}
