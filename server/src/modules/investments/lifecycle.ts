import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import type { Lifecycle } from './investment.ts'
import type { InvestmentState, InvestmentTransition } from './investment-states.ts'

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
    // Contracts executed and funds released: whoever got so far was confirmed, whether or not we were told.
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
