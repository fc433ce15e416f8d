import { validationError } from '#kernel/errors.ts'
import type { Cents } from '#kernel/money.ts'
import type { Occasion } from '#modules/events/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { refuseBrokenUnits } from './amount.ts'
import { holdInvestment } from './hold.ts'
import type { Which } from './investment.ts'
import { amountMove, moveInvestment } from './investment-states.ts'
import { performMove } from './perform-move.ts'

/** To zero it is a cancellation. To what it is already, nothing happened, and that cannot be a fact. */
export async function changeAmount(
  tx: Tx,
  { id, amount_cents }: Which & { readonly amount_cents: Cents },
  occasion: Occasion,
): Promise<void> {
  refuseBrokenUnits('amount_cents', amount_cents, 0)
  const before = await holdInvestment(tx, id)
  const move = moveInvestment(before.status, amountMove(amount_cents))
  if (amount_cents === before.amount_cents) {
    throw validationError([{ field: 'amount_cents', code: 'unchanged', message: 'is what it was before' }])
  }
  await performMove(tx, { before, move, amount: amount_cents }, occasion)
}
