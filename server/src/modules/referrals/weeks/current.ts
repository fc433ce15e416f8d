import { type AmountTier, amountTier } from '../credit/amount-tier.ts'
import type { Credited } from './credited-store.ts'

/** A credited investment with what its amount comes to. */
export type Current = Credited & { readonly tier: AmountTier }

export function currentOf(credited: Credited): Current {
  return { ...credited, tier: amountTier(credited.cents) }
}
