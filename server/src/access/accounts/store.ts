import type { PlatformRole } from '#kernel/caller.ts'
import type { Id } from '#kernel/ids.ts'
import { WORLDS, type World } from '#kernel/world.ts'
import type { PlatformQueries, PlatformTx, Tx } from '#system/postgres/database.ts'
import { platformStatement, statement } from '#system/postgres/statement.ts'
import type { PasswordHash } from './passwords.ts'

export type Account = {
  readonly id: Id<'account'>
  readonly email: string
  readonly name: string
  readonly password_hash: PasswordHash | null
  /** Real time. A disabled account cannot sign in. */
  readonly disabled_at: string | null
  /** Real time. For an account that an operator created: the time of its creation. */
  readonly email_verified_at: string
  readonly staff_role: PlatformRole | null
}

const INSERT = platformStatement(
  'accounts.insert',
  'insert into platform.accounts (id, email, name, password_hash) values ($1, $2, $3, $4)',
)

type NewAccountRow = Pick<Account, 'id' | 'email' | 'name' | 'password_hash'>

export async function insertAccount(tx: PlatformTx, account: NewAccountRow): Promise<void> {
  const { id, email, name, password_hash } = account
  await tx.run(INSERT, [id, email, name, password_hash])
}

/** If many requests with one address arrive at once, one creates the account; the others wait for its commit and find the account. */
const INSERT_IF_NEW = platformStatement<{ id: Id<'account'> }>(
  'accounts.insert_if_new',
  `insert into platform.accounts (id, email, name, password_hash, staff_role) values ($1, $2, $3, $4, $5)
   on conflict (lower(email)) do nothing
   returning id`,
)

type ProvenAccount = NewAccountRow & Pick<Account, 'staff_role'>

export async function insertAccountIfNew(tx: PlatformTx, account: ProvenAccount): Promise<boolean> {
  const { id, email, name, password_hash, staff_role } = account
  return (await tx.maybeOne(INSERT_IF_NEW, [id, email, name, password_hash, staff_role])) !== null
}

