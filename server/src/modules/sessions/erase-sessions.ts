import type { Id } from '#kernel/ids.ts'
import { lockUser } from '#modules/people/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { lockJoinSessionsOf } from './join-session-store.ts'
import { eraseAddresses } from './store.ts'

/**
 * Takes a person's address out of the sessions; what was sent to an address without an account stays tied to the
 * account instead. Join sessions keep none, but moves of theirs that are under way are waited for. To be called before
 * events are erased.
 */
export async function eraseSessions(tx: Tx, userId: Id<'user'>, addresses: readonly string[]): Promise<void> {
  await lockUser(tx, 'id', userId)
  await lockJoinSessionsOf(tx, userId)
  await eraseAddresses(tx, userId, addresses)
}
