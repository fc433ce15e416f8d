import { isDeepStrictEqual } from 'node:util'
import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { ConstraintViolation } from '#system/postgres/errors.ts'
import { lockActiveUser } from './active-user.ts'
import { refuseFutureCertification, refuseTaken } from './profile-rules.ts'
import { findTaken, noteInvestorChange, updateRow } from './store.ts'
import type { Moment, User, UserProfile } from './user.ts'

/** What an investment's published record says of its investor. */
const SHOWN_IN_RECORDS = ['name', 'legal_name', 'email', 'address', 'bio'] as const

/** Changes the fields given and no others. */
export async function updateUser(
  tx: Tx,
  { id, ...changes }: Partial<UserProfile> & { readonly id: Id<'user'> },
  moment: Moment,
): Promise<void> {
  refuseFutureCertification(changes, moment)
  const before = await lockActiveUser(tx, 'id', id)
  const after: User = { ...before, ...changes }
  if (isDeepStrictEqual(before, after)) return
  refuseTaken({ ...(await findTaken(tx, after)), id: false })
  await write(tx, after)
  if (SHOWN_IN_RECORDS.some((field) => !isDeepStrictEqual(before[field], after[field]))) {
    await noteInvestorChange(tx, id)
  }
}

/** Two users may be given one address at the same moment; the index lets the second wait and then refuses it. */
async function write(tx: Tx, user: User): Promise<void> {
  try {
    await updateRow(tx, user)
  } catch (error) {
    const constraint = error instanceof ConstraintViolation ? error.constraint : ''
    refuseTaken({ id: false, email: constraint === 'users_email_key', username: constraint === 'users_username_key' })
    throw error
  }
}
