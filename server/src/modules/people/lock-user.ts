import { UnknownReference, validationError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { type LockedUser, lockUserRow } from './store.ts'
import type { User } from './user.ts'

/** `field` is where the caller named the user. The user's row comes before every other lock. */
export async function lockUser(tx: Tx, field: string, id: Id<'user'>): Promise<LockedUser> {
  const locked = await lockUserRow(tx, id)
  if (locked === null) throw new UnknownReference(field, id)
  return locked
}

/** For what only an active user does or is given: they are not deactivated, and will not be before this is committed. */
export async function lockActiveUser(tx: Tx, field: string, id: Id<'user'>): Promise<User> {
  const locked = await lockUser(tx, field, id)
  if (!locked.deactivated) return locked.user
  throw validationError([{ field, code: 'deactivated', message: 'was deactivated, which is for ever' }])
}
