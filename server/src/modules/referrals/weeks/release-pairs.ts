import type { Tx } from '#system/postgres/database.ts'
import { type KeyOf, keysOfPairs } from '../tokens/keys-of-pairs.ts'
import { type OpenPair, takeChanges } from './changes-store.ts'
import { cohortOf } from './cohort.ts'
import { insertRows, rangesSince } from './cohort-store.ts'
import { findCredited } from './credited-store.ts'
import { type Current, currentOf } from './current.ts'
import { type Gathered, gatheredPeople } from './gathered-people.ts'
import { type Pair, pairName } from './pair.ts'
import type { ReleaseRules } from './release-rules.ts'
import type { ReleaseSettings } from './release-settings.ts'
import { rowsShown, type ShowsRows } from './rows-shown-store.ts'
import { type PairCohort, sayRanges } from './say-ranges.ts'
import { writeTellings } from './tellings-store.ts'
import type { Week } from './week.ts'

type Releasing = ReleaseSettings & { readonly week: Week; readonly limit: number; readonly rules: ReleaseRules }

/**
 * What a week says of some pairs of code and company. The rows are written in parts of at most so many of a pair, and what
 * the ranges need of each person is all that is held until the last part: a pair may have more than fits into memory. A
 * pair whose key cannot be opened is left out, and told in a later week, when it can. Answers with the ranges that have not
 * been said yet: those of whoever sees rows.
 */
export async function releasePairs(tx: Tx, all: readonly Pair[], releasing: Releasing): Promise<PairCohort[]> {
  const keyOf = await keysOfPairs(tx, releasing.tokenKeys, all)
  const pairs = all.filter((pair) => keyOf(pair) !== null)
  for (const pair of all) if (keyOf(pair) === null) releasing.onUnopened(pair)
  // Before anybody is looked at: whoever loses their rows from here on is asked again at the end.
  const seesRows = await rowsShown(tx, pairs)
  const people = gatheredPeople()
  let open: readonly OpenPair[] = pairs.map((pair) => ({ ...pair, after: '' }))
  while (open.length > 0) open = await releasePart(tx, open, { ...releasing, keyOf, people })
  return releaseRanges(tx, pairs, { ...releasing, people, seesRows })
}

type Part = Releasing & { readonly keyOf: KeyOf; readonly people: Gathered }

/** Answers with the pairs of which there may be more. */
async function releasePart(tx: Tx, open: readonly OpenPair[], part: Part): Promise<OpenPair[]> {
  const { week, limit, people, rules } = part
  const taken = await takeChanges(tx, open, { ends_at: week.ends_at, limit })
  const found = await findCredited(
    tx,
    week,
    taken.map(({ investment }) => investment),
  )
  const current = found.map((credited) => currentOf(credited, rules.passes))
  const rows = current.map((credited) => rowOf(credited, part)).filter((row) => row !== null)
  await insertRows(tx, week.week, rows)
  await writeTellings(tx, current)
  for (const credited of current) if (!credited.passedOver) people.add(credited)
  const ofPairs = Map.groupBy(taken, pairName)
  return open.flatMap((pair) => {
    const own = ofPairs.get(pairName(pair)) ?? []
    const last = own.map(({ investment }) => investment).reduce((a, b) => (a > b ? a : b), '')
    return own.length < limit ? [] : [{ ...pair, after: last }]
  })
}

function rowOf(credited: Current, { week, keyOf, rules }: Part) {
  const key = keyOf(credited)
  return key && rules.row(credited, week.week, key)
}

type Ranging = Releasing & { readonly people: Gathered; readonly seesRows: ShowsRows }

/**
 * Whoever sees rows has by them all that these ranges are made of, if they still see them when the week is there to be
 * read. That is asked at the very end, because nobody who takes rows away should wait for a week.
 */
async function releaseRanges(
  tx: Tx,
  pairs: readonly Pair[],
  { week, peopleMin: k, rules, people, seesRows }: Ranging,
): Promise<PairCohort[]> {
  const since = await rangesSince(tx, pairs)
  const made = pairs.map((pair) => ({ ...pair, ...cohortOf(people.of(pair), { k, since: since(pair) }, rules) }))
  await sayRanges(
    tx,
    week.week,
    made.filter((pair) => !seesRows(pair)),
  )
  return made.filter((pair) => seesRows(pair) && (pair.tells.credited || pair.tells.corrected))
}
