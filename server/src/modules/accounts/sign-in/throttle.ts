import type { PurposeKeys } from '#system/crypto/keyring.ts'
import type { PlatformDatabase, PlatformTx } from '#system/postgres/database.ts'
import { type Attempt, attemptBuckets, WINDOW_MINUTES } from './attempt-buckets.ts'
import { countAttempt, resetAttempts } from './attempt-store.ts'

/**
 * Counts an attempt before any password is looked at: of sixteen sent at once, five are verified and eleven refused.
 * Null, or in how many seconds another attempt makes sense.
 */
export async function refuseManyAttempts(
  db: PlatformDatabase,
  keys: PurposeKeys,
  attempt: Attempt,
): Promise<number | null> {
  for (const { bucket, attemptsMax } of attemptBuckets(keys.current, attempt).all) {
    const { attempts, seconds_left } = await countAttempt(db, bucket, WINDOW_MINUTES)
    if (attempts > attemptsMax) return Math.max(1, seconds_left)
  }
  return null
}

/** Who got in proved that these attempts were theirs. The other two go on counting: they are about everybody. */
export async function forgetAttempts(tx: PlatformTx, keys: PurposeKeys, attempt: Attempt): Promise<void> {
  await resetAttempts(tx, attemptBuckets(keys.current, attempt).pair.bucket)
}
