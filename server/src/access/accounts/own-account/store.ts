import type { PlatformRole } from '#kernel/caller.ts'
import type { Id } from '#kernel/ids.ts'
import type { PlatformQueries, PlatformTx } from '#system/postgres/database.ts'
import { platformStatement } from '#system/postgres/statement.ts'

/** An account with the data that its owner sees. */
export type OwnAccount = {
  readonly id: Id<'account'>
  readonly email: string
  readonly name: string
  readonly has_password: boolean
  readonly staff_role: PlatformRole | null
}

const FIND = platformStatement<OwnAccount>(
  'accounts.find_own',
  `select id, email, name, password_hash is not null as has_password, staff_role from platform.accounts where id = $1`,
)

export async function findOwnAccount(queries: PlatformQueries, id: Id<'account'>): Promise<OwnAccount> {
  return queries.one(FIND, [id])
}

/** Runs for every address that a visitor enters. Writes no row if the address has no account, or if the account is disabled. */
const PUT_RESET = platformStatement(
  'accounts.put_reset_link',
  `insert into platform.account_links (hash, account_id, purpose, expires_at)
   select $1, id, 'reset_password', clock_timestamp() + make_interval(mins => $3)
     from platform.accounts where lower(email) = lower($2 collate "C") and disabled_at is null
   on conflict on constraint account_links_one_of_a_purpose do update
      set hash = excluded.hash, created_at = clock_timestamp(), expires_at = excluded.expires_at`,
)

type ResetLink = { readonly hash: Buffer; readonly email: string; readonly minutes: number }

export async function putResetLink(tx: PlatformTx, { hash, email, minutes }: ResetLink): Promise<void> {
  await tx.run(PUT_RESET, [hash, email, minutes])
}

const PUT_CHANGE = platformStatement(
  'accounts.put_change_link',
  `insert into platform.account_links (hash, account_id, purpose, new_email, expires_at)
   values ($1, $2, 'change_email', $3, clock_timestamp() + make_interval(mins => $4))
   on conflict on constraint account_links_one_of_a_purpose do update
      set hash = excluded.hash, new_email = excluded.new_email, created_at = clock_timestamp(),
          expires_at = excluded.expires_at`,
)

type ChangeLink = {
  readonly hash: Buffer
  readonly account: Id<'account'>
  readonly newEmail: string
  readonly minutes: number
}

/**
 * The keys of mails to a requested new address begin with this prefix. Erasing an account finds these mails by the prefix, because no
 * row refers to that address once the link is deleted.
 */
export const changeEmailOccasion = (account: Id<'account'>): string => `change_email ${account} `

export async function putChangeLink(tx: PlatformTx, link: ChangeLink): Promise<void> {
  await tx.run(PUT_CHANGE, [link.hash, link.account, link.newEmail, link.minutes])
}

export type EmailChange = {
  readonly account_id: Id<'account'>
  readonly name: string
  readonly email: string
  readonly new_email: string
}

const FIND_CHANGE = platformStatement<EmailChange>(
  'accounts.find_change_link',
  `select l.account_id, a.name, a.email, l.new_email
     from platform.account_links l join platform.accounts a on a.id = l.account_id
    where l.hash = $1 and l.purpose = 'change_email' and l.expires_at > clock_timestamp() and a.disabled_at is null`,
)

export async function findEmailChange(queries: PlatformQueries, hash: Buffer): Promise<EmailChange | null> {
  return queries.maybeOne(FIND_CHANGE, [hash])
}

const CHANGE_EMAIL = platformStatement(
  'accounts.change_email',
  'update platform.accounts set email = $2, email_verified_at = clock_timestamp() where id = $1',
)

export async function updateEmail(tx: PlatformTx, id: Id<'account'>, email: string): Promise<void> {
  await tx.run(CHANGE_EMAIL, [id, email])
}

const DELETE_OTHER_SESSIONS = platformStatement(
  'accounts.delete_other_sessions',
  'delete from platform.sign_in_sessions where account_id = $1 and hash <> $2',
)

/** Deletes all sessions of the account except `current`. Returns how many it deleted. */
export async function deleteOtherSessions(tx: PlatformTx, account: Id<'account'>, current: Buffer): Promise<number> {
  return tx.run(DELETE_OTHER_SESSIONS, [account, current])
}

const RENAME = platformStatement<{ before: string }>(
  'accounts.rename',
  `update platform.accounts a set name = $2
     from (select id, name from platform.accounts where id = $1 and deleted_at is null for no key update) old
    where a.id = old.id returning old.name as before`,
)

/** Returns the previous name; null for an unknown account. */
export async function updateName(tx: PlatformTx, id: Id<'account'>, name: string): Promise<string | null> {
  return (await tx.maybeOne(RENAME, [id, name]))?.before ?? null
}

type LockedAccount = { readonly email: string; readonly name: string }

const LOCK = platformStatement<{ id: Id<'account'> }>(
  'accounts.lock_own',
  'select id from platform.accounts where id = $1 for no key update',
)

const READ = platformStatement<LockedAccount>(
  'accounts.read_own',
  'select email, name from platform.accounts where id = $1 and deleted_at is null',
)

/** A sign-in, a new membership and a new user of the account wait for this lock. Null if the account was deleted before. */
export async function lockOwnAccount(tx: PlatformTx, id: Id<'account'>): Promise<LockedAccount | null> {
  await tx.maybeOne(LOCK, [id])
  return tx.maybeOne(READ, [id])
}

/** Every table of this module with rows of one account. A test compares the list with all foreign keys to accounts. */
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

/** Histories show this text instead of the person's name, next to the id. */
const DELETED_NAME = '[deleted account]'

const EMPTY = platformStatement(
  'accounts.empty',
  `update platform.accounts
      set email = id || '@deleted.invalid', name = '${DELETED_NAME}', password_hash = null, staff_role = null,
          disabled_at = coalesce(disabled_at, clock_timestamp()), deleted_at = clock_timestamp()
    where id = $1`,
)

/** The address of an account has pending sign-ups if a person signed up although the account existed. */
const DELETE_SIGN_UPS = platformStatement(
  'accounts.delete_own_sign_ups',
  `delete from platform.sign_ups s using platform.accounts a where a.id = $1 and lower(s.email) = lower(a.email)`,
)

/** The caller has locked the account. The id stays, because audit entries, apps and organizations refer to it. */
export async function emptyAccount(tx: PlatformTx, id: Id<'account'>): Promise<void> {
  for (const rows of [...DELETE_ROWS, DELETE_SIGN_UPS]) await tx.run(rows, [id])
  await tx.run(EMPTY, [id])
}
