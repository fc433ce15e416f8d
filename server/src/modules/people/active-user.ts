import { UnknownReference, validationError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { lockUser } from './store.ts'
import type { User } from './user.ts'

/**
 * For whatever a user does or is given: they exist, are not deactivated, and will not be until this transaction ends.
 * `field` is where the caller named them. Locks the user's row, which comes before every other lock.
 */
export async function lockActiveUser(tx: Tx, field: string, id: Id<'user'>): Promise<User> {
  const locked = await lockUser(tx, id)
  if (locked === null) throw new UnknownReference(field, id)
  if (!locked.deactivated) return locked.user
  throw validationError([{ field, code: 'deactivated', message: 'was deactivated, which is for ever' }])
}
