import { INVESTMENT_STATES, type InvestmentState } from '#market/investments/index.ts'
import { AMOUNT_TIERS, type AmountTier, TIMES_TO_INVEST, type TimeToInvest } from '../credit/tiers.ts'

export type Range = { readonly min: number; readonly max: number | null }

/**
 * Where ranges begin, in multiples of k: with k = 5 at 5, 10, 20, 50, 100, … They are the same for all readers and do not
 * depend on the counted number. All beginnings are multiples of k, so that no sum or difference of ranges narrows to a single
 * number; this needs a k of at least 4.
 */
const BEGINNINGS = [1, 2, 4, 10, 20, 40, 100, 200, 400, 1_000, 2_000]

/** "In ranges and not exact numbers." The range that contains this number of people; the first range begins at `k`. */
export function rangeOf(people: number, k: number): Range {
  const beginnings = BEGINNINGS.map((times) => times * k)
  const above = beginnings.find((at) => at > people)
  const min = beginnings.findLast((at) => at <= people)
  if (min === undefined) throw new RangeError(`${people} of at least ${k} people are in no range`)
  return { min, max: above === undefined ? null : above - 1 }
}

/** The sum of two groups, computed from their published ranges only. */
export function addRanges(a: Range, b: Range): Range {
  return { min: a.min + b.min, max: a.max === null || b.max === null ? null : a.max + b.max }
}

/** The fields of a credited investment that ranges are computed from. */
export type Entry = {
  readonly investor: string
  readonly status: InvestmentState
  readonly tier: AmountTier
  readonly time: TimeToInvest
}

type InRanges<C extends string> = Readonly<Record<C, Range | null>>

export type GroupRanges = {
  readonly investors: Range
  readonly by_status: InRanges<InvestmentState>
  readonly by_amount_tier: InRanges<AmountTier>
  readonly by_time_to_invest: InRanges<TimeToInvest>
}

/**
 * The order in which categories are withheld to protect other categories. It does not change the order of published
 * categories.
 */
export const STATUSES: readonly InvestmentState[] = ['reserved', 'converted', 'active', 'canceled', 'executed']
export const TIERS: readonly AmountTier[] = ['medium', 'small', 'large']
const TIMES: readonly TimeToInvest[] = ['assisted', 'delayed', 'direct']

type Dimension<C extends string> = {
  readonly categories: readonly C[]
  readonly withheldFirst: readonly C[]
  readonly of: (entry: Entry) => C
}
const STATUS: Dimension<InvestmentState> = {
  ...{ categories: INVESTMENT_STATES, withheldFirst: STATUSES },
  of: ({ status }) => status,
}
const TIER: Dimension<AmountTier> = { categories: AMOUNT_TIERS, withheldFirst: TIERS, of: ({ tier }) => tier }
const TIME: Dimension<TimeToInvest> = { categories: TIMES_TO_INVEST, withheldFirst: TIMES, of: ({ time }) => time }

/**
 * The ranges of a group of investments, for a reader who may not identify any person in it: how many people there are, and how
 * many in each category. Null if the group is too small: then not even its existence is published.
 */
export function groupRanges(entries: readonly Entry[], k: number, guards: Guards): GroupRanges | null {
  const investors = new Set(entries.map(({ investor }) => investor))
  if (!guards.enough(investors, k)) return null
  const inRanges = <C extends string>({ categories, withheldFirst, of }: Dimension<C>): InRanges<C> => {
    const people = peopleIn(entries, withheldFirst, of)
    const withheld = guards.withheld(people, k)
    const shown = categories.map((category): [C, Range | null] => {
      const size = people.get(category)?.size ?? 0
      return [category, withheld.has(category) ? null : guards.range(size, k)]
    })
    return Object.fromEntries(shown) as InRanges<C>
  }
  return {
    investors: guards.range(investors.size, k),
    by_status: inRanges(STATUS),
    by_amount_tier: inRanges(TIER),
    by_time_to_invest: inRanges(TIME),
  }
}

