import type { Tx } from '#system/postgres/database.ts'
import { refuseFutureCertification } from './certification.ts'
import { insertUser } from './store.ts'
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

export type NewUser = Partial<User> & Pick<User, 'id' | 'name' | 'email'>

export async function registerUser(tx: Tx, user: NewUser, moment: Moment): Promise<void> {
  refuseFutureCertification(user, moment)
  await insertUser(tx, { ...NOTHING_KNOWN, ...user }, moment.occurredAt)
}
