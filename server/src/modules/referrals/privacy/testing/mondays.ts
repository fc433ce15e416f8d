import { createHash } from 'node:crypto'
import type { Id } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import type { TokenKey } from '../../tokens/opaque-tokens.ts'
import { type Cohort, cohortOf } from '../../weeks/cohort.ts'
import { type CohortRow, cohortRow } from '../../weeks/cohort-rows.ts'
import type { Current } from '../../weeks/current.ts'
import { type Tellable, type Telling, tellRanges } from '../tell-ranges.ts'
import { appOf, CODE_NUMBERS, COMPANY_NUMBERS, type Investment, K, type MadeUpWorld, WEEKS } from './made-up-world.ts'

/** What a mutant does otherwise when a week is released. */
export type Releasing = {
  readonly tell?: (all: readonly Tellable[], k: number) => Telling
  /** Who is one person. */
  readonly person?: (credited: Current) => string
  readonly oneKeyForAll?: true
  /** What is hidden is told like everything else. */
  readonly tellsHidden?: true
}

/** People of one code and company of whom a Monday could tell: those not told yet, or those who changed since. */
export type Truth = { readonly k: number; readonly entries: readonly Current[] }

export type PairCohort = Cohort & { readonly code: number; readonly company: number; readonly rows: CohortRow[] }
export type Monday = { readonly k: number; readonly cohorts: readonly PairCohort[]; readonly truths: readonly Truth[] }

export const weekName = (week: number) => `2026-W${String(week + 1).padStart(2, '0')}`
const PAIRS = CODE_NUMBERS.flatMap((code) => COMPANY_NUMBERS.map((company) => ({ code, company })))

type Memory = Map<string, Pick<Current, 'seen' | 'told'>>

/** What the product's own rules release of a world, week after week. */
export function mondays(world: MadeUpWorld, releasing: Releasing = {}): Monday[] {
  const memory: Memory = new Map()
  return [...Array(WEEKS).keys()].map((week) => {
    const k = world.ks[week] ?? K
    const known = creditedBy(world, week).map((one) => asOf(one, week, memory))
    const ofPairs = PAIRS.map(({ code, company }) => {
      const all = known.filter((one) => one.code === codeId(code) && one.company === companyId(company))
      return { code, company, all: all.filter(hasNews) }
    })
    const cohorts = ofPairs.map(({ code, company, all }) => {
      const people = all.map((one) => ({ ...one, investor: releasing.person?.(one) ?? one.investor }))
      const cohort = cohortOf(people, { k, since: '' }, releasing.tell ?? tellRanges)
      remember(memory, all, cohort)
      const key = keyOf({ code, company }, releasing)
      const sees = (one: Current) => (releasing.tellsHidden ? { ...one, hidden: false } : one)
      const rows = all.map((one) => cohortRow(sees(one), weekName(week), key)).filter((row) => row !== null)
      return { code, company, rows, ...cohort }
    })
    return { k, cohorts, truths: ofPairs.flatMap(({ all }) => truthsOf(all, k)) }
  })
}

/** "Paused codes credit nothing new." What comes late is there when we have heard of it. */
export function creditedBy({ investments, paused }: MadeUpWorld, week: number): Investment[] {
  return investments.filter((one) => one.week + one.late <= week && !paused[one.code]?.includes(one.week))
}

const codeId = (code: number) => `rc_${code}` as Id<'referralCode'>
const companyId = (company: number) => `co_${company}` as Id<'company'>

export function keyOf({ code, company }: Pick<Investment, 'code' | 'company'>, { oneKeyForAll }: Releasing): TokenKey {
  return createHash('sha256')
    .update(oneKeyForAll ? 'one' : `${appOf(code)} ${company}`)
    .digest()
}

export function asOf(one: Investment, week: number, memory: Memory = new Map()): Current {
  const now = week >= one.becomes.week ? one.becomes : { status: one.first, tier: one.tier }
  return {
    code: codeId(one.code),
    app: `app_${appOf(one.code)}` as Id<'app'>,
    company: companyId(one.company),
    investment: one.id as Id<'investment'>,
    investor: one.person as Id<'user'>,
    week: weekName(one.week),
    ...{ time: one.time, cents: 0 as Cents, status: now.status, tier: now.tier },
    hidden: week >= one.hiddenFrom,
    ...(memory.get(one.id) ?? { seen: null, told: null }),
  }
}

/** What the rows and the ranges have had, from now on. */
function remember(memory: Memory, all: readonly Current[], { tells }: Cohort): void {
  for (const { investment, status, tier, hidden, seen, told } of all) {
    const isTold = told === null ? tells.credited : tells.corrected
    memory.set(investment, { seen: hidden ? seen : { status, tier }, told: isTold ? { status, tier } : told })
  }
}

const isAnother = (said: Current['told'], { status, tier }: Current) => said?.status !== status || said.tier !== tier

function hasNews(one: Current): boolean {
  return isAnother(one.seen, one) || isAnother(one.told, one)
}

function truthsOf(all: readonly Current[], k: number): Truth[] {
  return [
    { k, entries: all.filter(({ told }) => told === null) },
    { k, entries: all.filter((one) => one.told !== null && isAnother(one.told, one)) },
  ]
}
