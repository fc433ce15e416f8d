import type { Id } from '#kernel/ids.ts'
import type {
  PlatformDatabase,
  PlatformQueries,
  PlatformTx,
  WorldDatabase,
  WorldQueries,
} from '#system/postgres/database.ts'
import { platformStatement, shortStatement, statement } from '#system/postgres/statement.ts'

export type Counted = {
  readonly attempts: number
  readonly seconds_left: number
  /** Identifies the window in which the attempt was counted. */
  readonly window_ends_at: string
}

/**
 * Counts the attempt and returns the count in one statement, so each of many concurrent attempts gets its own number. Outside a transaction
 * the statement commits by itself, so the row is locked only briefly. A window begins with its first attempt.
 */
const COUNT = platformStatement<Counted>(
  'accounts.count_attempt',
  `insert into platform.sign_in_attempts as counted (bucket, window_ends_at, attempts)
   values ($1, clock_timestamp() + make_interval(mins => $2), 1)
   on conflict on constraint sign_in_attempts_pkey do update
      set attempts = case when counted.window_ends_at > clock_timestamp() then counted.attempts + 1 else 1 end,
          window_ends_at = case when counted.window_ends_at > clock_timestamp() then counted.window_ends_at
                                else excluded.window_ends_at end
   returning attempts, window_ends_at,
             ceil(extract(epoch from (window_ends_at - clock_timestamp())))::int as seconds_left`,
)

export async function countAttempt(
  db: Pick<PlatformDatabase, 'reads'>,
  bucket: Buffer,
  windowMinutes: number,
): Promise<Counted> {
  return db.reads.one(COUNT, [bucket, windowMinutes])
}

/** Subtracts an attempt only from the window in which it was counted. A count below zero would allow an extra attempt. */
const GIVE_BACK = platformStatement(
  'accounts.give_attempt_back',
  `update platform.sign_in_attempts set attempts = attempts - 1
    where bucket = $1 and window_ends_at = $2 and attempts > 0`,
)

export async function giveAttemptBack(tx: PlatformTx, bucket: Buffer, windowEndsAt: string): Promise<void> {
  await tx.run(GIVE_BACK, [bucket, windowEndsAt])
}

const RESET = platformStatement('accounts.reset_attempts', 'delete from platform.sign_in_attempts where bucket = $1')

export async function resetAttempts(tx: PlatformTx, bucket: Buffer): Promise<void> {
  await tx.run(RESET, [bucket])
}

const FIND_UNLOCK = platformStatement<{ attempts: number }>(
  'accounts.find_unlock',
  'select attempts from platform.sign_in_attempts where bucket = $1 and window_ends_at > clock_timestamp()',
)

/** Zero for an account that was not unlocked within the last day. */
export async function findUnlock(db: Pick<PlatformDatabase, 'reads'>, bucket: Buffer): Promise<number> {
  return (await db.reads.maybeOne(FIND_UNLOCK, [bucket]))?.attempts ?? 0
}

/**
 * The row lasts longer than any window that counts wrong passwords or codes. `attempts` gets the number of seconds since 2020, so every
 * unlock gets a new number. The number fits into an integer until 2088.
 */
const UNLOCK = platformStatement(
  'accounts.unlock',
  `insert into platform.sign_in_attempts as unlocked (bucket, window_ends_at, attempts)
   values ($1, clock_timestamp() + interval '1 day', extract(epoch from clock_timestamp() - '2020-01-01Z'::timestamptz)::int)
   on conflict on constraint sign_in_attempts_pkey do update
      set attempts = greatest(unlocked.attempts + 1, excluded.attempts), window_ends_at = excluded.window_ends_at`,
)

export async function recordUnlock(tx: PlatformTx, bucket: Buffer): Promise<void> {
  await tx.run(UNLOCK, [bucket])
}

const PURGE = platformStatement(
  'accounts.purge_attempts',
  `delete from platform.sign_in_attempts where bucket in (
     select bucket from platform.sign_in_attempts
      where window_ends_at <= clock_timestamp() order by window_ends_at limit $1
      for update skip locked)`,
)

export async function purgeAttempts(tx: PlatformTx, limit: number): Promise<number> {
  return tx.run(PURGE, [limit])
}

const INSERT = platformStatement(
  'accounts.insert_device',
  `insert into platform.sign_in_devices (hash, account_id, expires_at)
   values ($1, $2, clock_timestamp() + make_interval(days => $3))`,
)

type NewDevice = { readonly hash: Buffer; readonly account: Id<'account'>; readonly days: number }

export async function insertDevice(tx: PlatformTx, { hash, account, days }: NewDevice): Promise<void> {
  await tx.run(INSERT, [hash, account, days])
}

/** Counts the attempt as a failure before the password is verified, so that parallel attempts cannot exceed the maximum. */
const COUNT_FAILURE = platformStatement<{ failures: number }>(
  'accounts.count_device_failure',
  `update platform.sign_in_devices set failures = failures + 1
    where hash = $1 and account_id = $2 and failures < $3 and expires_at > clock_timestamp()
   returning failures`,
)

