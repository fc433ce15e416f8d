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

export {
  ACCREDITATIONS,
  type Accreditation,
  type Address,
  addressesOf,
  lockActiveUser,
  lockErased,
  lockOwnersOf,
  lockPeople,
  lockUser,
  type Moment,
  type User,
  type UserProfile,
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

/** The fields of the investor in an investment's published record. */
const SHOWN_IN_RECORDS = ['name', 'legal_name', 'email', 'address', 'bio'] as const

export type UserChanges = Partial<User> & Pick<User, 'id'>

/** Changes only the given fields. */
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
 * Erases the person from the user's row; the row stays, because investments refer to it. Other modules erase what they store about
 * the person (records, events, memberships, sessions) in the same transaction; see docs/model.md. False if the user was already
 * deactivated, which is not an error.
 */
export async function deactivateUser(tx: Tx, id: Id<'user'>, { occurredAt }: Moment): Promise<boolean> {
  const { deactivated } = await lockUser(tx, 'id', id)
  if (!deactivated) await eraseUser(tx, id, occurredAt)
  return !deactivated
}

/** A fact reports something that has happened, so the certification in it cannot be later than the fact. */
function rejectFutureCertification({ certified_at }: Partial<UserProfile>, { occurredAt }: Moment): void {
  if (certified_at === undefined || certified_at === null || certified_at <= occurredAt) return
  const message = 'is after occurred_at'
  throw validationError([{ field: 'certified_at', code: 'in_the_future', message }])
}
