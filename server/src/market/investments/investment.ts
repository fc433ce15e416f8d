import type { WorldTime } from '#kernel/clock.ts'
import { validationError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import type { InvestmentState, InvestmentTransition } from './investment-states.ts'

/** The columns that the moves of the state machine change. */
export type Lifecycle = {
  readonly status: InvestmentState
  /** Null only if canceled by an edit to zero; a reinstatement restores last_amount_cents. */
  readonly amount_cents: Cents | null
  readonly last_amount_cents: Cents
  readonly confirmed_at: WorldTime | null
  readonly executed_at: WorldTime | null
  readonly canceled_at: WorldTime | null
  readonly status_before_cancel: 'active' | 'reserved' | null
  readonly converted_at: WorldTime | null
  readonly converted_to: Id<'investment'> | null
}

/** An investment that this transaction has locked, and the raise of its offering. */
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

/** The checks before an investment is final, and their states. */
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

/** The inputs of a move: its time, and the new amount or the successor if the move has one. */
export type MoveInputs = {
  readonly at: WorldTime
  readonly amount?: Cents
  readonly successor?: Id<'investment'> | null
}

/** The investment after a move: the next state, and the other changes that the table lists. */
export function lifecycleAfter(before: Lifecycle, move: InvestmentTransition, inputs: MoveInputs): Lifecycle {
  const also = new Set(move.also)
  return {
    ...before,
    status: move.to,
    ...(also.has('set_canceled_at')
      ? { canceled_at: inputs.at, status_before_cancel: reinstatableStatus(move.from) }
      : {}),
    ...(also.has('null_committed') ? { amount_cents: null } : {}),
    ...(also.has('clear_canceled_at') ? { canceled_at: null, status_before_cancel: null } : {}),
    ...(also.has('restore_committed') ? { amount_cents: before.last_amount_cents } : {}),
    ...(also.has('set_converted_to') ? { converted_at: inputs.at, converted_to: inputs.successor ?? null } : {}),
    ...(also.has('set_previous_committed') ? changedAmount(inputs.amount) : {}),
    // An executed investment counts as confirmed, even if no fact reported the confirmation.
    ...(move.move === 'execute' ? { executed_at: inputs.at, confirmed_at: before.confirmed_at ?? inputs.at } : {}),
  }
}

/** Whether an investment counts in the investor's totals: canceled and converted investments do not. */
function isCounted(status: InvestmentState): boolean {
  return status === 'active' || status === 'reserved' || status === 'executed'
}

/** The change of the investor's totals by a move. */
export function totalsDelta(before: Lifecycle, after: Lifecycle): { readonly count: number; readonly cents: number } {
  const count = Number(isCounted(after.status)) - Number(isCounted(before.status))
  return { count, cents: countedCents(after) - countedCents(before) }
}

function countedCents({ status, amount_cents }: Lifecycle): number {
  return isCounted(status) ? (amount_cents ?? 0) : 0
}

function changedAmount(amount: Cents | undefined): Partial<Lifecycle> {
  if (amount === undefined) throw new TypeError('a change of the amount lacks the new amount')
  return { amount_cents: amount, last_amount_cents: amount }
}

function reinstatableStatus(from: InvestmentState | 'none'): 'active' | 'reserved' {
  if (from === 'active' || from === 'reserved') return from
  throw new TypeError(`an investment that is ${from} cannot be canceled`)
}
