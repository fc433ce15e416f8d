import { rateLimited } from '#http/rate-limited.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { commentsOfDay } from './daily-comments-store.ts'

const DAY_SECONDS = 86_400

/** "20 proposals per user per day (429)", of all apps together: it is the person who is asked that often. 0 lifts it. */
export async function refuseManyComments(tx: Tx, user: Id<'user'>, perDay: number): Promise<void> {
  if (perDay === 0) return
  const { proposed, day_ends: resetAt, seconds_left: retryAfterSeconds } = await commentsOfDay(tx, user)
  if (proposed < perDay) return
  throw rateLimited(
    { limit: perDay, periodSeconds: DAY_SECONDS, retryAfterSeconds, resetAt },
    `Too many proposals of comments: the ceiling is ${perDay} per day for each user.`,
  )
}
