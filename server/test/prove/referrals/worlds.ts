import fc from 'fast-check'
import { INVESTMENT_STATES, type InvestmentState } from '#market/investments/index.ts'
import { AMOUNT_TIERS, type AmountTier, TIMES_TO_INVEST, type TimeToInvest } from '#referrals/credit/tiers.ts'

/** The values of k are small, so that groups of more and of fewer people are frequent. */
export const K = 3
export const WEEKS = 5
/** A week has two moments: changes and credits happen early or late in it. */
export const MOMENTS = 2 * WEEKS
const NEVER = WEEKS + 100
const APPS = 2
const CODES = 4
const COMPANIES = 3

/** The state of an investment from the beginning of this week on. */
type Becomes = { readonly status: InvestmentState; readonly tier: AmountTier; readonly week: number }

/** An investment that is credited to a code, and its later changes. */
export type Investment = {
  readonly id: string
  readonly person: string
  readonly code: number
  readonly company: number
  readonly week: number
  /** 0 is early in the week, 1 is late. */
  readonly half: number
  /** The number of weeks until the investment was reported. */
  readonly late: number
  readonly tier: AmountTier
  readonly time: TimeToInvest
  /** Its state before the first change. */
  readonly first: 'active' | 'reserved'
  readonly becomes: Becomes
  /** The week from which the investment is hidden from the company. */
  readonly hiddenFrom: number
}

/** The moments between which an app may see a company's rows. */
export type RowsShown = { readonly from: number; readonly until: number }

export type MadeUpWorld = {
  readonly investments: readonly Investment[]
  /** The weeks in which a code is paused, so that no investment is credited to it. */
  readonly paused: readonly (readonly number[])[]
  /** For each app and company: the times in which the app sees rows, in order. */
  readonly rows: readonly (readonly (readonly RowsShown[])[])[]
}

/** Returns the app of a code. The codes belong to the apps in turn. */
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
    half: fc.nat(1),
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

const AT_FIRST = { code: 0, company: 0, week: 0, half: 0, late: 0 }

/**
 * Generates all people except the target: many at one code and company in the first week, some of whom return, and
 * people who invest later.
 */
const others = fc
  .tuple(
    fc.array(investmentOf(somebody), { maxLength: 12 }),
    fc.array(investmentOf(somebody), { minLength: K - 1, maxLength: 3 * K }),
    fc.array(fc.record({ again: fc.nat(3 * K), as: investmentOf(somebody) }), { maxLength: 3 }),
  )
  .map(([scattered, many, more]) => {
    const crowd = many.map((one) => ({ ...one, ...AT_FIRST }))
    const again = more.flatMap(({ again: at, as }) => {
      const before = crowd[at]
      return before === undefined ? [] : [{ ...as, person: before.person, company: 0, hiddenFrom: NEVER }]
    })
    return [...scattered, ...crowd, ...again]
  })
  .map(named('other'))

const shown: fc.Arbitrary<readonly RowsShown[]> = fc.constantFrom(
  [],
  [],
  [{ from: 3, until: NEVER }],
  [{ from: 0, until: 3 }],
  [{ from: 1, until: 4 }],
  [
    { from: 0, until: 2 },
    { from: 5, until: 6 },
  ],
)
const ofEach = <T>(count: number, of: fc.Arbitrary<T>) => fc.array(of, { minLength: count, maxLength: count })

const around = fc.record({
  paused: ofEach(CODES, fc.array(week, { maxLength: 2 })),
  rows: ofEach(APPS, ofEach(COMPANIES, shown)),
})

/** Generates a random world. */
export const aWorld: fc.Arbitrary<MadeUpWorld> = fc
  .tuple(others, around)
  .map(([investments, rest]) => ({ investments, ...rest }))

/** Returns the same world, except that both apps may see all rows at all times. */
export const withRowsEverywhere = (world: MadeUpWorld): MadeUpWorld => ({
  ...world,
  rows: world.rows.map((ofApp) => ofApp.map(() => [{ from: 0, until: NEVER }])),
})

const TARGET = 'the target'
const theTarget = investmentOf(fc.constant(TARGET))
export const ofTarget = fc.array(theTarget, { maxLength: 4 }).map(named('target'))

/** Returns the moment in which the investment is reported and credited. */
export const creditedAt = ({ week: made, late, half }: Investment): number => 2 * (made + late) + half

