import type { WorldTime } from '#kernel/clock.ts'
import { type Cents, wholeUnits } from '#kernel/money.ts'

export const AMOUNT_TIERS = ['small', 'medium', 'large'] as const
export type AmountTier = (typeof AMOUNT_TIERS)[number]

/** In whole units of the offering's currency. */
const MEDIUM_FROM = 1_000
const LARGE_FROM = 10_000

/** "amount_tier small, medium, large", never an amount: small below 1,000, medium below 10,000, large from 10,000 on. */
export function amountTier(cents: Cents): AmountTier {
  const units = wholeUnits(cents)
  if (units < MEDIUM_FROM) return 'small'
  return units < LARGE_FROM ? 'medium' : 'large'
}

export const TIMES_TO_INVEST = ['direct', 'assisted', 'delayed'] as const
export type TimeToInvest = (typeof TIMES_TO_INVEST)[number]

const HOUR_MS = 3_600_000
const DIRECT_HOURS = 1
const ASSISTED_HOURS = 24

/**
 * "time_to_invest direct, assisted, delayed." From the click to the investment: direct within an hour, assisted within
 * a day, delayed after that. Exactly an hour is direct, exactly a day is assisted. The times are compared in
 * milliseconds.
 */
export function timeToInvest(clickedAt: WorldTime, appliedAt: WorldTime): TimeToInvest {
  const hours = (Date.parse(appliedAt) - Date.parse(clickedAt)) / HOUR_MS
  if (hours <= DIRECT_HOURS) return 'direct'
  return hours <= ASSISTED_HOURS ? 'assisted' : 'delayed'
}
