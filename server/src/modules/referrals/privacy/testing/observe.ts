import type { WorldTime } from '#kernel/clock.ts'
import type { Cents } from '#kernel/money.ts'
import { referredEvent } from '../../credit/referred-event.ts'
import { weekTexts } from '../../stats/render-stats.ts'
import type { WeekEntry } from '../../stats/weeks-store.ts'
import { opaqueTokens } from '../../tokens/opaque-tokens.ts'
import { addRanges, type Range } from '../range.ts'
import { APP_NUMBERS, appOf, CODE_NUMBERS, type Investment, type MadeUpWorld } from './made-up-world.ts'
import { asOf, creditedBy, keyOf, type Monday, mondays, type PairCohort, type Releasing, weekName } from './mondays.ts'

/** What a mutant does otherwise when somebody reads. */
export type Meddling = Releasing & {
  /** Weeks that were released are made anew for whoever reads them. */
  readonly recomputes?: true
  readonly liveCounts?: true
  /** A company is listed though nothing may be told of it. */
  readonly listsEverybody?: true
  /** That a week was published is told only where it tells of somebody. */
  readonly announcesNews?: true
  /** Rows stand in the order in which they were credited. */
  readonly rowsAsTheyCame?: true
}

type Reading = { readonly world: MadeUpWorld; readonly released: readonly Monday[]; readonly meddling: Meddling }
type Moment = { readonly code: number; readonly now: number }

/**
 * All that the apps together learn: on each Monday and once more before the next, the stats and the counts of each of
 * their codes, which of them heard that the week was published, and what they heard of single credits.
 */
export function observe(world: MadeUpWorld, meddling: Meddling = {}): string[] {
  return observeIn(world, meddling, ({ code, now }, reading) => [
    statsText(reading, { code, now }),
    countsText(reading, { code, now }),
  ])
}

/** The stats alone: what hidden investments are among the ranges of, they are among the counts of too. */
export function observeStats(world: MadeUpWorld, meddling: Meddling = {}): string[] {
  return observeIn(world, meddling, (moment, reading) => [statsText(reading, moment)])
}

type Look = (moment: Moment, reading: Reading) => string[]

function observeIn(world: MadeUpWorld, meddling: Meddling, look: Look): string[] {
  const released = mondays(world, meddling)
  const lookAt = (now: number, weeks: number) => {
    const anew = meddling.recomputes ? mondays(asOfWeek(world, now), meddling) : released
    const reading = { world, meddling, released: anew.slice(0, weeks) }
    return CODE_NUMBERS.flatMap((code) => look({ code, now }, reading))
  }
  return released.flatMap((monday, week) => [
    ...lookAt(week, week + 1),
    ...lookAt(week + 1, week + 1),
    ...APP_NUMBERS.map((app) => `announced to ${app}: ${isAnnounced({ world, meddling, monday }, app, week)}`),
    ...referredTexts(world, week, meddling),
  ])
}

function showsRows({ rows }: MadeUpWorld, { code, now }: Moment, company: number): boolean {
  const shown = rows[appOf(code)]?.[company]
  return shown !== undefined && now >= shown.from && now < shown.until
}

function statsText(reading: Reading, moment: Moment): string {
  const detailOf = (company: string) =>
    showsRows(reading.world, moment, Number(company.slice(3))) ? 'anonymized' : 'ranges'
  const entries = reading.released.flatMap((monday, week) => entriesOf(monday, week, { ...reading, ...moment }))
  return `[${weekTexts(entries, { detailOf, showsAddress: () => false }).join(',')}]`
}

