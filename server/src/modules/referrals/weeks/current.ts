import { type AmountTier, amountTier } from '../credit/amount-tier.ts'
import type { Standing } from '../privacy/passed-over.ts'
import type { Credited } from './credited-store.ts'

/** A credited investment with what its amount comes to, and whether the ranges do without it. */
export type Current = Credited & { readonly tier: AmountTier; readonly passedOver: boolean }

export function currentOf(credited: Credited, passes: (standing: Standing) => boolean): Current {
  return { ...credited, tier: amountTier(credited.cents), passedOver: passes(credited) }
}
