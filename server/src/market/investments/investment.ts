import type { WorldTime } from '#kernel/clock.ts'
import { validationError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import type { InvestmentState, InvestmentTransition } from './investment-states.ts'

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
export type LockedInvestment = Lifecycle & {
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

const CENTS_PER_UNIT = 100

/** "Cents that are no multiple of 100 are refused, never rounded." */
export function rejectBrokenUnits(field: string, amount: Cents, min: number = CENTS_PER_UNIT): void {
  if (Number.isSafeInteger(amount) && amount >= min && amount % CENTS_PER_UNIT === 0) return
  const message = `must be a whole number of units: a multiple of ${CENTS_PER_UNIT}, at least ${min}`
  throw validationError([{ field, code: 'not_whole_units', message }])
}

/** What a move brings with it beside its name. */
export type Brought = {
  readonly at: WorldTime
  readonly amount?: Cents
  readonly successor?: Id<'investment'> | null
}

/** The investment after a move: the table's next state and what its row says must also be done. */
export function lifecycleAfter(before: Lifecycle, move: InvestmentTransition, brought: Brought): Lifecycle {
  const also = new Set(move.also)
  return {
    ...before,
    status: move.to,
    ...(also.has('set_canceled_at') ? { canceled_at: brought.at, status_before_cancel: returnable(move.from) } : {}),
    ...(also.has('null_committed') ? { amount_cents: null } : {}),
    ...(also.has('clear_canceled_at') ? { canceled_at: null, status_before_cancel: null } : {}),
    ...(also.has('restore_committed') ? { amount_cents: before.last_amount_cents } : {}),
    ...(also.has('set_converted_to') ? { converted_at: brought.at, converted_to: brought.successor ?? null } : {}),
    ...(also.has('set_previous_committed') ? changedAmount(brought.amount) : {}),
    // Contracts executed and funds released: such an investment was confirmed, whether or not a fact reported it.
    ...(move.move === 'execute' ? { executed_at: brought.at, confirmed_at: before.confirmed_at ?? brought.at } : {}),
  }
}

/** Whether it counts in the investor's totals: what was neither canceled nor converted remains. */
function remains(status: InvestmentState): boolean {
  return status === 'active' || status === 'reserved' || status === 'executed'
}

/** What a move does to the investor's totals. */
export function totalsDelta(before: Lifecycle, after: Lifecycle): { readonly count: number; readonly cents: number } {
  const count = Number(remains(after.status)) - Number(remains(before.status))
  return { count, cents: counted(after) - counted(before) }
}

function counted({ status, amount_cents }: Lifecycle): number {
  return remains(status) ? (amount_cents ?? 0) : 0
}

function changedAmount(amount: Cents | undefined): Partial<Lifecycle> {
  if (amount === undefined) throw new TypeError('an amount changes to an amount')
  return { amount_cents: amount, last_amount_cents: amount }
}

function returnable(from: InvestmentState | 'none'): 'active' | 'reserved' {
  if (from === 'active' || from === 'reserved') return from
  throw new TypeError(`what is ${from} cannot be canceled`)
}
