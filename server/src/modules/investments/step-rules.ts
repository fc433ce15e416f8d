import { UnknownReference } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { illegalTransition } from '#kernel/state-machine.ts'
import type { Tx } from '#system/postgres/database.ts'
import { INVESTMENT_MACHINE, type InvestmentMove, type InvestmentState } from './investment-states.ts'
import { findStatus } from './store.ts'

/**
 * What happens to an investment without moving it, and in which states it can. Only what cannot be is left out.
 * - Money: a reservation is not binding and takes none; what was converted is paid through its successor. A payment on
 *   its way when the investment was canceled still arrives, and is then refunded.
 * - Confirming: once, and before it is executed, which implies it.
 * - A conversion is resolved once, and only when there was one.
 * Checks, hiding and details are possible at any time: a result may come late.
 */
const POSSIBLE_IN = {
  expect_payment: ['active', 'executed', 'canceled'],
  receive_payment: ['active', 'executed', 'canceled'],
  fail_payment: ['active', 'executed', 'canceled'],
  refund_payment: ['active', 'executed', 'canceled'],
  confirm: ['active'],
  resolve_conversion: ['converted'],
} as const satisfies Readonly<Record<string, readonly InvestmentState[]>>

export type Step = keyof typeof POSSIBLE_IN

export function statesFor(step: Step): readonly InvestmentState[] {
  return POSSIBLE_IN[step]
}

const WHY: Partial<Record<Step, Partial<Record<InvestmentState, string>>>> = {
  confirm: { active: 'It is confirmed already.', executed: 'It is more than confirmed.' },
  resolve_conversion: { converted: 'Its successor is known already.' },
}
const WHY_NO_MONEY: Partial<Record<InvestmentState, string>> = {
  reserved: 'A reservation takes no money: it converts into an investment first.',
  converted: 'Its money is its successor’s.',
}

/** Called when a step found no row to change: says whether there is no such investment, or not in such a state. */
export async function refuseStep(tx: Tx, id: Id<'investment'>, step: Step): Promise<never> {
  const status = await findStatus(tx, id)
  if (status === null) throw new UnknownReference('id', id)
  const why = step.endsWith('_payment') ? WHY_NO_MONEY[status] : WHY[step]?.[status]
  throw illegalTransition<InvestmentState, InvestmentMove | Step>(INVESTMENT_MACHINE, { from: status, move: step }, why)
}
