import type { InvestmentState } from '#modules/investments/index.ts'
import type { AmountTier } from '../credit/amount-tier.ts'

/** What rows or ranges have said of an investment. */
export type Said = { readonly status: InvestmentState; readonly tier: AmountTier }
