import { isDeepStrictEqual } from 'node:util'
import { recordInvestmentChange } from '#events/changes/index.ts'
import { validationError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import {
  eraseUser,
  insertUser,
  lockActiveUser,
  lockUser,
  type Moment,
  rememberAddress,
  type User,
  type UserProfile,
  updateUserRow,
} from './store.ts'

const NOTHING_KNOWN: Omit<UserProfile, 'name' | 'email'> = {
  first_name: null,
  legal_name: null,
  username: null,
  bio: null,
  avatar_url: null,
  city: null,
  state: null,
  country: null,
  location_hidden: false,
  address: null,
  accreditation: 'none',
  certified_at: null,
}

export type NewUser = Partial<User> & Pick<User, 'id' | 'name' | 'email'>

export async function registerUser(tx: Tx, user: NewUser, moment: Moment): Promise<void> {
  rejectFutureCertification(user, moment)
  await insertUser(tx, { ...NOTHING_KNOWN, ...user }, moment.occurredAt)
}

/** What an investment's published record says of its investor. */
const SHOWN_IN_RECORDS = ['name', 'legal_name', 'email', 'address', 'bio'] as const

export type UserChanges = Partial<User> & Pick<User, 'id'>

/** Changes the fields given and no others. */
export async function updateUser(tx: Tx, changes: UserChanges, moment: Moment): Promise<void> {
  rejectFutureCertification(changes, moment)
  const before = await lockActiveUser(tx, 'id', changes.id)
  const after = { ...before, ...changes }
  if (isDeepStrictEqual(before, after)) return
  await updateUserRow(tx, after)
  if (before.email !== after.email) await rememberAddress(tx, before.id, before.email)
  if (SHOWN_IN_RECORDS.some((field) => !isDeepStrictEqual(before[field], after[field]))) {
    await recordInvestmentChange(tx, { kind: 'investor', id: before.id })
  }
}

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

/** A fact lies in the past when it is received, and so does the certification in it. */
function rejectFutureCertification({ certified_at }: Partial<UserProfile>, { occurredAt }: Moment): void {
  if (certified_at === undefined || certified_at === null || certified_at <= occurredAt) return
  const message = 'is after occurred_at'
  throw validationError([{ field: 'certified_at', code: 'in_the_future', message }])
}
