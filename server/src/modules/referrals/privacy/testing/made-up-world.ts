import fc from 'fast-check'
import { INVESTMENT_STATES, type InvestmentState } from '#modules/investments/index.ts'
import { AMOUNT_TIERS, type AmountTier } from '../../credit/amount-tier.ts'
import { TIMES_TO_INVEST, type TimeToInvest } from '../../credit/time-to-invest.ts'

/** Small enough that groups above and below it come up all the time. */
export const K = 3
export const WEEKS = 5
const NEVER = WEEKS + 100
const APPS = 2
const CODES = 4
const COMPANIES = 3

/** What an investment is from this week on. */
type Becomes = { readonly status: InvestmentState; readonly tier: AmountTier; readonly week: number }

/** An investment credited to a code, and what became of it, Monday by Monday. */
export type Investment = {
  readonly id: string
  readonly person: string
  readonly code: number
  readonly company: number
  readonly week: number
  /** How many weeks later we heard of it. */
  readonly late: number
  readonly tier: AmountTier
  readonly time: TimeToInvest
  /** Before that it is active, or reserved. */
  readonly first: 'active' | 'reserved'
  readonly becomes: Becomes
  /** From when on it is hidden from the company. */
  readonly hiddenFrom: number
}

/** From which week on an app may see a company's rows, and from which on no longer. */
export type RowsShown = { readonly from: number; readonly until: number }

export type MadeUpWorld = {
  readonly investments: readonly Investment[]
  /** The weeks in which a code is paused: nothing is credited to it. */
  readonly paused: readonly (readonly number[])[]
  /** Of each app and company. */
  readonly rows: readonly (readonly RowsShown[])[]
  /** The k of each week. */
  readonly ks: readonly number[]
}

/** Each app has every other code. */
export const appOf = (code: number): number => code % APPS
export const CODE_NUMBERS: readonly number[] = [...Array(CODES).keys()]
export const COMPANY_NUMBERS: readonly number[] = [...Array(COMPANIES).keys()]
export const APP_NUMBERS: readonly number[] = [...Array(APPS).keys()]

const week = fc.nat(WEEKS - 1)
const tier = fc.constantFrom(...AMOUNT_TIERS)
const becomes: fc.Arbitrary<Becomes> = fc.record({ status: fc.constantFrom(...INVESTMENT_STATES), tier, week })

const investmentOf = (person: fc.Arbitrary<string>): fc.Arbitrary<Omit<Investment, 'id'>> =>
  fc.record({
    person,
    code: fc.nat(CODES - 1),
    company: fc.nat(COMPANIES - 1),
    week,
    late: fc.constantFrom(0, 0, 0, 1),
    tier,
    time: fc.constantFrom(...TIMES_TO_INVEST),
    first: fc.constantFrom('active', 'active', 'reserved'),
    becomes,
    hiddenFrom: fc.constantFrom(NEVER, NEVER, NEVER, 0, 2),
  })

const somebody = fc.nat(30).map((number) => `person ${number}`)
const named = (prefix: string) => (all: readonly Omit<Investment, 'id'>[]) =>
  all.map((one, at): Investment => ({ ...one, id: `${prefix} ${at}` }))

/** The others: a crowd at one code and company at the beginning, and whoever comes after. */
const others = fc
  .tuple(
    fc.array(investmentOf(somebody), { maxLength: 12 }),
    fc.array(investmentOf(somebody), { minLength: K, maxLength: 3 * K }),
  )
  .map(([scattered, crowd]) => [
    ...scattered,
    ...crowd.map((one) => ({ ...one, code: 0, company: 0, week: 0, late: 0 })),
  ])
  .map(named('other'))

const shown: fc.Arbitrary<RowsShown> = fc.constantFrom(
  { from: NEVER, until: NEVER },
  { from: NEVER, until: NEVER },
  { from: 1, until: NEVER },
  { from: 0, until: 2 },
)
const ofEach = <T>(count: number, of: fc.Arbitrary<T>) => fc.array(of, { minLength: count, maxLength: count })

const around = fc.record({
  paused: ofEach(CODES, fc.array(week, { maxLength: 2 })),
  rows: ofEach(APPS, ofEach(COMPANIES, shown)),
  ks: ofEach(WEEKS, fc.constantFrom(K, K, K, K + 1)),
})

/** A world. */
export const aWorld: fc.Arbitrary<MadeUpWorld> = fc
  .tuple(others, around)
  .map(([investments, rest]) => ({ investments, ...rest }))

/** In which both apps may see all rows at all times. */
export const withRowsEverywhere = (world: MadeUpWorld): MadeUpWorld => ({
  ...world,
  rows: world.rows.map((ofApp) => ofApp.map(() => ({ from: 0, until: NEVER }))),
})

const TARGET = 'the target'
export const ofTarget = fc.array(investmentOf(fc.constant(TARGET)), { maxLength: 4 }).map(named('target'))

/** Something else altogether. */
const otherwise = fc.tuple(ofTarget, ofTarget)

/** One of the crowd, of whom the same is true at first, and only what becomes of it differs. */
const inCrowd = fc.tuple(investmentOf(fc.constant(TARGET)), becomes, becomes).map(([one, first, second]) => {
  const told = { ...one, id: 'target', code: 0, company: 0, week: 0, late: 0 }
  return [[{ ...told, becomes: first }], [{ ...told, becomes: second }]] as const
})

/** Two worlds that differ in what one person did, and in nothing else. The apps have no rows where that person invested. */
export const neighbours: fc.Arbitrary<readonly [MadeUpWorld, MadeUpWorld]> = fc
  .tuple(aWorld, fc.oneof(otherwise, inCrowd))
  .map(([{ investments, rows, ...rest }, [one, other]]) => {
    const theirs = [...one, ...other].map(({ code, company }) => `${appOf(code)} ${company}`)
    const without = rows.map((ofApp, app) =>
      ofApp.map((now, company) => (theirs.includes(`${app} ${company}`) ? { from: NEVER, until: NEVER } : now)),
    )
    const worldWith = (target: readonly Investment[]) => ({
      ...rest,
      rows: without,
      investments: [...investments, ...target],
    })
    return [worldWith(one), worldWith(other)]
  })
