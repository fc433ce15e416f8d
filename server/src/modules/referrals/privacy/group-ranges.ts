import type { InvestmentState } from '#modules/investments/index.ts'
import type { AmountTier } from '../credit/amount-tier.ts'
import type { TimeToInvest } from '../credit/time-to-invest.ts'
import type { Guards } from './guards.ts'
import { peopleIn } from './people-in.ts'
import type { Range } from './range.ts'

/** One credited investment as far as ranges are made of it. */
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

/** The categories of each dimension; where one has to be withheld for the sake of others, the first of them is. */
export const STATUSES: readonly InvestmentState[] = ['reserved', 'converted', 'active', 'canceled', 'executed']
export const TIERS: readonly AmountTier[] = ['medium', 'small', 'large']
export const TIMES: readonly TimeToInvest[] = ['assisted', 'delayed', 'direct']

/**
 * What is said of a group of investments to whoever may know of nobody in it: how many people they are of, and how many of
 * these in each category, all in ranges. Null where they are too few people: then not even that there is a group.
 */
export function groupRanges(entries: readonly Entry[], k: number, guards: Guards): GroupRanges | null {
  const investors = new Set(entries.map(({ investor }) => investor))
  if (!guards.enough(investors, k)) return null
  const inRanges = <C extends string>(categories: readonly C[], categoryOf: (entry: Entry) => C): InRanges<C> => {
    const people = peopleIn(entries, categories, categoryOf)
    const withheld = guards.withheld(people, k)
    const shown = categories.map((category): [C, Range | null] => {
      const size = people.get(category)?.size ?? 0
      return [category, withheld.has(category) ? null : guards.range(size, k)]
    })
    return Object.fromEntries(shown) as InRanges<C>
  }
  return {
    investors: guards.range(investors.size, k),
    by_status: inRanges(STATUSES, ({ status }) => status),
    by_amount_tier: inRanges(TIERS, ({ tier }) => tier),
    by_time_to_invest: inRanges(TIMES, ({ time }) => time),
  }
}
