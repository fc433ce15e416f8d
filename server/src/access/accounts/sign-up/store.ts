import type { PlatformRole } from '#kernel/caller.ts'
import type { PlatformQueries, PlatformTx } from '#system/postgres/database.ts'
import { platformStatement } from '#system/postgres/statement.ts'
import type { PasswordHash } from '../passwords.ts'

export type SignUpPurpose = 'sign_up' | 'invitation' | 'first_admin'

/**
 * An account that does not exist yet. The link's page asks for the email, the name and the password if they are null here. In another
 * browser than the one in which the form was filled in, the page asks for the name and the password again.
 */
export type SignUp = {
  readonly purpose: SignUpPurpose
  readonly email: string | null
  readonly name: string | null
  readonly password_hash: PasswordHash | null
  /** The SHA-256 of the cookie of the browser in which the form was filled in. */
  readonly browser_hash: Buffer | null
  readonly staff_role: PlatformRole | null
  readonly return_to: string | null
  /** Who invited, as in the audit: an operator key, the account of a staff member, or a person at a shell. */
  readonly invited_by: string | null
}

type NewSignUp = SignUp & { readonly hash: Buffer; readonly minutes: number }

const INSERT = platformStatement<{ expires_at: string }>(
  'sign_ups.insert',
  `insert into platform.sign_ups
     (hash, purpose, email, name, password_hash, browser_hash, staff_role, return_to, invited_by, expires_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, clock_timestamp() + make_interval(mins => $10))
   returning expires_at`,
)

/** Returns when the sign-up expires. */
export async function insertSignUp(tx: PlatformTx, signUp: NewSignUp): Promise<string> {
  const { hash, purpose, email, name, password_hash, browser_hash, staff_role, return_to, invited_by, minutes } = signUp
  const values = [hash, purpose, email, name, password_hash, browser_hash, staff_role, return_to, invited_by, minutes]
  return (await tx.one(INSERT, values)).expires_at
}

const COLUMNS = 'purpose, email, name, password_hash, browser_hash, staff_role, return_to, invited_by'

const FIND = platformStatement<SignUp>(
  'sign_ups.find',
  `select ${COLUMNS} from platform.sign_ups where hash = $1 and expires_at > clock_timestamp()`,
)

export async function findSignUp(queries: PlatformQueries, hash: Buffer): Promise<SignUp | null> {
  return queries.maybeOne(FIND, [hash])
}

/** If two requests use the link at once, the second waits for the first and finds no row. */
const TAKE = platformStatement<SignUp>(
  'sign_ups.take',
  `delete from platform.sign_ups where hash = $1 and expires_at > clock_timestamp() returning ${COLUMNS}`,
)

export async function takeSignUp(tx: PlatformTx, hash: Buffer): Promise<SignUp | null> {
  return tx.maybeOne(TAKE, [hash])
}

/**
 * Skips a sign-up that another request is using and has locked. That request waits until this transaction has created the account, and
 * then finds the account.
 */
const DELETE_OF_ADDRESS = platformStatement(
  'sign_ups.delete_of_address',
  `delete from platform.sign_ups where hash in (
     select hash from platform.sign_ups where lower(email) = lower($1 collate "C") for update skip locked)`,
)

/** Deletes the other pending sign-ups of an address that has an account now. */
export async function deleteSignUpsOf(tx: PlatformTx, email: string): Promise<void> {
  await tx.run(DELETE_OF_ADDRESS, [email])
}

const PURGE = platformStatement(
  'sign_ups.purge',
  `delete from platform.sign_ups where hash in (
     select hash from platform.sign_ups
      where expires_at <= clock_timestamp() order by expires_at limit $1
      for update skip locked)`,
)

export async function purgeSignUps(tx: PlatformTx, limit: number): Promise<number> {
  return tx.run(PURGE, [limit])
}

const HAS_ACCOUNTS = platformStatement<{ some: boolean }>(
  'sign_ups.has_accounts',
  'select exists (select from platform.accounts where disabled_at is null) as some',
)

export async function hasAccounts(queries: PlatformQueries): Promise<boolean> {
  return (await queries.one(HAS_ACCOUNTS)).some
}

/** One transaction at a time has this lock: if two links are used at once, the second transaction finds the new administrator. */
const LOCK_FIRST_ADMIN = platformStatement('sign_ups.lock_first_admin', 'select pg_advisory_xact_lock(4471210)')
const HAS_ADMIN = platformStatement<{ some: boolean }>(
  'sign_ups.has_admin',
  `select exists (select from platform.accounts where staff_role = 'admin' and disabled_at is null) as some`,
)

export async function hasAdministrator(queries: PlatformQueries): Promise<boolean> {
  return (await queries.one(HAS_ADMIN)).some
}

const DELETE_FIRST_ADMIN = platformStatement(
  'sign_ups.delete_first_admin',
  `delete from platform.sign_ups where purpose = 'first_admin'`,
)

/** Deletes the links of earlier starts, which the newest one replaces. */
export async function deleteFirstAdminLinks(tx: PlatformTx): Promise<void> {
  await tx.run(DELETE_FIRST_ADMIN)
}

/** Whether a first administrator may still be created. Other transactions that call this function wait until this one ends. */
export async function holdFirstAdministrator(tx: PlatformTx): Promise<boolean> {
  await tx.run(LOCK_FIRST_ADMIN)
  return !(await hasAdministrator(tx))
}
