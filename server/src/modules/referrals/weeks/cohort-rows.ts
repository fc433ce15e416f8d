import type { Id } from '#kernel/ids.ts'
import type { InvestmentState } from '#modules/investments/index.ts'
import type { AmountTier } from '../credit/amount-tier.ts'
import type { TimeToInvest } from '../credit/time-to-invest.ts'
import { type OpaqueTokens, opaqueTokens, type TokenKey } from '../tokens/opaque-tokens.ts'
import type { Current } from './current.ts'

/** "Opaque investment token, opaque investor token, week, amount_tier, status, time_to_invest." */
export type AnonymizedRow = OpaqueTokens & {
  readonly week: string
  readonly amount_tier: AmountTier
  readonly status: InvestmentState
  readonly time_to_invest: TimeToInvest
}

export type CohortRows = {
  readonly rows: readonly AnonymizedRow[]
  readonly corrections: readonly AnonymizedRow[]
  /** What they are of: first those of `rows`, then those of `corrections`. */
  readonly investments: readonly Id<'investment'>[]
}

/**
 * The rows of one code and one company in a week: what was credited in it, and as corrections what is another than rows of
 * earlier weeks had it, or came too late for the week it belongs to. In the order of their tokens, which nobody can know
 * beforehand: any other order would tell when somebody invested.
 */
export function cohortRows(all: readonly Current[], week: string, key: TokenKey): CohortRows {
  const made = all.map((credited) => ({ credited, row: rowOf(credited, key) })).sort(byToken)
  const fresh = made.filter(({ credited }) => credited.seen === null && credited.week === week)
  const late = made.filter(({ credited: { seen, week: own, status, tier } }) =>
    seen === null ? own !== week : seen.status !== status || seen.tier !== tier,
  )
  return {
    rows: fresh.map(({ row }) => row),
    corrections: late.map(({ row }) => row),
    investments: [...fresh, ...late].map(({ credited }) => credited.investment),
  }
}

function rowOf({ investment, investor, week, tier, status, time }: Current, key: TokenKey): AnonymizedRow {
  return {
    ...opaqueTokens(key, { investment, investor }),
    ...{ week, amount_tier: tier, status, time_to_invest: time },
  }
}

type Made = { readonly row: AnonymizedRow }

const byToken = ({ row: a }: Made, { row: b }: Made) => (a.investment_token < b.investment_token ? -1 : 1)
