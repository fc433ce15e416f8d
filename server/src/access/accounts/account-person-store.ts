import type { Id } from '#kernel/ids.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import { platformStatement } from '#system/postgres/statement.ts'

const RENAME = platformStatement<{ before: string }>(
  'accounts.rename',
  `update platform.accounts a set name = $2
     from (select id, name from platform.accounts where id = $1 and deleted_at is null for no key update) old
    where a.id = old.id returning old.name as before`,
)

/** Returns the name before; null for an unknown account. */
export async function updateName(tx: PlatformTx, id: Id<'account'>, name: string): Promise<string | null> {
  return (await tx.maybeOne(RENAME, [id, name]))?.before ?? null
}

export type OwnAccount = { readonly email: string; readonly name: string }

const LOCK = platformStatement<{ id: Id<'account'> }>(
  'accounts.lock_own',
  'select id from platform.accounts where id = $1 for no key update',
)

const READ = platformStatement<OwnAccount>(
  'accounts.read_own',
  'select email, name from platform.accounts where id = $1 and deleted_at is null',
)

/** A sign-in, a new membership and a new user of the account wait for this lock. Null if it was deleted before. */
export async function lockOwnAccount(tx: PlatformTx, id: Id<'account'>): Promise<OwnAccount | null> {
  await tx.maybeOne(LOCK, [id])
  return tx.maybeOne(READ, [id])
}

/** Every table of this module with rows of one account: the test of deletions goes over all foreign keys to accounts. */
const TABLES_OF_ACCOUNT = [
  'sign_in_sessions',
  'sign_in_devices',
  'account_links',
  'account_identities',
  'account_users',
  'account_totp',
  'account_passkeys',
  'account_recovery_codes',
] as const

const DELETE_ROWS = TABLES_OF_ACCOUNT.map((table) =>
  platformStatement(`accounts.delete_own_${table}`, `delete from platform.${table} where account_id = $1`),
)

/** What stands where the person's name was: in histories, beside the id. */
const DELETED_NAME = '[deleted account]'

const EMPTY = platformStatement(
  'accounts.empty',
  `update platform.accounts
      set email = id || '@deleted.invalid', name = '${DELETED_NAME}', password_hash = null, staff_role = null,
          disabled_at = coalesce(disabled_at, clock_timestamp()), deleted_at = clock_timestamp()
    where id = $1`,
)

/** A sign-up with the address of an account waits for its link, which then says that the account exists. */
const DELETE_SIGN_UPS = platformStatement(
  'accounts.delete_own_sign_ups',
  `delete from platform.sign_ups s using platform.accounts a where a.id = $1 and lower(s.email) = lower(a.email)`,
)

/** Under the account's lock. The id stays, because audit entries, apps and organizations refer to it. */
export async function emptyAccount(tx: PlatformTx, id: Id<'account'>): Promise<void> {
  for (const rows of [...DELETE_ROWS, DELETE_SIGN_UPS]) await tx.run(rows, [id])
  await tx.run(EMPTY, [id])
}
