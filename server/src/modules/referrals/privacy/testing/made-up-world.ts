import fc from 'fast-check'
import { AMOUNT_TIERS, type AmountTier } from '../../credit/amount-tier.ts'
import { TIMES_TO_INVEST, type TimeToInvest } from '../../credit/time-to-invest.ts'

/** Small enough that groups above and below it come up all the time. */
export const K = 3
export const WEEKS = 5
export const NEVER = WEEKS + 100
const APPS = 2
const CODES = 4
const COMPANIES = 3

export type Status = 'active' | 'executed' | 'canceled'
const STATUSES: readonly Status[] = ['active', 'executed', 'canceled']

/** An investment credited to a code, and what became of it, Monday by Monday. */
export type Investment = {
  readonly person: string
  readonly code: number
  readonly company: number
  readonly week: number
  /** How many weeks later we heard of it. */
  readonly late: number
  readonly tier: AmountTier
  readonly time: TimeToInvest
  /** From the second of these weeks on it is what the first says; before that, active. */
  readonly becomes: readonly [Status, number]
}

export type MadeUpWorld = {
  readonly investments: readonly Investment[]
  /** The weeks in which a code is paused: nothing is credited to it. */
  readonly paused: readonly (readonly number[])[]
  /** From which week on an app may see a company's rows. */
  readonly rowsFrom: readonly (readonly number[])[]
}

/** Each app has every other code. */
export const appOf = (code: number): number => code % APPS
export const CODE_NUMBERS: readonly number[] = [...Array(CODES).keys()]
export const COMPANY_NUMBERS: readonly number[] = [...Array(COMPANIES).keys()]
export const APP_NUMBERS: readonly number[] = [...Array(APPS).keys()]

const week = fc.nat(WEEKS - 1)
const becomes = fc.tuple(fc.constantFrom(...STATUSES), week)

const investmentOf = (person: fc.Arbitrary<string>): fc.Arbitrary<Investment> =>
  fc.record({
    person,
    code: fc.nat(CODES - 1),
    company: fc.nat(COMPANIES - 1),
    week,
    late: fc.constantFrom(0, 0, 0, 1),
    tier: fc.constantFrom(...AMOUNT_TIERS),
    time: fc.constantFrom(...TIMES_TO_INVEST),
    becomes,
  })

const somebody = fc.nat(30).map((number) => `person ${number}`)

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

const around = fc.record({
  paused: fc.array(fc.array(week, { maxLength: 2 }), { minLength: CODES, maxLength: CODES }),
  rowsFrom: fc.array(
    fc.array(fc.constantFrom(NEVER, NEVER, NEVER, 1), { minLength: COMPANIES, maxLength: COMPANIES }),
    {
      minLength: APPS,
      maxLength: APPS,
    },
  ),
})

/** A world. */
export const aWorld: fc.Arbitrary<MadeUpWorld> = fc
  .tuple(others, around)
  .map(([investments, rest]) => ({ investments, ...rest }))

const TARGET = 'the target'
const ofTarget = fc.array(investmentOf(fc.constant(TARGET)), { maxLength: 4 })

/** Something else altogether. */
const otherwise = fc.tuple(ofTarget, ofTarget)

/** One of the crowd, of whom the same is true at first, and only what becomes of it differs. */
const inCrowd = fc.tuple(investmentOf(fc.constant(TARGET)), becomes, becomes).map(([one, first, second]) => {
  const told = { ...one, code: 0, company: 0, week: 0, late: 0 }
  return [[{ ...told, becomes: first }], [{ ...told, becomes: second }]] as const
})

/** Two worlds that differ in what one person did, and in nothing else. The apps have no rows where that person invested. */
export const neighbours: fc.Arbitrary<readonly [MadeUpWorld, MadeUpWorld]> = fc
  .tuple(aWorld, fc.oneof(otherwise, inCrowd))
  .map(([{ investments, paused, rowsFrom }, [one, other]]) => {
    const theirs = [...one, ...other].map(({ code, company }) => `${appOf(code)} ${company}`)
    const without = rowsFrom.map((from, app) =>
      from.map((week, company) => (theirs.includes(`${app} ${company}`) ? NEVER : week)),
    )
    const worldWith = (target: readonly Investment[]) => ({
      investments: [...investments, ...target],
      paused,
      rowsFrom: without,
    })
    return [worldWith(one), worldWith(other)]
  })