/** False for a device that is unknown, is expired, belongs to another account, or has used up its failures. */
export async function countDeviceFailure(
  db: PlatformDatabase,
  {
    hash,
    account,
    failuresMax,
  }: { readonly hash: Buffer; readonly account: Id<'account'>; readonly failuresMax: number },
): Promise<boolean> {
  return (await db.reads.maybeOne(COUNT_FAILURE, [hash, account, failuresMax])) !== null
}

const UNCOUNT_FAILURE = platformStatement(
  'accounts.uncount_device_failure',
  'update platform.sign_in_devices set failures = failures - 1 where hash = $1 and failures > 0',
)

/** Reverts the count of an attempt whose password was right, because attempts are counted before the password is verified. */
export async function uncountDeviceFailure(db: PlatformDatabase, hash: Buffer): Promise<void> {
  await db.reads.run(UNCOUNT_FAILURE, [hash])
}

const KNOWN = platformStatement<{ hash: Buffer }>(
  'accounts.find_device',
  `select hash from platform.sign_in_devices
    where hash = $1 and account_id = $2 and expires_at > clock_timestamp()`,
)

/** Whether the account's device with this secret still exists: the browser signed in before, and its device has not expired. */
export async function isKnownDevice(tx: PlatformTx, hash: Buffer, account: Id<'account'>): Promise<boolean> {
  return (await tx.maybeOne(KNOWN, [hash, account])) !== null
}

const DELETE = platformStatement('accounts.delete_device', 'delete from platform.sign_in_devices where hash = $1')

export async function deleteDevice(tx: PlatformTx, hash: Buffer): Promise<void> {
  await tx.run(DELETE, [hash])
}

const DELETE_OLDEST = platformStatement(
  'accounts.delete_oldest_devices',
  `delete from platform.sign_in_devices where hash in (
     select hash from platform.sign_in_devices where account_id = $1 order by created_at desc, hash offset $2)`,
)

export async function deleteOldestDevices(tx: PlatformTx, account: Id<'account'>, keepCount: number): Promise<void> {
  await tx.run(DELETE_OLDEST, [account, keepCount])
}

const DELETE_ALL = platformStatement(
  'accounts.delete_devices',
  'delete from platform.sign_in_devices where account_id = $1',
)

export async function deleteDevicesOf(tx: PlatformTx, account: Id<'account'>): Promise<number> {
  return tx.run(DELETE_ALL, [account])
}

const DEVICE_PURGE = platformStatement(
  'accounts.purge_devices',
  `delete from platform.sign_in_devices where hash in (
     select hash from platform.sign_in_devices
      where expires_at <= clock_timestamp() order by expires_at limit $1
      for update skip locked)`,
)

export async function purgeDevices(tx: PlatformTx, limit: number): Promise<number> {
  return tx.run(DEVICE_PURGE, [limit])
}

/**
 * A browser's session ends 8 hours after its last recorded use, at the latest 7 days after the sign-in, in real time. So a forgotten
 * browser stays signed in for a working day, and a stolen cookie works for a week at most. `expires_at` is the earlier of the two times;
 * recording a use moves it. A use is recorded at most every five minutes, to save writes.
 */
const SESSION_IDLE = "interval '8 hours'"
const SESSION_LIFETIME = "interval '7 days'"
const SESSION_TOUCH_INTERVAL = "interval '5 minutes'"

/** `for share` waits for a transaction that is disabling the account. Inserts and returns nothing for a disabled account. */
const SESSION_INSERT = platformStatement<{ account_id: Id<'account'> }>(
  'accounts.insert_session',
  `insert into platform.sign_in_sessions (hash, account_id, expires_at, proven_at, device, factor_at)
   select $1, id, clock_timestamp() + ${SESSION_IDLE}, clock_timestamp(), $3, case when $4 then clock_timestamp() end
     from platform.accounts where id = $2 and disabled_at is null for share
   returning account_id`,
)

type NewSession = {
  readonly hash: Buffer
  readonly account: Id<'account'>
  readonly device: string
  /** Whether the person proved a second factor in this session. */
  readonly withFactor: boolean
}

export async function insertSession(tx: PlatformTx, session: NewSession): Promise<boolean> {
  const { hash, account, device, withFactor } = session
  return (await tx.maybeOne(SESSION_INSERT, [hash, account, device, withFactor])) !== null
}

type SessionInForce = {
  readonly account_id: Id<'account'>
  readonly name: string
  readonly email: string
  readonly unseen_lately: boolean
  readonly proven_seconds_ago: number
}

/** Sessions that began before proofs were recorded have '-infinity', which cannot be subtracted. The year 2000 replaces it. */
const PROVEN_SECONDS_AGO = `extract(epoch from clock_timestamp() - greatest(s.proven_at, '2000-01-01'))::int`

