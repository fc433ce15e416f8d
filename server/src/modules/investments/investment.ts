import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import type { InvestmentState } from './investment-states.ts'

/** What the moves of the state machine change; named as the columns. */
export type Lifecycle = {
  readonly status: InvestmentState
  /** Null only when canceled by an edit to zero; last_amount_cents keeps what reinstatement restores. */
  readonly amount_cents: Cents | null
  readonly last_amount_cents: Cents
  readonly confirmed_at: WorldTime | null
  readonly executed_at: WorldTime | null
  readonly canceled_at: WorldTime | null
  readonly status_before_cancel: 'active' | 'reserved' | null
  readonly converted_at: WorldTime | null
  readonly converted_to: Id<'investment'> | null
}

/** An investment that this transaction holds, with the raise whose totals it counts in. */
export type HeldInvestment = Lifecycle & {
  readonly id: Id<'investment'>
  readonly company: Id<'company'>
  readonly offering: Id<'offering'>
  readonly raise: Id<'raise'>
  readonly investor: Id<'user'>
  readonly currency: string
  readonly applied_at: WorldTime
}

export type Which = { readonly id: Id<'investment'> }

/** What is checked before an investment is final, and how far each check has come. */
export const CHECKS = ['identity', 'accreditation', 'signature', 'review'] as const
export type Check = (typeof CHECKS)[number]
export const CHECK_STATES = ['not_required', 'required', 'pending', 'passed', 'failed'] as const
export type CheckState = (typeof CHECK_STATES)[number]

export const PAYMENT_STATES = ['none', 'pending', 'received', 'failed', 'refunded'] as const
export type PaymentState = (typeof PAYMENT_STATES)[number]
