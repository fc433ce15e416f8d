import type { PurposeKeys } from '#system/crypto/keyring.ts'
import type { PlatformDatabase, PlatformTx } from '#system/postgres/database.ts'
import { type Attempt, attemptBuckets, type Bucket, WINDOW_MINUTES } from './attempt-buckets.ts'
import { countAttempt, giveAttemptBack, resetAttempts } from './store.ts'

type CountedIn = Bucket & { readonly windowEndsAt: string }

export type CountedWindows = readonly CountedIn[]

type Counting =
  /** In how many seconds another attempt makes sense. */
  | { readonly retryAfterSeconds: number }
  /** In which windows it was counted: the pair's first. */
  | { readonly counted: readonly CountedIn[] }

/**
 * Counts an attempt before any password is looked at: of sixteen sent at once, five are verified and eleven refused.
 */
export async function countAttempts(db: PlatformDatabase, keys: PurposeKeys, attempt: Attempt): Promise<Counting> {
  const counted: CountedIn[] = []
  for (const each of attemptBuckets(keys.current, attempt)) {
    const { attempts, seconds_left, window_ends_at } = await countAttempt(db, each.bucket, WINDOW_MINUTES)
    if (attempts > each.attemptsMax) return { retryAfterSeconds: Math.max(1, seconds_left) }
    counted.push({ ...each, windowEndsAt: window_ends_at })
  }
  return { counted }
}

/**
 * Who got in proved that the attempts on this account from here were theirs: these are forgotten. The limits of the
 * address and of the account are about everybody; of those they get back the one attempt they made, so that an office
 * behind one address is not kept out by its own people. In the order of counting, as everybody locks them.
 */
export async function forgetAttempts(tx: PlatformTx, [pair, ...others]: readonly CountedIn[]): Promise<void> {
  if (pair !== undefined) await resetAttempts(tx, pair.bucket)
  for (const { bucket, windowEndsAt } of others) await giveAttemptBack(tx, bucket, windowEndsAt)
}
