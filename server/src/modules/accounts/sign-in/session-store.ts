import type { Id } from '#kernel/ids.ts'
import type { PlatformTx, WorldDatabase } from '#system/postgres/database.ts'
import { platformStatement, shortStatement, statement } from '#system/postgres/statement.ts'

/**
 * A sign-in session ends 8 hours after its last use and 7 days after the sign-in, in real time: a forgotten browser is
 * worth a working day, a stolen cookie a week. `expires_at` is the earlier of the two and moves with every touch. To
 * write at every request would cost more than it says, so one touch counts for five minutes.
 */
const IDLE = "interval '8 hours'"
const ALTOGETHER = "interval '7 days'"
const TOUCHED_EVERY = "interval '5 minutes'"

/**
 * `for share`: an account that is being disabled at this moment is waited for, and then has no new session. Nothing is
 * returned for one that is disabled.
 */
const INSERT = platformStatement<{ account_id: Id<'account'> }>(
  'accounts.insert_session',
  `insert into platform.sign_in_sessions (hash, account_id, expires_at)
   select $1, id, clock_timestamp() + ${IDLE}
     from platform.accounts where id = $2 and disabled_at is null for share
   returning account_id`,
)

export async function insertSession(tx: PlatformTx, hash: Buffer, account: Id<'account'>): Promise<boolean> {
  return (await tx.maybeOne(INSERT, [hash, account])) !== null
}

export type SessionInForce = {
  readonly account_id: Id<'account'>
  readonly name: string
  readonly email: string
  readonly unseen_lately: boolean
}

/** Two rows by their primary keys, on every request of a browser: who was disabled a moment ago is not found. */
const FIND = shortStatement<SessionInForce>(
  'accounts.find_session',
  `select s.account_id, a.name, a.email, s.seen_at < clock_timestamp() - ${TOUCHED_EVERY} as unseen_lately
     from platform.sign_in_sessions s join platform.accounts a on a.id = s.account_id
    where s.hash = $1 and s.expires_at > clock_timestamp() and a.disabled_at is null`,
)

export async function findSession(db: WorldDatabase, hash: Buffer): Promise<SessionInForce | null> {
  const [session] = await db.short(FIND, [hash])
  return session ?? null
}

/** The conditions again: of many requests at once one writes, and what has expired meanwhile stays so. */
const TOUCH = statement(
  'accounts.touch_session',
  `update platform.sign_in_sessions
      set seen_at = clock_timestamp(),
          expires_at = least(created_at + ${ALTOGETHER}, clock_timestamp() + ${IDLE})
    where hash = $1 and seen_at < clock_timestamp() - ${TOUCHED_EVERY} and expires_at > clock_timestamp()`,
)

export async function touchSession(db: WorldDatabase, hash: Buffer): Promise<void> {
  await db.reads.run(TOUCH, [hash])
}

const DELETE = platformStatement('accounts.delete_session', 'delete from platform.sign_in_sessions where hash = $1')

export async function deleteSession(tx: PlatformTx, hash: Buffer): Promise<void> {
  await tx.run(DELETE, [hash])
}

const DELETE_ALL = platformStatement(
  'accounts.delete_sessions',
  'delete from platform.sign_in_sessions where account_id = $1',
)

export async function deleteSessionsOf(tx: PlatformTx, account: Id<'account'>): Promise<number> {
  return tx.run(DELETE_ALL, [account])
}

const PURGE = platformStatement(
  'accounts.purge_sessions',
  `delete from platform.sign_in_sessions where hash in (
     select hash from platform.sign_in_sessions
      where expires_at <= clock_timestamp() order by expires_at limit $1
      for update skip locked)`,
)

export async function purgeSessions(tx: PlatformTx, limit: number): Promise<number> {
  return tx.run(PURGE, [limit])
}
