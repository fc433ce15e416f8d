import { Type } from 'typebox'
import { lockUser, type User } from '#access/people/index.ts'
import { nullable } from '#http/schema-fields.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import { ApiError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'

/** Schema helpers of this module. */

export const time = (description = 'UTC, in world time.') => Type.String({ format: 'date-time', description })

export const NullableText = nullable(Type.String())

export type ProfileRouteDeps = {
  readonly cursors: CursorSealer
  /** Our public address, for pages and pictures that are stored as a path. */
  readonly origin: () => string
}

/** Deleting an account revokes its tokens, so only a request that was authenticated just before gets this error. */
export function userHasLeft(): ApiError {
  return new ApiError('invalid_token', { public: 'This user was deactivated.' })
}

/** Locks the user that a request acts for: they have not left, and cannot leave before this commits. */
export async function lockCaller(tx: Tx, id: Id<'user'>): Promise<User> {
  const { user } = await lockUser(tx, 'user', id)
  if (user === null) throw userHasLeft()
  return user
}
