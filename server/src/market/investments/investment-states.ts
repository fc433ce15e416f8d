import type { EventNameOf } from '#events/index.ts'
import type { Cents } from '#kernel/money.ts'
import { type StateMachine, type Transition, transition } from '#kernel/state-machine.ts'

/**
 * from                  move                   to                   investment.…    also
 * (none)                create                 active, or reserved  created
 * canceled              reinstate              active, or reserved, reinstated      canceled_at cleared, the amount as
 *                                              as it was                            before; within the grace period only
 * active, reserved      cancel                 canceled             canceled        canceled_at set
 * active, reserved      change_amount_to_zero  canceled             canceled        canceled_at set, committed null
 * active, reserved      convert                converted            converted       converted_to set, null if unresolved
 * active, reserved,     change_amount          unchanged            amount_changed  previous_amounts.committed set
 *   executed
 * active                execute                executed             executed
 *
 * "A conversion never emits investment.canceled." The successor is a separate investment that begins with create. A
 * move to another offering is a creation and a conversion in one transaction (move-to-offering.ts). An edit of the
 * amount to zero is a separate move, because an executed investment can change its amount, but not to zero. A converted
 * investment never changes its state again, and an executed investment is never canceled.
 */
export const INVESTMENT_STATES = ['active', 'reserved', 'executed', 'canceled', 'converted'] as const
export type InvestmentState = (typeof INVESTMENT_STATES)[number]

export type InvestmentMove =
  | 'create'
  | 'reinstate'
  | 'cancel'
  | 'change_amount_to_zero'
  | 'convert'
  | 'change_amount'
  | 'execute'

export type InvestmentAlso =
  | 'set_canceled_at'
  | 'clear_canceled_at'
  | 'null_committed'
  | 'restore_committed'
  | 'set_converted_to'
  | 'set_previous_committed'

type Event = EventNameOf<'investment'>

const cancel = { to: 'canceled', events: ['investment.canceled'], also: ['set_canceled_at'] } as const
const zero = { to: 'canceled', events: ['investment.canceled'], also: ['set_canceled_at', 'null_committed'] } as const
const convert = { to: 'converted', events: ['investment.converted'], also: ['set_converted_to'] } as const
const reinstated = { events: ['investment.reinstated'], also: ['clear_canceled_at', 'restore_committed'] } as const
const amountChanged = { events: ['investment.amount_changed'], also: ['set_previous_committed'] } as const

export const INVESTMENT_MACHINE: StateMachine<InvestmentState, InvestmentMove, Event, InvestmentAlso> = {
  noun: 'investment',
  table: {
    none: {
      create: [
        { to: 'active', events: ['investment.created'] },
        { to: 'reserved', events: ['investment.created'] },
      ],
    },
    active: {
      cancel,
      change_amount_to_zero: zero,
      convert,
      change_amount: { to: 'active', ...amountChanged },
      execute: { to: 'executed', events: ['investment.executed'] },
    },
    reserved: {
      cancel,
      change_amount_to_zero: zero,
      convert,
      change_amount: { to: 'reserved', ...amountChanged },
    },
    executed: { change_amount: { to: 'executed', ...amountChanged } },
    canceled: {
      reinstate: [
        { to: 'active', ...reinstated },
        { to: 'reserved', ...reinstated },
      ],
    },
    converted: {},
  },
}

export type InvestmentTransition = Transition<InvestmentState, InvestmentMove, Event, InvestmentAlso>

/** "An offering with testing_the_waters true collects non-binding reservations, not investments." */
export function createInvestment(offering: { readonly testingTheWaters: boolean }): InvestmentTransition {
  const into = offering.testingTheWaters ? 'reserved' : 'active'
  return transition(INVESTMENT_MACHINE, { from: 'none', move: 'create', into })
}

/** The transition of any move except `create` and `reinstate`, whose results depend on more than the state. */
export function moveInvestment(
  from: InvestmentState,
  move: Exclude<InvestmentMove, 'create' | 'reinstate'>,
): InvestmentTransition {
  return transition(INVESTMENT_MACHINE, { from, move })
}

/** "Canceled, including by editing the amount to zero." */
export function amountMove(amount: Cents): 'change_amount' | 'change_amount_to_zero' {
  return amount === 0 ? 'change_amount_to_zero' : 'change_amount'
}
