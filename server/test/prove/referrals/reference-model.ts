import type { InvestmentState } from '#market/investments/index.ts'
import type { AmountTier } from '#referrals/credit/tiers.ts'
import {
  appOf,
  CODE_NUMBERS,
  COMPANY_NUMBERS,
  creditedAt,
  type Investment,
  type MadeUpWorld,
  MOMENTS,
  WEEKS,
} from './worlds.ts'

/**
 * A second implementation of decision 18, which shares no code with the product. It computes who is in a group on each
 * Monday from the people who were published before, and returns how many people a group has. The attack checks whether
 * the product showed the group.
 */

export type InvestmentFacts = { readonly status: InvestmentState; readonly tier: AmountTier }

/**
 * People of one code and company whom a Monday could publish: people not published yet, or published people whose facts
 * have changed.
 */
export type Group = {
  readonly week: number
  readonly code: number
  readonly company: number
  readonly kind: 'credited' | 'corrections'
  readonly k: number
  readonly people: ReadonlySet<string>
  /** All facts about these people. */
  readonly truth: string
}

export const isSmall = ({ people, k }: Group): boolean => people.size < k

/** "Paused codes credit nothing new." */
export function credited({ investments, paused }: MadeUpWorld): Investment[] {
  return investments.filter((one) => creditedAt(one) < MOMENTS && !paused[one.code]?.includes(one.week))
}

export function stateAt({ first, tier, becomes }: Investment, moment: number): InvestmentFacts {
  return Math.floor(moment / 2) >= becomes.week
    ? { status: becomes.status, tier: becomes.tier }
    : { status: first, tier }
}

export const isHidden = ({ hiddenFrom }: Investment, moment: number): boolean => Math.floor(moment / 2) >= hiddenFrom

export function seesRows({ rows }: MadeUpWorld, { code, company }: Place, moment: number): boolean {
  return (rows[appOf(code)]?.[company] ?? []).some(({ from, until }) => from <= moment && moment < until)
}

type Place = Pick<Investment, 'code' | 'company'>

/**
 * Returns the people who were credited to the app at the company before the app last lost the right to see rows there.
 * Credits of the moment of the loss count as later.
 */
export function knownAt(world: MadeUpWorld, { code, company }: Place, moment: number): ReadonlySet<string> {
  const ended = (world.rows[appOf(code)]?.[company] ?? []).map(({ until }) => until).filter((until) => until <= moment)
  const last = Math.max(-1, ...ended)
  const known = credited(world).filter(
    (one) => appOf(one.code) === appOf(code) && one.company === company && creditedAt(one) < last,
  )
  return new Set(known.map(({ person }) => person))
}

/**
 * Returns the people of a company whom an app has seen before this moment: by an event, or in a row of a week that was
 * already published.
 */
export function shownBefore(world: MadeUpWorld, place: Place, before: number): ReadonlySet<string> {
  const ofApp = credited(world).filter((one) => appOf(one.code) === appOf(place.code) && one.company === place.company)
  const shownIn = (one: Investment, moment: number) => {
    const isPublished = Math.floor(creditedAt(one) / 2) < Math.floor(moment / 2)
    return seesRows(world, one, moment) && !isHidden(one, moment) && (isPublished || creditedAt(one) === moment)
  }
  const moments = [...Array(before).keys()]
  return new Set(ofApp.filter((one) => moments.some((moment) => shownIn(one, moment))).map(({ person }) => person))
}

export const PLACES: readonly Place[] = CODE_NUMBERS.flatMap((code) =>
  COMPANY_NUMBERS.map((company) => ({ code, company })),
)

export function groupsOf(world: MadeUpWorld, ks: readonly number[]): Group[] {
  const published = new Map<string, InvestmentFacts>()
  return [...Array(WEEKS).keys()].flatMap((week) =>
    PLACES.flatMap((place) => groupsAt(world, { ...place, week, k: ks[week] ?? 0, published })),
  )
}

type Monday = Place & { readonly week: number; readonly k: number; readonly published: Map<string, InvestmentFacts> }

function groupsAt(world: MadeUpWorld, { week, k, published, ...place }: Monday): Group[] {
  const moment = 2 * week + 1
  const known = knownAt(world, place, moment)
  const counted = credited(world).filter(
    (one) =>
      one.code === place.code &&
      one.company === place.company &&
      creditedAt(one) <= moment &&
      !isHidden(one, moment) &&
      !known.has(one.person),
  )
  const isNew = ({ id }: Investment) => !published.has(id)
  const hasChanged = (one: Investment) => {
    const [was, now] = [published.get(one.id), stateAt(one, moment)]
    return was !== undefined && (was.status !== now.status || was.tier !== now.tier)
  }
  const groups = [
    { kind: 'credited' as const, of: counted.filter(isNew) },
    { kind: 'corrections' as const, of: counted.filter(hasChanged) },
  ]
  for (const { of } of groups) {
    if (new Set(of.map(({ person }) => person)).size < k) continue
    for (const one of of) published.set(one.id, stateAt(one, moment))
  }
  return groups.map(({ kind, of }) => ({
    ...{ ...place, week, k, kind, people: new Set(of.map(({ person }) => person)) },
    truth: JSON.stringify(of.map((one) => [one.id, one.person, one.time, stateAt(one, moment)])),
  }))
}