/** The target's actions in each of the two worlds. */
type Doings = readonly [readonly Investment[], readonly Investment[]]
type Scene = { readonly world: MadeUpWorld; readonly target: Doings }
export type Twins = readonly [one: MadeUpWorld, other: MadeUpWorld]

const SHOWN = { late: 0, hiddenFrom: NEVER }

/** The target does entirely different things in the two worlds. */
const otherwise: fc.Arbitrary<Scene> = fc.record({ world: aWorld, target: fc.tuple(ofTarget, ofTarget) })

/**
 * The target is one person of the crowd. Both worlds begin with the same actions, and only the later changes differ.
 */
const inCrowd: fc.Arbitrary<Scene> = fc
  .tuple(aWorld, theTarget, becomes, becomes)
  .map(([world, one, ...fates]): Scene => {
    const [first, second] = fates.map((fate) => [{ ...one, ...AT_FIRST, ...SHOWN, id: 'target', becomes: fate }])
    return { world: { ...world, paused: [] }, target: [first ?? [], second ?? []] }
  })

/** The target invests several times at one code and company in one world, and not at all in the other. */
const several: fc.Arbitrary<Scene> = fc.tuple(aWorld, theTarget).map(([world, one]): Scene => {
  const often = Array.from({ length: K }, (_, at) => ({ ...one, ...SHOWN, id: `target ${at}` }))
  return { world: { ...world, paused: [] }, target: [often, []] }
})

/** Ways in which one range could include both people whom an app has seen as rows and a person whom it has not seen. */
const BESIDE = ['who waited', 'who came again', 'who came again by another code', 'of the same week'] as const
const ROWS_UNTIL = 3

/**
 * An app has seen rows of all but one person of a group of k, and has lost the right to see rows. Then, in one world
 * only, the target is credited at the same company. No other person is credited to the app's codes at that company.
 */
const afterRows: fc.Arbitrary<Scene> = fc
  .tuple(aWorld, theTarget, fc.constantFrom(...BESIDE), fc.array(theTarget, { minLength: K - 1, maxLength: K - 1 }))
  .map(([world, one, beside, those]): Scene => {
    const elsewhere = world.investments.filter(({ code, company }) => appOf(code) !== 0 || company !== 0)
    const inSameWeek = beside === 'of the same week'
    const known = those.map((first, at) => {
      const came = { ...first, ...AT_FIRST, ...SHOWN, person: `known ${at}`, id: `known ${at}` }
      return inSameWeek ? { ...came, week: 1 } : came
    })
    const code = beside === 'who came again by another code' ? APPS : 0
    const met = { ...SHOWN, ...(inSameWeek ? { week: 1, half: 1 } : { week: 3, half: 0 }), code, company: 0 }
    const again = beside.startsWith('who came again') ? known : []
    const investments = [...elsewhere, ...known, ...again.map((who) => ({ ...who, ...met, id: `${who.id} again` }))]
    const rows = world.rows.map((ofApp, app) =>
      ofApp.map((now, at) => (app === 0 && at === 0 ? [{ from: 0, until: ROWS_UNTIL }] : now)),
    )
    return { world: { investments, rows, paused: [] }, target: [[{ ...one, ...met, id: 'target' }], []] }
  })

/**
 * Returns both worlds. From the target's first investment at a company on, the app of the credited code cannot see the
 * company's rows. Before that moment, the app may have seen them.
 */
function twinsOf({ world: { investments, rows, ...rest }, target }: Scene): Twins {
  const without = rows.map((ofApp, app) =>
    ofApp.map((intervals, company) => {
      const theirs = target.flat().filter((one) => appOf(one.code) === app && one.company === company)
      const first = Math.min(NEVER, ...theirs.map(creditedAt))
      const before = intervals.filter(({ from }) => from < first)
      return before.map(({ from, until }) => ({ from, until: Math.min(until, first) }))
    }),
  )
  const worldWith = (doings: readonly Investment[]) => ({
    ...rest,
    rows: without,
    investments: [...investments, ...doings],
  })
  return [worldWith(target[0]), worldWith(target[1])]
}

/** Generates two worlds that differ only in the actions of one person. */
export const neighbours: fc.Arbitrary<Twins> = fc.oneof(otherwise, inCrowd, several, afterRows, afterRows).map(twinsOf)
