import type { Occasion } from '#modules/events/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { moveMembership } from './joining.ts'
import { type MovedMembership, performMove } from './perform-move.ts'
import { type PersonHere, standingOf } from './standing.ts'

/** "Never repeats for the same request; repeats only when a rejected investor applies again", under the same id. */
export async function applyForMembership(tx: Tx, input: PersonHere, occasion: Occasion): Promise<MovedMembership> {
  const standing = await standingOf(tx, input)
  return performMove(tx, { standing, step: moveMembership(standing.status, 'apply') }, occasion)
}
