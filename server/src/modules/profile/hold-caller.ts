import { ApiError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { lockUser, type User } from '#modules/people/index.ts'
import type { Tx } from '#system/postgres/database.ts'

/** Who leaves takes their tokens along; only a request that was admitted a moment before hears this. */
export function userHasLeft(): ApiError {
  return new ApiError('invalid_token', { public: 'This user was deactivated.' })
}

/** The user a request acts for: they have not left, and will not before this is committed. */
export async function holdCaller(tx: Tx, id: Id<'user'>): Promise<User> {
  const { user } = await lockUser(tx, 'user', id)
  if (user === null) throw userHasLeft()
  return user
}