/** Two rows by their primary keys, read on every request of a browser, so that disabling an account takes effect at once. */
const FIND = shortStatement<SessionInForce>(
  'accounts.find_session',
  `select s.account_id, a.name, a.email, s.seen_at < clock_timestamp() - ${SESSION_TOUCH_INTERVAL} as unseen_lately,
          ${PROVEN_SECONDS_AGO} as proven_seconds_ago
     from platform.sign_in_sessions s join platform.accounts a on a.id = s.account_id
    where s.hash = $1 and s.kind = 'browser' and s.expires_at > clock_timestamp() and a.disabled_at is null`,
)

export async function findSession(db: WorldDatabase, hash: Buffer): Promise<SessionInForce | null> {
  const [session] = await db.short(FIND, [hash])
  return session ?? null
}

/**
 * Checks the conditions again, so that only one of many concurrent requests writes, and a session that expired meanwhile is not revived.
 */
const TOUCH = statement(
  'accounts.touch_session',
  `update platform.sign_in_sessions
      set seen_at = clock_timestamp(),
          expires_at = least(created_at + ${SESSION_LIFETIME}, clock_timestamp() + ${SESSION_IDLE})
    where hash = $1 and seen_at < clock_timestamp() - ${SESSION_TOUCH_INTERVAL} and expires_at > clock_timestamp()`,
)

export async function touchSession(db: WorldDatabase, hash: Buffer): Promise<void> {
  await db.reads.run(TOUCH, [hash])
}

const SESSION_DELETE = platformStatement(
  'accounts.delete_session',
  'delete from platform.sign_in_sessions where hash = $1',
)

export async function deleteSession(tx: PlatformTx, hash: Buffer): Promise<void> {
  await tx.run(SESSION_DELETE, [hash])
}

const SESSION_DELETE_ALL = platformStatement(
  'accounts.delete_sessions',
  'delete from platform.sign_in_sessions where account_id = $1',
)

export async function deleteSessionsOf(tx: PlatformTx, account: Id<'account'>): Promise<number> {
  return tx.run(SESSION_DELETE_ALL, [account])
}

const SESSION_PURGE = platformStatement(
  'accounts.purge_sessions',
  `delete from platform.sign_in_sessions where hash in (
     select hash from platform.sign_in_sessions
      where expires_at <= clock_timestamp() order by expires_at limit $1
      for update skip locked)`,
)

export async function purgeSessions(tx: PlatformTx, limit: number): Promise<number> {
  return tx.run(SESSION_PURGE, [limit])
}

/** Times are real time, as text. */
export type SessionRow = {
  readonly id: string
  readonly kind: 'browser' | 'command_line'
  readonly device: string | null
  readonly created_at: string
  readonly seen_at: string
  readonly is_this: boolean
}

const SESSIONS = platformStatement<SessionRow>(
  'accounts.sessions_of',
  `select id, kind, device, created_at, seen_at, hash = $2 as is_this
     from platform.sign_in_sessions
    where account_id = $1 and expires_at > clock_timestamp() and code_challenge is null
    order by hash = $2 desc, seen_at desc, id limit 100`,
)

/** This browser's session first, then by last use, at most 100. Leaves out command lines that have not fetched their token yet. */
export async function listSessions(
  queries: PlatformQueries,
  account: Id<'account'>,
  current: Buffer,
): Promise<readonly SessionRow[]> {
  return queries.many(SESSIONS, [account, current])
}

const END_BY_ID = platformStatement(
  'accounts.end_session_by_id',
  'delete from platform.sign_in_sessions where account_id = $1 and id = $2',
)

export async function deleteSessionById(tx: PlatformTx, account: Id<'account'>, id: string): Promise<boolean> {
  return (await tx.run(END_BY_ID, [account, id])) === 1
}

const PROVE = platformStatement(
  'accounts.prove_session',
  `update platform.sign_in_sessions
      set proven_at = clock_timestamp(), factor_at = case when $2 then clock_timestamp() else factor_at end
    where hash = $1 and expires_at > clock_timestamp()`,
)

/** Records that the person of this session has just proved who they are: with a second factor, or with a password alone. */
export async function proveSession(tx: PlatformTx, hash: Buffer, withFactor: boolean): Promise<void> {
  await tx.run(PROVE, [hash, withFactor])
}

const IS_PROVEN = statement<{ hash: Buffer }>(
  'accounts.is_session_proven',
  `select hash from platform.sign_in_sessions
    where hash = $1 and expires_at > clock_timestamp() and proven_at >= clock_timestamp() - make_interval(secs => $2)`,
)

/** Runs in a world's transaction too, because some decisions there need a recent proof. */
export async function isRecentlyProven(queries: WorldQueries, hash: Buffer, seconds: number): Promise<boolean> {
  return (await queries.maybeOne(IS_PROVEN, [hash, seconds])) !== null
}
