import { type Id, newId } from '#kernel/ids.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import { refuseLookalikeAddress } from './email-address.ts'
import type { PasswordHash } from './password-hash.ts'
import { insertAccount } from './store.ts'

export type NewAccount = {
  readonly id?: Id<'account'>
  readonly email: string
  readonly name: string
  /** Made before the transaction is opened, since it takes its time; null for those who sign in elsewhere. */
  readonly passwordHash: PasswordHash | null
}

export async function createAccount(tx: PlatformTx, account: NewAccount): Promise<Id<'account'>> {
  const { id = newId('account'), email, name, passwordHash } = account
  refuseLookalikeAddress(email)
  await insertAccount(tx, { id, email, name, password_hash: passwordHash })
  return id
}
