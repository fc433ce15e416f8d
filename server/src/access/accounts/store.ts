import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { PlatformQueries, PlatformTx } from '#system/postgres/database.ts'
import { platformStatement } from '#system/postgres/statement.ts'
import type { PasswordHash } from './password-hash.ts'

export type Account = {
  readonly id: Id<'account'>
  readonly email: string
  readonly name: string
  readonly password_hash: PasswordHash | null
  /** Real time; such an account does not sign in. */
  readonly disabled_at: string | null
}

const INSERT = platformStatement(
  'accounts.insert',
  'insert into platform.accounts (id, email, name, password_hash) values ($1, $2, $3, $4)',
)

export async function insertAccount(tx: PlatformTx, account: Omit<Account, 'disabled_at'>): Promise<void> {
  const { id, email, name, password_hash } = account
  await tx.run(INSERT, [id, email, name, password_hash])
}

/** The parameter gets the column's collation, so that both sides of `=` fold the same (ASCII) letters. */
const BY_EMAIL = platformStatement<Account>(
  'accounts.by_email',
  `select id, email, name, password_hash, disabled_at from platform.accounts
   where lower(email) = lower($1 collate "C")`,
)

export async function findAccountByEmail(queries: PlatformQueries, email: string): Promise<Account | null> {
  return queries.maybeOne(BY_EMAIL, [email])
}

const SET_PASSWORD = platformStatement(
  'accounts.set_password',
  'update platform.accounts set password_hash = $2 where id = $1',
)

export async function updatePassword(tx: PlatformTx, id: Id<'account'>, hash: PasswordHash): Promise<void> {
  await tx.run(SET_PASSWORD, [id, hash])
}

const LOCK = platformStatement<{ id: Id<'account'> }>(
  'accounts.lock',
  'select id from platform.accounts where id = $1 for no key update',
)

export async function lockAccount(tx: PlatformTx, id: Id<'account'>): Promise<boolean> {
  return (await tx.maybeOne(LOCK, [id])) !== null
}

type UserState = { readonly deactivated: boolean }

/** `for share`: the user is not deactivated while the link is being made. */
const USER = {
  test: platformStatement<UserState>(
    'accounts.test_user',
    'select deactivated_at is not null as deactivated from test.users where id = $1 for share',
  ),
  live: platformStatement<UserState>(
    'accounts.live_user',
    'select deactivated_at is not null as deactivated from live.users where id = $1 for share',
  ),
}

export async function findUserState(tx: PlatformTx, world: World, id: Id<'user'>): Promise<UserState | null> {
  return tx.maybeOne(USER[world], [id])
}

const USER_OF = platformStatement<{ user_id: Id<'user'> }>(
  'accounts.user_of',
  'select user_id from platform.account_users where account_id = $1 and world = $2',
)

/** Who this account is in a world; null where it is nobody. */
export async function findUserOf(
  queries: PlatformQueries,
  account: Id<'account'>,
  world: World,
): Promise<Id<'user'> | null> {
  return (await queries.maybeOne(USER_OF, [account, world]))?.user_id ?? null
}

const INSERT_LINK = platformStatement(
  'accounts.insert_link',
  'insert into platform.account_users (account_id, world, user_id) values ($1, $2, $3)',
)

export async function insertLink(tx: PlatformTx, link: AccountLink): Promise<void> {
  await tx.run(INSERT_LINK, [link.account, link.world, link.user])
}

export type AccountLink = { readonly account: Id<'account'>; readonly world: World; readonly user: Id<'user'> }
