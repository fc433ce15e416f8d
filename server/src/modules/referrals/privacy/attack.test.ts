import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Current } from '../weeks/current.ts'
import { type Entry, type GroupRanges, groupRanges } from './group-ranges.ts'
import { GUARDS, type Guards } from './guards.ts'
import { tellRanges } from './tell-ranges.ts'
import { aWorld, K, type MadeUpWorld, neighbours } from './testing/made-up-world.ts'
import { mondays } from './testing/mondays.ts'
import { type Meddling, observe } from './testing/observe.ts'
import { type Claim, subtract } from './testing/subtract.ts'

/**
 * The attack that decision 18 writes down. Two apps in league, with four codes and three companies, read all they can for
 * five weeks: stats, counts and events, on each Monday and between, with codes paused at will and rows where they may have
 * them. Each of the three attacks finds nothing, and finds something as soon as a guard is taken away.
 */
const RUNS = { numRuns: 150, seed: 20_260_115 }
/** How often a mutant may be tried until it is found. */
const HUNT = { numRuns: 300, seed: 20_260_115, endOnFailure: true }

const meddledGuards =
  (guards: Partial<Guards>): NonNullable<Meddling['tell']> =>
  (all, k) =>
    tellRanges(all, k, { ...GUARDS, ...guards })

/** A range for any number, for mutants that speak of fewer than k. */
const anyRange: Guards['range'] = (people, k) => (people < k ? { min: people, max: people } : GUARDS.range(people, k))

describe('One person’s doings, among fewer than k people, change nothing that anybody reads', () => {
  /** On each Monday, of each code and company: the people not told yet and those who changed, with what is true of them. */
  const truthsOf = (world: MadeUpWorld) =>
    mondays(world).flatMap(({ truths }) =>
      truths.map(({ entries }) => ({
        isSmall: new Set(entries.map(({ investor }) => investor)).size < K,
        told: JSON.stringify(entries),
      })),
    )

  /**
   * Whether all in which the two worlds differ was, on every Monday, of one among fewer than k people: newly credited at
   * that code and company, or changed since it was told. Of that nothing must be seen, whoever else there is.
   */
  const differAmongFew = (one: MadeUpWorld, other: MadeUpWorld) => {
    const others = truthsOf(other)
    return truthsOf(one).every(({ isSmall, told }, at) => told === others[at]?.told || (isSmall && others[at]?.isSmall))
  }

  const noDifference = (meddling: Meddling = {}) =>
    fc.property(neighbours, ([one, other]) => {
      fc.pre(differAmongFew(one, other))
      expect(observe(one, meddling).join('\n')).toBe(observe(other, meddling).join('\n'))
    })

  test('the attack finds no difference between two worlds that differ in one person', () => {
    fc.assert(noDifference(), RUNS)
  })

  const investmentsAsPeople = (all: readonly Current[]) =>
    all.map((one) => ({ ...one, investor: one.investment as never }))

  test.each<[string, Meddling]>([
    [
      'groups are told however few they are',
      { tell: meddledGuards({ enough: ({ size }) => size > 0, range: anyRange }) },
    ],
    [
      'investments are counted instead of people',
      { tell: (all, k) => back(all, tellRanges(investmentsAsPeople(all), k)) },
    ],
    ['corrections are told one by one', { tell: correctsAtOnce }],
    ['a released week is made anew for whoever reads it', { recomputes: true }],
    ['counts on a code are live', { liveCounts: true }],
    ['a company is listed though too few people are there', { listsEverybody: true }],
  ])('and finds one where %s', (_, meddling) => {
    expect(fc.check(noDifference(meddling), HUNT).failed).toBe(true)
  })

  function back(all: readonly Current[], { told, ...rest }: ReturnType<typeof tellRanges<Current>>) {
    const ids = new Set(told.map(({ investment }) => investment))
    return { ...rest, told: all.filter(({ investment }) => ids.has(investment)) }
  }

  function correctsAtOnce(all: readonly Current[], k: number): ReturnType<typeof tellRanges<Current>> {
    const { group, told } = tellRanges(all, k)
    const changed = all.filter(
      ({ told: was, status, tier }) => was !== null && (was.status !== status || was.tier !== tier),
    )
    const guards = { ...GUARDS, enough: ({ size }: ReadonlySet<string>) => size > 0, range: anyRange }
    const corrections = groupRanges(changed, k, guards)
    return { group, corrections, told: [...new Set([...told, ...(corrections === null ? [] : changed)])] }
  }
})

