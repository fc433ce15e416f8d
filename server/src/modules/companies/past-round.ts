import type { WorldTime } from '#kernel/clock.ts'
import type { FieldError } from '#kernel/errors.ts'
import type { Cents } from '#kernel/money.ts'
import type { PastRoundExemption } from './vocabulary.ts'

export const PAST_ROUNDS_MAX = 100

/** A round that did not run here, as its founder reports it. */
export type PastRound = {
  readonly exemption: PastRoundExemption
  readonly amount_raised_cents?: Cents | null
  readonly currency?: string | null
  readonly investor_count?: number | null
  readonly opened_at?: WorldTime | null
  readonly closed_at?: WorldTime | null
}

/** Money has a currency and a currency is of money; a round ends after it begins, and a past one has begun and ended. */
export function pastRoundErrors(round: PastRound, field: string, now: WorldTime): FieldError[] {
  const { amount_raised_cents = null, currency = null, opened_at = null, closed_at = null } = round
  const errors: FieldError[] = []
  const complain = (name: string, code: string, message: string) => {
    errors.push({ field: `${field}.${name}`, code, message })
  }
  if (amount_raised_cents !== null && currency === null) complain('currency', 'required', 'is required with an amount')
  if (amount_raised_cents === null && currency !== null) complain('currency', 'not_allowed', 'is of no amount')
  if (opened_at !== null && opened_at > now) complain('opened_at', 'in_the_future', 'is not past')
  if (closed_at !== null && closed_at > now) complain('closed_at', 'in_the_future', 'is not past')
  if (opened_at !== null && closed_at !== null && closed_at < opened_at) {
    complain('closed_at', 'too_early', 'is before opened_at')
  }
  return errors
}
