import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { lockUser } from './lock-user.ts'
import { eraseUser } from './store.ts'
import type { Moment } from './user.ts'

/**
 * Takes the person out of the user's row; the row stays, because investments point to it. What other modules keep of
 * the person (records, events, memberships, sessions) they erase themselves, in the same transaction; see docs/model.md.
 * False when it was done before: asking twice to be forgotten is no mistake.
 */
export async function deactivateUser(tx: Tx, id: Id<'user'>, { occurredAt }: Moment): Promise<boolean> {
  const { deactivated } = await lockUser(tx, 'id', id)
  if (!deactivated) await eraseUser(tx, id, occurredAt)
  return !deactivated
}