describe('No group of fewer than k people is found by subtraction', () => {
  const entry: fc.Arbitrary<Omit<Entry, 'investor'>> = fc.record({
    status: fc.constantFrom('active', 'executed', 'canceled', 'reserved', 'converted'),
    tier: fc.constantFrom('small', 'medium', 'large'),
    time: fc.constantFrom('direct', 'assisted', 'delayed'),
  })
  /** Each of them with one investment: that is what the attacker counts on. */
  const people = fc
    .tuple(
      fc.array(fc.tuple(entry, fc.integer({ min: 1, max: 14 })), { minLength: 1, maxLength: 6 }),
      fc.constantFrom(2, 3, 5),
    )
    .map(([kinds, k]) => {
      const entries = kinds.flatMap(([kind, count], at) =>
        Array.from({ length: count }, (_, nth): Entry => ({ ...kind, investor: `${at} ${nth}` })),
      )
      return { entries, k }
    })

  const categoryOf: Readonly<Record<Claim['dimension'], (entry: Entry) => string>> = {
    by_status: ({ status }) => status,
    by_amount_tier: ({ tier }) => tier,
    by_time_to_invest: ({ time }) => time,
  }
  /** Learnt: that there are some and yet fewer than k, or that there is nobody. */
  const reveals = (claim: Claim, entries: readonly Entry[], k: number) => {
    const { dimension, categories, atLeast, atMost } = claim
    const truly = entries.filter((one) => categories.includes(categoryOf[dimension](one))).length
    expect(truly).toBeGreaterThanOrEqual(atLeast)
    expect(truly).toBeLessThanOrEqual(atMost)
    return atMost === 0 || (atLeast > 0 && truly < k)
  }

  const nothingRevealed = (guards: Guards) =>
    fc.property(people, ({ entries, k }) => {
      const told: GroupRanges | null = groupRanges(entries, k, guards)
      const claims = told === null ? [] : subtract(told)
      expect(claims.filter((claim) => reveals(claim, entries, k))).toEqual([])
    })

  test('the attack finds none, and what it concludes is true', () => {
    fc.assert(nothingRevealed(GUARDS), { ...RUNS, numRuns: 2_000 })
  })

  const tooFew: Guards['withheld'] = (people, k) =>
    new Set([...people.keys()].filter((category) => (people.get(category)?.size ?? 0) < k))
  const tooFewButSome: Guards['withheld'] = (people, k) => {
    const nobody = new Set([...people.keys()].filter((category) => people.get(category)?.size === 0))
    return new Set([...GUARDS.withheld(people, k)].filter((category) => !nobody.has(category)))
  }

  test.each<[string, Partial<Guards>]>([
    ['only the small groups themselves are withheld', { withheld: tooFew }],
    ['that nobody is there is told', { withheld: tooFewButSome, range: anyRange }],
    ['nothing is withheld', { withheld: () => new Set(), range: anyRange }],
    [
      'exact numbers are told instead of ranges',
      { withheld: tooFew, range: (people) => ({ min: people, max: people }) },
    ],
  ])('and finds some where %s', (_, guards) => {
    expect(fc.check(nothingRevealed({ ...GUARDS, ...guards }), HUNT).failed).toBe(true)
  })
})

describe('The same investor cannot be linked across companies', () => {
  type Linkable = { readonly investor_token: string; readonly investment_token: string }
  type Week = { readonly companies: readonly { company: string; rows: Linkable[]; corrections: Linkable[] }[] }

  /** Each token that an app reads which may see rows everywhere, with the company it stands at. */
  const tokensIn = (world: MadeUpWorld, meddling: Meddling) => {
    const everywhere = { ...world, rowsFrom: world.rowsFrom.map((from) => from.map(() => 0)) }
    const answers = observe(everywhere, meddling).filter((text) => text.startsWith('['))
    const weeks = answers.flatMap((text): Week[] => JSON.parse(text.slice(0, text.lastIndexOf(']') + 1)))
    return weeks
      .flatMap(({ companies }) => companies)
      .flatMap(({ company, rows, corrections }) => [...rows, ...corrections].map((row) => ({ company, ...row })))
      .flatMap(({ company, investor_token, investment_token }) =>
        [investor_token, investment_token].map((token) => ({ token, company })),
      )
  }

  const noLink = (meddling: Meddling = {}) =>
    fc.property(aWorld, (world) => {
      const places = Map.groupBy(tokensIn(world, meddling), ({ token }) => token)
      const linked = [...places.values()].filter((all) => new Set(all.map(({ company }) => company)).size > 1)
      expect(linked).toEqual([])
    })

  test('the attack finds no token at two companies', () => {
    fc.assert(noLink(), RUNS)
  })

  test('and finds some where tokens are made under one key', () => {
    expect(fc.check(noLink({ oneKeyForAll: true }), HUNT).failed).toBe(true)
  })
})
