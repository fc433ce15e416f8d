import type { Occasion } from '#modules/events/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { holdInvestment } from './hold.ts'
import type { Which } from './investment.ts'
import { moveInvestment } from './investment-states.ts'
import { performMove } from './perform-move.ts'

/** "Contracts fully executed and funds released to company." */
export async function executeInvestment(tx: Tx, { id }: Which, occasion: Occasion): Promise<void> {
  const before = await holdInvestment(tx, id)
  await performMove(tx, { before, move: moveInvestment(before.status, 'execute') }, occasion)
}
