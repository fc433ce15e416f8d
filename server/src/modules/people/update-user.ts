import { isDeepStrictEqual } from 'node:util'
import type { Tx } from '#system/postgres/database.ts'
import { refuseFutureCertification } from './certification.ts'
import { lockActiveUser } from './lock-user.ts'
import { noteInvestorChange, rememberAddress, updateUserRow } from './store.ts'
import type { Moment, User } from './user.ts'

/** What an investment's published record says of its investor. */
const SHOWN_IN_RECORDS = ['name', 'legal_name', 'email', 'address', 'bio'] as const

export type UserChanges = Partial<User> & Pick<User, 'id'>

/** Changes the fields given and no others. */
export async function updateUser(tx: Tx, changes: UserChanges, moment: Moment): Promise<void> {
  refuseFutureCertification(changes, moment)
  const before = await lockActiveUser(tx, 'id', changes.id)
  const after = { ...before, ...changes }
  if (isDeepStrictEqual(before, after)) return
  await updateUserRow(tx, after)
  if (before.email !== after.email) await rememberAddress(tx, before.id, before.email)
  if (SHOWN_IN_RECORDS.some((field) => !isDeepStrictEqual(before[field], after[field]))) {
    await noteInvestorChange(tx, before.id)
  }
}
