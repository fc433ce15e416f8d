import { INVESTMENT_STATES, type InvestmentState } from '#modules/investments/index.ts'
import { AMOUNT_TIERS, type AmountTier } from '../credit/amount-tier.ts'
import { TIMES_TO_INVEST, type TimeToInvest } from '../credit/time-to-invest.ts'
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

/** Where a category has to be withheld for the sake of others, it is the first in this order. They are told in their own. */
export const STATUSES: readonly InvestmentState[] = ['reserved', 'converted', 'active', 'canceled', 'executed']
export const TIERS: readonly AmountTier[] = ['medium', 'small', 'large']
const TIMES: readonly TimeToInvest[] = ['assisted', 'delayed', 'direct']

type Dimension<C extends string> = {
  readonly told: readonly C[]
  readonly withheldFirst: readonly C[]
  readonly of: (entry: Entry) => C
}
const STATUS: Dimension<InvestmentState> = {
  ...{ told: INVESTMENT_STATES, withheldFirst: STATUSES },
  of: ({ status }) => status,
}
const TIER: Dimension<AmountTier> = { told: AMOUNT_TIERS, withheldFirst: TIERS, of: ({ tier }) => tier }
const TIME: Dimension<TimeToInvest> = { told: TIMES_TO_INVEST, withheldFirst: TIMES, of: ({ time }) => time }

/**
 * What is said of a group of investments to whoever may know of nobody in it: how many people they are of, and how many of
 * these in each category, all in ranges. Null where they are too few people: then not even that there is a group.
 */
export function groupRanges(entries: readonly Entry[], k: number, guards: Guards): GroupRanges | null {
  const investors = new Set(entries.map(({ investor }) => investor))
  if (!guards.enough(investors, k)) return null
  const inRanges = <C extends string>({ told, withheldFirst, of }: Dimension<C>): InRanges<C> => {
    const people = peopleIn(entries, withheldFirst, of)
    const withheld = guards.withheld(people, k)
    const shown = told.map((category): [C, Range | null] => {
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
