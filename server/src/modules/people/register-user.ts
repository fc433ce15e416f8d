import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { refuseFutureCertification, refuseTaken } from './profile-rules.ts'
import { findTaken, insertUser } from './store.ts'
import type { Moment, User, UserProfile } from './user.ts'

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

export type NewUser = Partial<UserProfile> & { readonly id: Id<'user'>; readonly name: string; readonly email: string }

export async function registerUser(tx: Tx, input: NewUser, moment: Moment): Promise<void> {
  refuseFutureCertification(input, moment)
  const user: User = { ...NOTHING_KNOWN, ...input }
  if (await insertUser(tx, user, moment.occurredAt)) return
  // Looked at after the refused insert, which has waited for whoever was just taking the same address.
  refuseTaken(await findTaken(tx, user))
  throw new Error(`${user.id} could not be inserted, and nothing stands in its way`)
}
