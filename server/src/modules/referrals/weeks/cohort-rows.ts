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

/** A row of a week. Rows are read in the order of their tokens: any other would tell when somebody invested. */
export type CohortRow = {
  readonly code: Id<'referralCode'>
  readonly company: Id<'company'>
  readonly investment: Id<'investment'>
  readonly corrected: boolean
  readonly row: AnonymizedRow
}

/**
 * The row of a credited investment in a week: new where it was credited in it, a correction where it is another than rows
 * of earlier weeks had it, or came too late for the week it belongs to. Null where the rows have had it as it is, and where
 * it is hidden from the company: "all data returned is bounded by what the installing party could see".
 */
export function cohortRow(credited: Current, week: string, key: TokenKey): CohortRow | null {
  const { code, company, investment, seen, status, tier, hidden } = credited
  if (hidden || (seen !== null && seen.status === status && seen.tier === tier)) return null
  const corrected = seen !== null || credited.week !== week
  return { code, company, investment, corrected, row: rowOf(credited, key) }
}

function rowOf({ investment, investor, week, tier, status, time }: Current, key: TokenKey): AnonymizedRow {
  return {
    ...opaqueTokens(key, { investment, investor }),
    ...{ week, amount_tier: tier, status, time_to_invest: time },
  }
}
