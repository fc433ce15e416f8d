import { appendEvent, type EventData, type Occasion } from '#events/index.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { MAKING_MS_MAX, overlapped, pace } from '#system/share-thread.ts'
import { addRanges, type Publishable, type Range } from '../privacy/ranges.ts'
import type { ReleaseSettings } from '../settings.ts'
import { type KeyOf, keysOfPairs } from '../tokens/token-keys.ts'
import {
  type Credited,
  findCredited,
  findPairsToPublish,
  type OpenPair,
  type Pair,
  type PairToPublish,
  type PublishedState,
  pairName,
  preferIndexes,
  takeChanges,
  type Week,
} from './changes-store.ts'
import {
  type Cohort,
  type CohortRow,
  type Current,
  cohortOf,
  currentOf,
  RELEASE_RULES,
  type ReleaseRules,
} from './cohort.ts'
import {
  addCounts,
  appsActiveIn,
  insertCohorts,
  insertRows,
  insertWeek,
  lockDueWeek,
  lockRowsShown,
  publishWaiting,
  type RangesSince,
  rangesSince,
  rowsShown,
  type ShowsRows,
  writePublished,
} from './store.ts'

/**
 * How many credited investments are processed at a time. The number is small, because deliveries in the same thread
 * wait during that time.
 */
const AT_A_TIME = 1_000

/**
 * "Weeks are published once, on Monday UTC, immutable afterwards." Releases the oldest ended week in one transaction: readers
 * see the whole week or nothing, and a crash leaves nothing behind. False if no week is due, or if another process is releasing
 * one.
 */
export async function releaseWeek(
  tx: Tx,
  settings: ReleaseSettings,
  rules: ReleaseRules = RELEASE_RULES,
): Promise<boolean> {
  const due = await lockDueWeek(tx)
  if (due === null) return false
  await insertWeek(tx, due, settings.peopleMin)
  const toPublish = await findPairsToPublish(tx, due)
  await preferIndexes(tx)
  const releasing = { ...settings, rules, week: due, limit: AT_A_TIME }
  const besideRows: PairCohort[] = []
  await overlapped(batches(toPublish), {
    read: (pairs) => lookAtPairs(tx, pairs, releasing),
    make: (atHand) => makeRows(atHand, releasing),
    write: async (made) => {
      besideRows.push(...(await publishPairs(tx, made, releasing)))
    },
  })
  await announceWeek(tx, due)
  const published = besideRows.filter(await lockRowsShown(tx, besideRows))
  await publishRanges(tx, due.week, published)
  await markPublished(tx, published)
  return true
}

/** Groups pairs so that each group has at most `AT_A_TIME` investments; a larger pair is a group of its own. */
function batches(all: readonly PairToPublish[]): PairToPublish[][] {
  const made: PairToPublish[][] = []
  let room = 0
  for (const pair of all) {
    const last = made.at(-1)
    if (last === undefined || pair.count > room) {
      made.push([pair])
      room = AT_A_TIME - pair.count
    } else {
      last.push(pair)
      room -= pair.count
    }
  }
  return made
}

/**
 * "Every Monday (UTC), once last week's cohorts are published, for every app with a referral code active that week; sent
 * whether or not anything converted." Runs in the transaction that releases the week, so each app gets the event once.
 */
async function announceWeek(tx: Tx, due: Week): Promise<void> {
  const { week, ends_at: occurredAt } = due
  const data: EventData<'referral_cohorts.published'> = { week, published_at: occurredAt }
  const occasion: Occasion = { cause: 'clock', occurredAt, caused: [] }
  for (const appId of await appsActiveIn(tx, due)) {
    await appendEvent(tx, { name: 'referral_cohorts.published', subject: { appId }, occurredAt, data }, occasion)
  }
}

type Releasing = ReleaseSettings & { readonly week: Week; readonly limit: number; readonly rules: ReleaseRules }

/** Some pairs of code and company, and the first part of what they have to publish. */
type PairsAtHand = {
  readonly pairs: readonly Pair[]
  readonly keyOf: KeyOf
  readonly seesRows: ShowsRows
  readonly since: RangesSince
  readonly part: Part
}

type Part = {
  readonly credited: readonly Credited[]
  /** The pairs that may have more investments to publish. */
  readonly open: readonly OpenPair[]
}

/**
 * Reads everything that is needed before these pairs are published. A pair whose key cannot be opened is skipped, and
 * is published in a later week, once the key can be opened.
 */
export async function lookAtPairs(tx: Tx, all: readonly Pair[], releasing: Releasing): Promise<PairsAtHand> {
  const keyOf = await keysOfPairs(tx, releasing.tokenKeys, all)
  const pairs = all.filter((pair) => keyOf(pair) !== null)
  for (const pair of all) if (keyOf(pair) === null) releasing.onUnopened(pair)
  const open = pairs.map((pair) => ({ ...pair, after: '' }))
  const [seesRows, since, part] = await Promise.all([
    // Row access is read first. An app can still lose it afterwards, so it is checked again at the end.
    rowsShown(tx, pairs),
    rangesSince(tx, pairs),
    takePart(tx, open, releasing),
  ])
  return { pairs, keyOf, seesRows, since, part }
}

async function takePart(tx: Tx, open: readonly OpenPair[], { week, limit }: Releasing): Promise<Part> {
  const taken = await takeChanges(tx, open, { ends_at: week.ends_at, limit })
  const credited = await findCredited(
    tx,
    week,
    taken.map(({ investment }) => investment),
  )
  const ofPairs = Map.groupBy(taken, pairName)
  const still = open.flatMap((pair) => {
    const own = ofPairs.get(pairName(pair)) ?? []
    const last = own.map(({ investment }) => investment).reduce((a, b) => (a > b ? a : b), '')
    return own.length < limit ? [] : [{ ...pair, after: last }]
  })
  return { credited, open: still }
}

