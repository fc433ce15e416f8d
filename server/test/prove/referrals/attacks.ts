import fc from 'fast-check'
import { play, type Wrong } from './play.ts'
import { groupsOf, isSmall } from './reference-model.ts'
import {
  aWorld,
  type Investment,
  K,
  type MadeUpWorld,
  neighbours,
  ofTarget,
  type Twins,
  withRowsEverywhere,
} from './worlds.ts'

/** Two worlds that an attack could tell apart, and what it learned in each. */
export type Finding = {
  readonly one: MadeUpWorld
  readonly other: MadeUpWorld
  readonly learnt: readonly [string, string]
}

/**
 * Attacks the unchanged product or a mutant with the batch of worlds of this number. Returns null if it finds nothing.
 */
export type Attack = (batch: number, wrong?: Wrong) => Promise<unknown>

const WORLDS = 10

/** The k of each week. */
export const ksOf = (batch: number): readonly number[] => (batch % 2 === 0 ? [K, K, K, K, K] : [K, K + 1, K, K, K + 1])

export const sample = <T>(of: fc.Arbitrary<T>, batch: number): T[] =>
  fc.sample(of, { numRuns: WORLDS, seed: 20_260_115 + batch })

/** Returns a Monday in the future, because the world's clock can only move forward. */
export function nextMonday(): string {
  const [day, week] = [86_400_000, 7 * 86_400_000]
  // 1 January 1970 was a Thursday.
  return new Date(Math.ceil((Date.now() - 4 * day) / week) * week + 4 * day + week).toISOString()
}

async function difference(twins: readonly Twins[], batch: number, wrong: Wrong): Promise<Finding | null> {
  const playing = { ks: ksOf(batch), monday: nextMonday(), wrong }
  const [ones, others] = await Promise.all([
    play(
      twins.map(([one]) => one),
      playing,
    ),
    play(
      twins.map(([, other]) => other),
      playing,
    ),
  ])
  for (const [at, [one, other]] of twins.entries()) {
    const [learnt, instead] = [ones[at]?.join('\n') ?? '', others[at]?.join('\n') ?? '']
    if (learnt !== instead) return { one, other, learnt: [learnt, instead] }
  }
  return null
}

/**
 * Whether the two worlds must look equal to every reader. They must if each group of people on each Monday is equal in
 * both worlds, or has fewer than k people in both. A group is the people newly credited at one code and company, or those
 * who changed since their publication.
 */
function differAmongFew([one, other]: Twins, ks: readonly number[]): boolean {
  const [groups, others] = [groupsOf(one, ks), groupsOf(other, ks)]
  return groups.every((group, at) => {
    const same = others[at]
    return same !== undefined && (group.truth === same.truth || (isSmall(group) && isSmall(same)))
  })
}

const areTwo = ([one, other]: Twins) => JSON.stringify(one) !== JSON.stringify(other)

/** Compares two worlds that differ in one person, who is always among fewer than k people. */
export const ofPeople: Attack = (batch, wrong = {}) => {
  const twins = neighbours.filter((pair) => areTwo(pair) && differAmongFew(pair, ksOf(batch)))
  return difference(sample(twins, batch), batch, wrong)
}

/** Compares two worlds that differ in the investments that are hidden from their company. */
export const ofHidden: Attack = (batch, wrong = {}) => {
  const twins = fc.tuple(aWorld, ofTarget, ofTarget).map(([world, ...targets]): Twins => {
    const withHidden = (target: readonly Investment[]) => {
      const hidden = target.map((investment) => ({ ...investment, hiddenFrom: 0 }))
      return { ...world, investments: [...world.investments, ...hidden] }
    }
    return [withHidden(targets[0]), withHidden(targets[1])]
  })
  return difference(sample(twins.filter(areTwo), batch), batch, wrong)
}

/** Compares two worlds in which the same people invested in another order. */
export const ofOrder: Attack = (batch, wrong = {}) => {
  const twins = aWorld.map((world): Twins => {
    const everywhere = withRowsEverywhere(world)
    return [everywhere, { ...everywhere, investments: everywhere.investments.toReversed() }]
  })
  return difference(sample(twins, batch), batch, wrong)
}

type Linkable = { readonly investor_token: string; readonly investment_token: string }
type Part = { readonly company: string; readonly rows: readonly Linkable[]; readonly corrections: readonly Linkable[] }
type Stats = { readonly data: readonly { readonly companies: readonly Part[] }[] }

/** Searches for tokens that appear at two companies, in rows or in events, of apps that see all rows. */
export const ofLinks: Attack = async (batch, wrong = {}) => {
  const worlds = sample(aWorld, batch).map(withRowsEverywhere)
  const learnt = await play(worlds, { ks: ksOf(batch), monday: nextMonday(), wrong })
  const places = Map.groupBy(learnt.flat().flatMap(tokensIn), ({ token }) => token)
  const linked = [...places.values()].filter((all) => new Set(all.map(({ company }) => company)).size > 1)
  return linked[0] ?? null
}

function tokensIn(text: string) {
  const stats = text.startsWith('{"data"') ? (JSON.parse(`${text}}}`) as Stats) : { data: [] }
  const inRows = stats.data.flatMap(({ companies }) =>
    companies.flatMap(({ company, rows, corrections }) =>
      [...rows, ...corrections].map((row) => ({ company, ...row })),
    ),
  )
  const events: (Linkable & { company: string })[] = text.startsWith('{"referral_code"') ? [JSON.parse(text)] : []
  return [...inRows, ...events].flatMap(({ company, investor_token, investment_token }) =>
    [investor_token, investment_token].map((token) => ({ token, company })),
  )
}
