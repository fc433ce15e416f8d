import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { groupRanges } from './group-ranges.ts'
import { GUARDS, type Guards } from './guards.ts'
import { type Tellable, type Telling, tellRanges } from './tell-ranges.ts'
import { aWorld, type MadeUpWorld, neighbours, ofTarget, withRowsEverywhere } from './testing/made-up-world.ts'
import { mondays } from './testing/mondays.ts'
import { type Meddling, observe, observeStats } from './testing/observe.ts'

/**
 * The attack that decision 18 writes down; what can be worked out from one answer is in preimages.test.ts. Two apps in
 * league, with four codes and three companies, read all they can for five weeks: stats, counts and events, on each Monday
 * and between, with codes paused at will, rows where and while they may have them, and k changed between weeks. Each
 * attack finds nothing, and finds something as soon as a guard is taken away.
 */
const RUNS = { numRuns: 150, seed: 20_260_115 }
/** How often a mutant may be tried until it is found. */
const HUNT = { numRuns: 400, seed: 20_260_115, endOnFailure: true }

const finds = <T>(property: fc.IProperty<T>) => fc.check(property, HUNT).failed

const meddledGuards =
  (guards: Partial<Guards>): NonNullable<Meddling['tell']> =>
  (all, k) =>
    tellRanges(all, k, { ...GUARDS, ...guards })

/** A range for any number, for mutants that speak of fewer than k. */
const anyRange: Guards['range'] = (people, k) => (people < k ? { min: people, max: people } : GUARDS.range(people, k))
const anybody: Partial<Guards> = { enough: ({ size }) => size > 0, range: anyRange }

describe('One person’s doings, among fewer than k people, change nothing that anybody reads', () => {
  /** On each Monday, of each code and company: the people not told yet and those who changed, with what is true of them. */
  const truthsOf = (world: MadeUpWorld) =>
    mondays(world).flatMap(({ truths }) =>
      truths.map(({ entries, k }) => ({
        isSmall: new Set(entries.map(({ investor }) => investor)).size < k,
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

  test.each<[string, Meddling]>([
    ['groups are told however few they are', { tell: meddledGuards(anybody) }],
    ['investments are counted instead of people', { person: ({ investment }) => investment }],
    ['corrections are told one by one', { tell: correctsAtOnce }],
    ['a released week is made anew for whoever reads it', { recomputes: true }],
    ['counts on a code are live', { liveCounts: true }],
    ['a company is listed though too few people are there', { listsEverybody: true }],
    ['a week is announced only where it tells of somebody', { announcesNews: true }],
  ])('and finds one where %s', (_, meddling) => {
    expect(finds(noDifference(meddling))).toBe(true)
  })

  function correctsAtOnce(all: readonly Tellable[], k: number): Telling {
    const changed = all.filter(
      ({ told: was, status, tier }) => was !== null && (was.status !== status || was.tier !== tier),
    )
    return { ...tellRanges(all, k), corrections: groupRanges(changed, k, { ...GUARDS, ...anybody }) }
  }
})

describe('Of an investment that is hidden from its company nothing is in the rows', () => {
  const noDifference = (meddling: Meddling = {}) =>
    fc.property(aWorld, ofTarget, ofTarget, (world, one, other) => {
      const [seen, seenOther] = [one, other].map((target) => {
        const hidden = target.map((investment) => ({ ...investment, hiddenFrom: 0 }))
        const whole = withRowsEverywhere({ ...world, investments: [...world.investments, ...hidden] })
        return observeStats(whole, meddling).join('\n')
      })
      expect(seen).toBe(seenOther)
    })

  test('the attack finds no difference between two worlds that differ in hidden investments', () => {
    fc.assert(noDifference(), RUNS)
  })

  test('and finds one where they have rows as all others', () => {
    expect(finds(noDifference({ tellsHidden: true }))).toBe(true)
  })
})

describe('Rows do not tell who came first', () => {
  const noDifference = (meddling: Meddling = {}) =>
    fc.property(aWorld, (world) => {
      const everywhere = withRowsEverywhere(world)
      const backwards = { ...everywhere, investments: everywhere.investments.toReversed() }
      expect(observe(everywhere, meddling).join('\n')).toBe(observe(backwards, meddling).join('\n'))
    })

  test('the attack finds no difference between two worlds in which people came in another order', () => {
    fc.assert(noDifference(), RUNS)
  })

  test('and finds one where rows stand as they were credited', () => {
    expect(finds(noDifference({ rowsAsTheyCame: true }))).toBe(true)
  })
})

describe('The same investor cannot be linked across companies', () => {
  type Linkable = { readonly investor_token: string; readonly investment_token: string }
  type Week = { readonly companies: readonly { company: string; rows: Linkable[]; corrections: Linkable[] }[] }

  /** Each token that an app reads which may see rows everywhere, with the company it stands at. */
  const tokensIn = (world: MadeUpWorld, meddling: Meddling) => {
    const texts = observe(withRowsEverywhere(world), meddling)
    const stats = texts.filter((text) => text.startsWith('[')).flatMap((text): Week[] => JSON.parse(text))
    const events = texts.filter((text) => text.startsWith('{"referral_code"')).map((text) => JSON.parse(text))
    const inRows = stats
      .flatMap(({ companies }) => companies)
      .flatMap(({ company, rows, corrections }) => [...rows, ...corrections].map((row) => ({ company, ...row })))
    return [...inRows, ...(events as (Linkable & { company: string })[])].flatMap(
      ({ company, investor_token, investment_token }) =>
        [investor_token, investment_token].map((token) => ({ token, company })),
    )
  }

  const noLink = (meddling: Meddling = {}) =>
    fc.property(aWorld, (world) => {
      const places = Map.groupBy(tokensIn(world, meddling), ({ token }) => token)
      const linked = [...places.values()].filter((all) => new Set(all.map(({ company }) => company)).size > 1)
      expect(linked).toEqual([])
    })

  test('the attack finds no token at two companies, in rows or in events', () => {
    fc.assert(noLink(), RUNS)
  })

  test('and finds some where tokens are made under one key', () => {
    expect(finds(noLink({ oneKeyForAll: true }))).toBe(true)
  })
})