/** The same pairs, with the rows of their first part. */
type PairsMade = PairsAtHand & { readonly people: Gathered; readonly first: Made }

type Made = { readonly current: readonly Current[]; readonly rows: readonly CohortRow[] }

export async function makeRows(atHand: PairsAtHand, releasing: Releasing): Promise<PairsMade> {
  const people = gatheredPeople()
  const first = await madeOf(atHand.part, { ...releasing, keyOf: atHand.keyOf, people })
  return { ...atHand, people, first }
}

type Making = Releasing & { readonly keyOf: KeyOf; readonly people: Gathered }

/** Makes the rows of a part, and adds what the ranges need to `people`. */
async function madeOf({ credited }: Part, { week, keyOf, people, rules }: Making): Promise<Made> {
  const current: Current[] = []
  const rows: CohortRow[] = []
  const turn = pace(MAKING_MS_MAX)
  for (const found of credited) {
    await turn()
    const one = currentOf(found, rules.passes)
    const key = keyOf(one)
    const row = key && rules.row(one, week.week, key)
    if (row !== null) rows.push(row)
    if (!one.passedOver) people.add(one)
    current.push(one)
  }
  return { current, rows }
}

/**
 * Writes the week's rows of these pairs, and the ranges of apps that see no rows. Returns the other ranges, because they may be
 * published only if the app still sees the rows when the week commits. That is checked at the very end, so that revoking an
 * installation does not have to wait while a week is released.
 */
export function publishPairs(tx: Tx, made: PairsMade, releasing: Releasing): Promise<PairCohort[]> {
  return made.part.open.length === 0 ? publishAtOnce(tx, made, releasing) : publishInParts(tx, made, releasing)
}

/** For pairs that are completely in memory: their ranges are computed before anything is written. */
async function publishAtOnce(tx: Tx, made: PairsMade, releasing: Releasing): Promise<PairCohort[]> {
  const { week } = releasing.week
  const { now, later } = cohorts(made, releasing)
  await Promise.all([
    insertRows(tx, week, made.first.rows),
    writePublished(tx, made.first.current, publishedBy(now)),
    publishRanges(tx, week, now),
  ])
  return later
}

/**
 * For a pair that may not fit into memory: the rows are written in parts, and only what the ranges need of each investment stays in
 * memory until the last part.
 */
async function publishInParts(tx: Tx, made: PairsMade, releasing: Releasing): Promise<PairCohort[]> {
  const { week } = releasing.week
  const { keyOf, people } = made
  let { part, first: next } = made
  for (;;) {
    await insertRows(tx, week, next.rows)
    await writePublished(tx, next.current, publishedBy([]))
    if (part.open.length === 0) break
    part = await takePart(tx, part.open, releasing)
    next = await madeOf(part, { ...releasing, keyOf, people })
  }
  const { now, later } = cohorts(made, releasing)
  await publishRanges(tx, week, now)
  await markPublished(tx, now)
  return later
}

function cohorts({ pairs, seesRows, since, people }: PairsMade, { peopleMin: k, rules }: Releasing) {
  const made = pairs.map((pair) => ({ ...pair, ...cohortOf(people.of(pair), { k, since: since(pair) }, rules) }))
  return {
    now: made.filter((pair) => !seesRows(pair)),
    later: made.filter((pair) => seesRows(pair) && (pair.publishes.credited || pair.publishes.corrected)),
  }
}

/** The data for ranges, collected part by part. */
type Gathered = {
  add(credited: Current): void
  of(pair: Pair): readonly Publishable[]
}

/** Keeps only what ranges need of each investment; equal texts share one string. */
function gatheredPeople(): Gathered {
  const all = new Map<string, Publishable[]>()
  const words = new Map<string, string>()
  const shared = <W extends string>(word: W): W => {
    const sharedWord = words.get(word)
    if (sharedWord === undefined) words.set(word, word)
    return (sharedWord ?? word) as W
  }
  return {
    add(credited) {
      const name = pairName(credited)
      const list = all.get(name) ?? []
      if (list.length === 0) all.set(name, list)
      const { investor, status, tier, time, published } = credited
      list.push({ investor, status: shared(status), tier, time: shared(time), published })
    },
    of: (pair) => all.get(pairName(pair)) ?? [],
  }
}

type PairCohort = Pair & Cohort

async function publishRanges(tx: Tx, week: string, made: readonly PairCohort[]): Promise<void> {
  if (made.length === 0) return
  const withRanges = made.flatMap(({ ranges, ...rest }) => (ranges === null ? [] : [{ ...rest, ranges }]))
  await Promise.all([insertCohorts(tx, week, withRanges), addCounts(tx, countedIn(made))])
}

/** The published state of an investment after these ranges; null while it waits for more people. */
type PublishedOf = (current: Current) => PublishedState | null

function publishedBy(published: readonly PairCohort[]): PublishedOf {
  const publishing = new Map(published.map((pair) => [pairName(pair), pair.publishes]))
  return (current) => {
    const publishes = publishing.get(pairName(current))
    const isPublished = current.published === null ? publishes?.credited : publishes?.corrected
    return isPublished === true && !current.passedOver ? current : current.published
  }
}

/** Marks the investments of these ranges as published, for investments that are no longer in memory. */
async function markPublished(tx: Tx, published: readonly PairCohort[]): Promise<void> {
  await publishWaiting(tx, {
    credited: published.filter(({ publishes }) => publishes.credited),
    corrected: published.filter(({ publishes }) => publishes.corrected),
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
