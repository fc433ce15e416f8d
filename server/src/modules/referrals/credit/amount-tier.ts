import { type Cents, wholeUnits } from '#kernel/money.ts'

export const AMOUNT_TIERS = ['small', 'medium', 'large'] as const
export type AmountTier = (typeof AMOUNT_TIERS)[number]

/** In whole units of the offering's currency, whichever it is. */
const MEDIUM_FROM = 1_000
const LARGE_FROM = 10_000

/** "amount_tier small, medium, large": never an amount. Below 1,000; below 10,000; from there up. */
export function amountTier(cents: Cents): AmountTier {
  const units = wholeUnits(cents)
  if (units < MEDIUM_FROM) return 'small'
  return units < LARGE_FROM ? 'medium' : 'large'
}