/** The entries that a reader gets of a week: "hidden", as everything about the reader, is as of now. */
function entriesOf({ k, cohorts }: Monday, week: number, reading: Reading & Moment): WeekEntry[] {
  const { world, code, now, meddling } = reading
  const nothing = {
    corrected: null,
    token: null,
    said: null,
    investment: null,
    investor: null,
    name: null,
    email: null,
  }
  const empty = { week: weekName(week), released_at: '' as WorldTime, people_min: k, company: null, ...nothing }
  const hidden = new Set(world.investments.filter(({ hiddenFrom }) => now >= hiddenFrom).map(({ id }) => id))
  const entries = cohorts
    .filter((cohort) => cohort.code === code)
    .flatMap((cohort): WeekEntry[] => {
      const company = `co_${cohort.company}` as NonNullable<WeekEntry['company']>
      if (!showsRows(world, reading, cohort.company)) {
        const said = cohort.ranges ?? (meddling.listsEverybody && cohort.rows.length > 0 ? '"credited":null' : null)
        return said === null ? [] : [{ ...empty, company, said }]
      }
      return rowsOf(cohort, meddling)
        .filter(({ investment }) => meddling.tellsHidden || !hidden.has(investment))
        .map(({ corrected, row }) => ({
          ...{ ...empty, company, corrected, token: row.investment_token },
          said: JSON.stringify(row),
        }))
    })
  return entries.length === 0 ? [empty] : entries
}

function rowsOf({ rows }: PairCohort, { rowsAsTheyCame }: Meddling) {
  return rowsAsTheyCame ? rows : rows.toSorted((a, b) => (a.row.investment_token < b.row.investment_token ? -1 : 1))
}

function countsText({ world, released, meddling }: Reading, { code, now }: Moment): string {
  if (meddling.liveCounts) {
    const credited = creditedBy(world, now).filter((one) => one.code === code)
    return String(new Set(credited.map(({ person }) => person)).size)
  }
  const counted = released.flatMap(({ cohorts }) => cohorts.filter((cohort) => cohort.code === code))
  return JSON.stringify(counted.reduce((sum: Range | null, cohort) => added(sum, cohort.counted), null))
}

function added(sum: Range | null, more: Range | null): Range | null {
  return sum === null || more === null ? (sum ?? more) : addRanges(sum, more)
}

/** "Only through an installation on the investment's company that grants it", and of nothing that is hidden from it. */
function referredTexts(world: MadeUpWorld, week: number, meddling: Meddling): string[] {
  return creditedBy(world, week)
    .filter((one) => one.week + one.late === week && (meddling.tellsHidden || one.hiddenFrom > week))
    .filter((one) => showsRows(world, { code: one.code, now: week }, one.company))
    .map((one) => referredText(one, week, meddling))
    .toSorted()
}

function referredText(one: Investment, week: number, meddling: Meddling): string {
  const { investment: id, investor, company, app, status, code, time } = asOf(one, week)
  const invested = {
    ...{ id, investor, company, status, amount_cents: 0 as Cents },
    applied_at: '2026-01-01T00:00:00Z' as WorldTime,
  }
  const credit = { invested, code: { id: code, app }, clickedAt: invested.applied_at, timeToInvest: time }
  const tokens = opaqueTokens(keyOf(one, meddling), { investment: id, investor })
  return JSON.stringify(referredEvent(credit, { tokens, occurredAt: invested.applied_at }).data)
}

/** With what has become of everybody by that week as if they had always been so. */
function asOfWeek(world: MadeUpWorld, week: number): MadeUpWorld {
  const ended = (one: Investment): Investment => {
    const { status, tier } = asOf(one, week)
    return { ...one, becomes: { status, tier, week: 0 } }
  }
  return { ...world, investments: world.investments.map(ended) }
}

type Announcing = { readonly world: MadeUpWorld; readonly meddling: Meddling; readonly monday: Monday }

function isAnnounced({ world, meddling, monday }: Announcing, app: number, week: number): boolean {
  const codes = CODE_NUMBERS.filter((code) => appOf(code) === app)
  if (meddling.announcesNews) return monday.cohorts.some(({ code, rows }) => codes.includes(code) && rows.length > 0)
  return codes.some((code) => !world.paused[code]?.includes(week))
}
