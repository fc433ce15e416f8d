import type { Id } from '#kernel/ids.ts'
import { lockUser } from '#modules/people/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { eraseRecipient } from './store.ts'

/** Takes a person out of the links that were for them, and ends these: there is nobody left to open them. */
export async function eraseInvites(tx: Tx, userId: Id<'user'>, addresses: readonly string[]): Promise<void> {
  await lockUser(tx, 'id', userId)
  await eraseRecipient(tx, userId, addresses)
}
