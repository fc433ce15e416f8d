import { illegalTransition } from '#kernel/state-machine.ts'
import type { Occasion } from '#modules/events/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { holdWithOffering } from './hold.ts'
import type { HeldInvestment, Which } from './investment.ts'
import { INVESTMENT_MACHINE } from './investment-states.ts'
import { performMove } from './perform-move.ts'
import { type Reinstatable, reinstateInvestment } from './reinstatement.ts'

/**
 * Within the grace period, in world time: from when it was canceled to when it was reinstated out there, however late
 * we hear of either. Nobody returns to a canceled offering, whose investments are refunded; one that is closing or
 * closed has stopped accepting new investments, and this is none.
 */
export async function reinstate(
  tx: Tx,
  { id, graceDays }: Which & { readonly graceDays: number },
  occasion: Occasion,
): Promise<void> {
  const before = await holdWithOffering(tx, id)
  const move = reinstateInvestment(reinstatable(before), { now: occasion.occurredAt, graceDays })
  if (before.offering_status === 'canceled') {
    throw illegalTransition(INVESTMENT_MACHINE, { from: before.status, move: 'reinstate' }, 'Its offering is canceled.')
  }
  await performMove(tx, { before, move }, occasion)
}

function reinstatable({ status, status_before_cancel: was, canceled_at }: HeldInvestment): Reinstatable {
  if (status !== 'canceled') return { status }
  if (was === null || canceled_at === null)
    throw new TypeError('a canceled investment knows what it was and since when')
  return { status, was, canceledAt: canceled_at }
}
