import type { Id } from '#kernel/ids.ts'
import type { Occasion } from '#modules/events/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { holdInvestment } from './hold.ts'
import type { Which } from './investment.ts'
import { moveInvestment } from './investment-states.ts'
import { performMove } from './perform-move.ts'
import { lockSuccessor } from './successor.ts'

/** `to` is null while nobody can say what it became; resolveConversion says it later. */
export async function convertInvestment(
  tx: Tx,
  { id, to }: Which & { readonly to: Id<'investment'> | null },
  occasion: Occasion,
): Promise<void> {
  if (to !== null) await lockSuccessor(tx, { id, to })
  const before = await holdInvestment(tx, id)
  await performMove(tx, { before, move: moveInvestment(before.status, 'convert'), successor: to }, occasion)
}