/** The rules that protect the people behind the numbers. The attack in the tests removes them one by one. */
export type Guards = {
  enough(people: ReadonlySet<string>, k: number): boolean
  withheld<C extends string>(people: PeopleIn<C>, k: number): ReadonlySet<C>
  range(people: number, k: number): Range
}

export const GUARDS: Guards = { enough: enoughPeople, withheld: withheldCategories, range: rangeOf }

/**
 * "Aggregates below k people are suppressed." Counts people, not investments: a person who invests five times counts once.
 * Zero is below k and is suppressed in the same way: a published zero would reveal something about every person.
 */
export function enoughPeople(people: ReadonlySet<string>, k: number): boolean {
  return people.size >= k
}

/**
 * "Suppressed together with what would reveal them by subtraction." In one dimension, such as status, every small
 * category is withheld: a category with fewer than k people. If at least one category is small, an extra category is
 * withheld too: in the dimension's fixed order, the first category that is not small. A reader who subtracts the
 * published categories from the number of all people then gets a group of at least k people.
 *
 * The extra category is always withheld, even if the small categories together have k people. Otherwise a reader who
 * sees no extra category withheld would learn that the small categories together have k people, and that neither of
 * two small categories is empty. The order is fixed, because the choice must not depend on the numbers.
 */
export function withheldCategories<C extends string>(peopleIn: PeopleIn<C>, k: number): ReadonlySet<C> {
  const all = [...peopleIn.keys()]
  const few = all.filter((category) => (peopleIn.get(category)?.size ?? 0) < k)
  const next = all.find((category) => !few.includes(category))
  return new Set(few.length === 0 || next === undefined ? few : [...few, next])
}

/** The people in each category of a dimension, in the order in which categories are withheld to protect other categories. */
export type PeopleIn<C extends string> = ReadonlyMap<C, ReadonlySet<string>>

/** A person with two investments may be in two categories, and counts once in each. */
function peopleIn<C extends string, E extends { readonly investor: string }>(
  entries: readonly E[],
  categories: readonly C[],
  categoryOf: (entry: E) => C,
): PeopleIn<C> {
  const people = new Map<C, Set<string>>(categories.map((category) => [category, new Set()]))
  for (const entry of entries) people.get(categoryOf(entry))?.add(entry.investor)
  return people
}

/**
 * A credited investment with its current state. `published` is the state that the ranges last published; null if they
 * have not published the investment.
 */
export type Publishable = Entry & { readonly published: Pick<Entry, 'status' | 'tier'> | null }

type PublishableRanges = { readonly group: GroupRanges | null; readonly corrections: GroupRanges | null }

/**
 * The ranges of a week for one code and one company. Investments that no ranges have published yet are new; if a week has too
 * few people, they wait and are published together with those of a later week. Investments that changed since they were
 * published are corrections. The same rule applies to corrections, because a single cancellation would identify a person.
 */
export function publishableRanges(all: readonly Publishable[], k: number, guards: Guards = GUARDS): PublishableRanges {
  const unpublished = all.filter(({ published }) => published === null)
  const changed = all.filter(
    ({ published, status, tier }) => published !== null && (published.status !== status || published.tier !== tier),
  )
  return { group: groupRanges(unpublished, k, guards), corrections: groupRanges(changed, k, guards) }
}

/** Decides whether ranges include a credited investment. */
export type RangeExclusion = {
  /** Whether the investment is hidden from the company now. */
  readonly hidden: boolean
  /** Whether the app could see rows of the company when the investor was first credited to one of its codes there, or later. */
  readonly known: boolean
}

/**
 * "An attacker … learns nothing about one person": an investor whom an app sees or could see in a row does not
 * protect the other people of a group. So later ranges of that company for this app exclude the investor, even if
 * there are k other people: a reader who knows the investor could subtract that person, and the ranges would no longer
 * begin at multiples of k. Investments hidden from the company are excluded too: they have no row, so ranges together
 * with rows would reveal them.
 */
export function passedOver({ hidden, known }: RangeExclusion): boolean {
  return hidden || known
}
