import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { InvestmentState } from '#market/investments/index.ts'
import type { AmountTier } from '../credit/tiers.ts'

/** "ISO weeks, YYYY-Www", from Monday to Monday in UTC by the clock of the world. The names of weeks sort as text. */
export type Week = {
  readonly week: string
  readonly begins_at: WorldTime
  readonly ends_at: WorldTime
}

/** One code and one company: a week publishes per pair. */
export type Pair = {
  readonly code: Id<'referralCode'>
  readonly app: Id<'app'>
  readonly company: Id<'company'>
}

export function pairName({ code, company }: Pick<Pair, 'code' | 'company'>): string {
  return `${code} ${company}`
}

/** The state of an investment that rows or ranges last published. */
export type PublishedState = { readonly status: InvestmentState; readonly tier: AmountTier }
