import type { PlatformDatabase, PlatformTx } from '#system/postgres/database.ts'
import { platformStatement } from '#system/postgres/statement.ts'

export type Counted = {
  readonly attempts: number
  readonly seconds_left: number
  /** Names the window in which it was counted. */
  readonly window_ends_at: string
}

/**
 * Counts and tells in one statement, which commits by itself: of many at once each gets a number of its own, and none
 * of them holds up the others for longer. A window begins with its first attempt.
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

export async function countAttempt(db: PlatformDatabase, bucket: Buffer, windowMinutes: number): Promise<Counted> {
  return db.reads.one(COUNT, [bucket, windowMinutes])
}

/** Only in the window in which it was counted, and never below zero: nobody gains an attempt by it. */
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
