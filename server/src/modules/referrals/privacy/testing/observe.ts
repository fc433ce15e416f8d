import type { WorldTime } from '#kernel/clock.ts'
import { weekTexts } from '../../stats/render-stats.ts'
import type { WeekPart } from '../../stats/stats-store.ts'
import type { Cohort } from '../../weeks/cohort.ts'
import { addRanges, type Range } from '../range.ts'
import { APP_NUMBERS, appOf, CODE_NUMBERS, type Investment, K, type MadeUpWorld, NEVER } from './made-up-world.ts'
import { codeId, creditedBy, type Monday, mondays, type Releasing, weekName } from './mondays.ts'

/** What a mutant does otherwise when somebody reads. */
export type Meddling = Releasing & {
  /** Weeks that were released are made anew for whoever reads them. */
  readonly recomputes?: true
  readonly liveCounts?: true
  /** A company is listed though nothing may be told of it. */
  readonly listsEverybody?: true
}

type Reading = { readonly world: MadeUpWorld; readonly released: readonly Monday[]; readonly meddling: Meddling }

/**
 * All that the apps together learn: on each Monday and once more before the next, the stats and the counts of each of
 * their codes, and which of them heard that the week was published.
 */
export function observe(world: MadeUpWorld, meddling: Meddling = {}): string[] {
  const released = mondays(world, meddling)
  const lookAt = (now: number, weeks: number) => {
    const anew = meddling.recomputes ? mondays(asOfWeek(world, now), meddling) : released
    const reading = { world, meddling, released: anew.slice(0, weeks) }
    return CODE_NUMBERS.map((code) => `${statsText(reading, code, now)} ${countsText(reading, code, now)}`)
  }
  return released.flatMap((_, week) => [
    ...lookAt(week, week + 1),
    ...lookAt(week + 1, week + 1),
    ...APP_NUMBERS.map((app) => `announced to ${app}: ${isActive(world, app, week)}`),
  ])
}

function statsText({ world, released, meddling }: Reading, code: number, now: number): string {
  const from = world.rowsFrom[appOf(code)] ?? []
  const detailOf = (company: string) => (now >= (from[Number(company.slice(3))] ?? NEVER) ? 'anonymized' : 'ranges')
  const parts = released.flatMap(({ cohorts }, week) => partsOf(cohorts, { code, week, meddling }))
  return JSON.stringify(weekTexts(parts, { detailOf, fullPart: () => '' }).map(({ text }) => JSON.parse(text)))
}

type Listing = { readonly code: number; readonly week: number; readonly meddling: Meddling }

function partsOf(cohorts: readonly Cohort[], { code, week, meddling }: Listing): WeekPart[] {
  const about = { week: weekName(week), released_at: '' as WorldTime, people_min: K }
  const withheld = meddling.listsEverybody ? '"credited":null' : null
  const parts = cohorts
    .filter((cohort) => cohort.code === codeId(code))
    .map(({ company, ranges, rows }) => ({ ...about, company_id: company, ranges: ranges ?? withheld, rows }))
  return parts.length === 0 ? [{ ...about, company_id: null, ranges: null, rows: null }] : parts
}

function countsText({ world, released, meddling }: Reading, code: number, now: number): string {
  if (meddling.liveCounts) {
    const credited = creditedBy(world, now).filter((one) => one.code === code)
    return String(new Set(credited.map(({ person }) => person)).size)
  }
  const counted = released.flatMap(({ cohorts }) => cohorts.filter((cohort) => cohort.code === codeId(code)))
  return JSON.stringify(counted.reduce((sum: Range | null, cohort) => added(sum, cohort.counted), null))
}

function added(sum: Range | null, more: Range | null): Range | null {
  return sum === null || more === null ? (sum ?? more) : addRanges(sum, more)
}

/** With what has become of everybody by that week as if they had always been so. */
function asOfWeek(world: MadeUpWorld, week: number): MadeUpWorld {
  const asOf = ({ becomes: [status, from], ...one }: Investment): Investment => ({
    ...one,
    becomes: [week >= from ? status : 'active', 0],
  })
  return { ...world, investments: world.investments.map(asOf) }
}

function isActive({ paused }: MadeUpWorld, app: number, week: number): boolean {
  return CODE_NUMBERS.some((code) => appOf(code) === app && !paused[code]?.includes(week))
}
