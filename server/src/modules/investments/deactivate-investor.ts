import { eraseFromEvents, type Forgotten, type Occasion } from '#modules/events/index.ts'
import { deactivateUser } from '#modules/people/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { eraseInvestor } from './store.ts'

/**
 * Takes the person out of the user, the investments and every event that names them; the investments themselves stay,
 * and so do their amounts. False when it was done before.
 *
 * The user's row is locked first, which stops new investments, then all they have, which waits for moves under way:
 * after that no event with their name can come into being.
 */
export async function deactivateInvestor(tx: Tx, person: Forgotten, occasion: Occasion): Promise<boolean> {
  const deactivated = await deactivateUser(tx, person.id, occasion)
  if (!deactivated) return false
  await eraseInvestor(tx, person.id)
  await eraseFromEvents(tx, person)
  return true
}