/** The parameter gets the column's collation, so that `lower` changes the same (ASCII) letters on both sides of `=`. */
const BY_EMAIL = platformStatement<Account>(
  'accounts.by_email',
  `select id, email, name, password_hash, disabled_at, email_verified_at, staff_role from platform.accounts
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

const SET_STAFF_ROLE = platformStatement(
  'accounts.set_staff_role',
  'update platform.accounts set staff_role = $2 where id = $1 and staff_role is distinct from $2',
)

/** False if nothing changed or the account does not exist. */
export async function updateStaffRole(tx: PlatformTx, id: Id<'account'>, role: PlatformRole | null): Promise<boolean> {
  return (await tx.run(SET_STAFF_ROLE, [id, role])) === 1
}

const LOCK = platformStatement<{ id: Id<'account'> }>(
  'accounts.lock',
  'select id from platform.accounts where id = $1 and deleted_at is null for no key update',
)

export async function lockAccount(tx: PlatformTx, id: Id<'account'>): Promise<boolean> {
  return (await tx.maybeOne(LOCK, [id])) !== null
}

type UserState = { readonly deactivated: boolean }

/** `for share`, so that the user is not deactivated while the link is being created. */
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

/** The account's user in a world; null if the account has no user there. */
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

const LOCK_IN = statement<{ email: string }>(
  'accounts.lock_in',
  'select email from platform.accounts where id = $1 and deleted_at is null for no key update',
)

/** Locks the account in a transaction of a world. Null for an unknown or deleted account. */
export async function lockAccountIn(tx: Tx, id: Id<'account'>): Promise<{ readonly email: string } | null> {
  return tx.maybeOne(LOCK_IN, [id])
}

const USER_OF_IN = statement<{ user_id: Id<'user'> }>(
  'accounts.user_of_in',
  'select user_id from platform.account_users where account_id = $1 and world = $2',
)

/** Reads the link in the transaction's own world. */
export async function findUserOfIn(tx: Tx, account: Id<'account'>): Promise<Id<'user'> | null> {
  return (await tx.maybeOne(USER_OF_IN, [account, tx.world]))?.user_id ?? null
}

const FREE_USER = statement<{ id: Id<'user'> }>(
  'accounts.free_user_by_email',
  `select u.id from users u
    where lower(u.email) = lower($1 collate "C") and u.deactivated_at is null
      and not exists (select from platform.account_users a where a.world = $2 and a.user_id = u.id)
      for no key update of u`,
)

/** The active user with this address to whom no account is linked; locked until commit. */
export async function lockFreeUser(tx: Tx, email: string): Promise<Id<'user'> | null> {
  return (await tx.maybeOne(FREE_USER, [email, tx.world]))?.id ?? null
}

const INSERT_LINK_IN = statement(
  'accounts.insert_link_in',
  'insert into platform.account_users (account_id, world, user_id) values ($1, $2, $3)',
)

export async function insertLinkIn(tx: Tx, account: Id<'account'>, user: Id<'user'>): Promise<void> {
  await tx.run(INSERT_LINK_IN, [account, tx.world, user])
}

/** Times are real time, as text. */
export type AccountRow = {
  readonly id: Id<'account'>
  readonly email: string
  readonly name: string
  readonly has_password: boolean
  readonly issuers: readonly string[]
  readonly test_user: Id<'user'> | null
  readonly live_user: Id<'user'> | null
  readonly email_verified_at: string
  readonly staff_role: PlatformRole | null
  readonly created_at: string
  readonly disabled_at: string | null
}

const COLUMNS = `a.id, a.email, a.name, a.password_hash is not null as has_password,
  array(select i.issuer from platform.account_identities i where i.account_id = a.id order by 1) as issuers,
  (select u.test_user_id from platform.account_users u where u.account_id = a.id and u.world = 'test') as test_user,
  (select u.live_user_id from platform.account_users u where u.account_id = a.id and u.world = 'live') as live_user,
  a.email_verified_at, a.staff_role, a.created_at, a.disabled_at`

const SHOW = platformStatement<AccountRow>(
  'accounts.show',
  `select ${COLUMNS} from platform.accounts a where a.id = $1 and a.deleted_at is null`,
)

export async function findAccount(queries: PlatformQueries, id: Id<'account'>): Promise<AccountRow | null> {
  return queries.maybeOne(SHOW, [id])
}

/** Newest first, because ids begin with the time of their creation. */
const LIST = platformStatement<AccountRow>(
  'accounts.list',
  `select ${COLUMNS} from platform.accounts a
    where ($1::text is null or a.id < $1::text) and a.deleted_at is null
    order by a.id desc limit $2`,
)

/**
 * Finds accounts by the start of the address, by the start of the name, by their id, or by the id of their user. The searches by
 * address and by name have an index each. The caller escapes the `like` pattern.
 */
const SEARCH = platformStatement<AccountRow>(
  'accounts.search',
  `select ${COLUMNS} from platform.accounts a
    where a.id in (
      select id from platform.accounts where lower(email) like lower($3 collate "C")
      union all
      select id from platform.accounts where lower(name) collate "C" like lower($3)
      union all
      select id from platform.accounts where id = $4
      union all
      select account_id from platform.account_users where user_id = $4)
      and ($1::text is null or a.id < $1::text) and a.deleted_at is null
    order by a.id desc limit $2`,
)

type AccountPage = { readonly before: string | null; readonly limit: number; readonly search: string | null }

export async function listAccounts(queries: PlatformQueries, { before, limit, search }: AccountPage) {
  if (search === null) return queries.many(LIST, [before, limit])
  return queries.many(SEARCH, [before, limit, `${search.replace(/[\\%_]/g, '\\$&')}%`, search])
}

const DISABLE = platformStatement(
  'accounts.disable',
  'update platform.accounts set disabled_at = clock_timestamp() where id = $1 and disabled_at is null',
)
const ENABLE = platformStatement(
  'accounts.enable',
  'update platform.accounts set disabled_at = null where id = $1 and disabled_at is not null and deleted_at is null',
)

/**
 * While an account is disabled, the tokens of its user and of the user's own connections do not work. Installations that the person made on
 * companies and syndicates belong to the companies and syndicates, and keep working.
 */
const HOLDERS = (world: World) => `
  select u.user_id as holder_id from platform.account_users u where u.account_id = $1 and u.world = '${world}'
  union
  select i.id from ${world}.installations i join platform.account_users u on u.user_id = i.user_id
   where u.account_id = $1 and u.world = '${world}'`

const blockIn = (world: World) =>
  platformStatement(
    `accounts.block_${world}_holders`,
    `insert into ${world}.disabled_holders (holder_id) ${HOLDERS(world)}
     on conflict on constraint disabled_holders_pkey do nothing`,
  )
const unblockIn = (world: World) =>
  platformStatement(
    `accounts.unblock_${world}_holders`,
    `delete from ${world}.disabled_holders where holder_id in (${HOLDERS(world)})`,
  )
const BLOCK = { test: blockIn('test'), live: blockIn('live') }
const UNBLOCK = { test: unblockIn('test'), live: unblockIn('live') }

export async function setHoldersBlocked(tx: PlatformTx, id: Id<'account'>, blocked: boolean): Promise<void> {
  for (const world of WORLDS) await tx.run((blocked ? BLOCK : UNBLOCK)[world], [id])
}

/** False if nothing changed or the account does not exist. */
export async function setDisabled(tx: PlatformTx, id: Id<'account'>, disabled: boolean): Promise<boolean> {
  return (await tx.run(disabled ? DISABLE : ENABLE, [id])) === 1
}

/** `set_password` also replaces an existing password. */
export type IssuedPurpose = 'sign_in' | 'set_password'
/** The account's owner requests the links of the other two purposes, and gets them by mail. */
export type LinkPurpose = IssuedPurpose | 'reset_password' | 'change_email'

/** A new link replaces the account's earlier link with the same purpose, so at most one link of each purpose works at a time. */
const PUT = platformStatement<{ expires_at: string }>(
  'accounts.put_link',
  `insert into platform.account_links (hash, account_id, purpose, expires_at)
   values ($1, $2, $3, clock_timestamp() + make_interval(mins => $4))
   on conflict on constraint account_links_one_of_a_purpose do update
      set hash = excluded.hash, created_at = clock_timestamp(), expires_at = excluded.expires_at
   returning expires_at`,
)

type NewLink = {
  readonly hash: Buffer
  readonly account: Id<'account'>
  readonly purpose: IssuedPurpose
  readonly minutes: number
}

/** Returns when the link expires. */
export async function putLink(tx: PlatformTx, { hash, account, purpose, minutes }: NewLink): Promise<string> {
  return (await tx.one(PUT, [hash, account, purpose, minutes])).expires_at
}

/** A link whose page is at `LINK_PATH`. */
export type LinkInForce = {
  readonly account_id: Id<'account'>
  readonly purpose: Exclude<LinkPurpose, 'change_email'>
  readonly name: string
  readonly email: string
}

const FIND = platformStatement<LinkInForce>(
  'accounts.find_link',
  `select l.account_id, l.purpose, a.name, a.email
     from platform.account_links l join platform.accounts a on a.id = l.account_id
    where l.hash = $1 and l.purpose <> 'change_email' and l.expires_at > clock_timestamp() and a.disabled_at is null`,
)

export async function findLink(queries: PlatformQueries, hash: Buffer): Promise<LinkInForce | null> {
  return queries.maybeOne(FIND, [hash])
}

/** If two requests use the link at once, the second waits for the first and finds no row. */
const USE = platformStatement<{ account_id: Id<'account'> }>(
  'accounts.use_link',
  `delete from platform.account_links where hash = $1 and purpose = $2 and expires_at > clock_timestamp()
   returning account_id`,
)

export async function useLink(tx: PlatformTx, hash: Buffer, purpose: LinkPurpose): Promise<Id<'account'> | null> {
  return (await tx.maybeOne(USE, [hash, purpose]))?.account_id ?? null
}

const DELETE_ALL = platformStatement(
  'accounts.delete_links',
  'delete from platform.account_links where account_id = $1',
)

export async function deleteLinksOf(tx: PlatformTx, account: Id<'account'>): Promise<void> {
  await tx.run(DELETE_ALL, [account])
}

const PURGE = platformStatement(
  'accounts.purge_links',
  `delete from platform.account_links where hash in (
     select hash from platform.account_links
      where expires_at <= clock_timestamp() order by expires_at limit $1
      for update skip locked)`,
)

export async function purgeLinks(tx: PlatformTx, limit: number): Promise<number> {
  return tx.run(PURGE, [limit])
}

const SIGN_UPS = platformStatement<{ begins_at: string; count: number }>(
  'accounts.sign_up_series',
  `select date_trunc($1, created_at, 'UTC') as begins_at, count(*)::int as count from platform.accounts
    where created_at >= date_trunc($1, clock_timestamp(), 'UTC') - ($2::int - 1) * ('1 ' || $1)::interval
    group by 1 order by 1`,
)

/** How many accounts were created in each hour or day (UTC) of real time. Hours and days without a new account are left out. */
export async function signUpSeries(queries: PlatformQueries, unit: 'hour' | 'day', count: number) {
  return queries.many(SIGN_UPS, [unit, count])
}
