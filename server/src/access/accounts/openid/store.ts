import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { PlatformDatabase, PlatformQueries, PlatformTx } from '#system/postgres/database.ts'
import { platformStatement } from '#system/postgres/statement.ts'

/** Commits by itself, so the state stays used even if the sign-in fails afterwards. */
const USE = platformStatement<{ hash: Buffer }>(
  'accounts.use_openid_state',
  `insert into platform.openid_states_used (hash, expires_at)
   values ($1, clock_timestamp() + make_interval(secs => $2))
   on conflict on constraint openid_states_used_pkey do nothing
   returning hash`,
)

/** False if the state was used before; of several requests at once, one gets true. */
export async function consumeState(db: PlatformDatabase, hash: Buffer, seconds: number): Promise<boolean> {
  return (await db.reads.maybeOne(USE, [hash, seconds])) !== null
}

const PURGE = platformStatement(
  'accounts.purge_openid_states',
  `delete from platform.openid_states_used where hash in (
     select hash from platform.openid_states_used
      where expires_at <= clock_timestamp() order by expires_at limit $1
      for update skip locked)`,
)

export async function purgeUsedStates(tx: PlatformTx, limit: number): Promise<number> {
  return tx.run(PURGE, [limit])
}

const BY_IDENTITY = platformStatement<{ account_id: Id<'account'> }>(
  'accounts.by_identity',
  'select account_id from platform.account_identities where issuer = $1 and subject = $2',
)

type IdentityKey = { readonly issuer: string; readonly subject: string }

export async function findAccountByIdentity(
  queries: PlatformQueries,
  { issuer, subject }: IdentityKey,
): Promise<Id<'account'> | null> {
  return (await queries.maybeOne(BY_IDENTITY, [issuer, subject]))?.account_id ?? null
}

const SUBJECTS = platformStatement<{ subject: string }>(
  'accounts.subjects_of',
  'select subject from platform.account_identities where account_id = $1 and issuer = $2',
)

/**
 * The account's subject at this provider. An account has at most one, because code that adds a subject first locks the account
 * and reads its present subject.
 */
export async function findSubjectOf(tx: PlatformTx, account: Id<'account'>, issuer: string): Promise<string | null> {
  return (await tx.maybeOne(SUBJECTS, [account, issuer]))?.subject ?? null
}

const INSERT = platformStatement(
  'accounts.insert_identity',
  'insert into platform.account_identities (issuer, subject, account_id) values ($1, $2, $3)',
)

export async function insertIdentity(
  tx: PlatformTx,
  account: Id<'account'>,
  { issuer, subject }: IdentityKey,
): Promise<void> {
  await tx.run(INSERT, [issuer, subject, account])
}

type UserId = { readonly id: Id<'user'> }

/** Locks the user until commit. If two accounts claim this user at once, the second one sees the link of the first. */
const LOCK_USER = {
  test: platformStatement<UserId>(
    'accounts.lock_test_user_by_email',
    `select id from test.users where lower(email) = lower($1 collate "C") and deactivated_at is null for no key update`,
  ),
  live: platformStatement<UserId>(
    'accounts.lock_live_user_by_email',
    `select id from live.users where lower(email) = lower($1 collate "C") and deactivated_at is null for no key update`,
  ),
}

export async function lockActiveUserByEmail(tx: PlatformTx, world: World, email: string): Promise<Id<'user'> | null> {
  return (await tx.maybeOne(LOCK_USER[world], [email]))?.id ?? null
}

const ACCOUNT_OF_USER = platformStatement<{ account_id: Id<'account'> }>(
  'accounts.account_of_user',
  'select account_id from platform.account_users where world = $1 and user_id = $2',
)

export async function findAccountOfUser(tx: PlatformTx, world: World, user: Id<'user'>): Promise<Id<'account'> | null> {
  return (await tx.maybeOne(ACCOUNT_OF_USER, [world, user]))?.account_id ?? null
}
