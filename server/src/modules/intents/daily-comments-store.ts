import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

export type CommentsOfDay = { readonly proposed: number; readonly day_ends: number; readonly seconds_left: number }

/** Real days, in UTC: limits are aligned to the clock, and the sandbox's own may stand anywhere. */
const OF_DAY = statement<CommentsOfDay>(
  'intents.comments_of_day',
  `with today as (select date_trunc('day', clock_timestamp(), 'UTC') as begins)
   select (select count(*)::int from intents i
            where i.user_id = $1 and i.action = 'comments.create' and i.recorded_at >= begins) as proposed,
          extract(epoch from begins + interval '1 day')::int as day_ends,
          ceil(extract(epoch from begins + interval '1 day' - clock_timestamp()))::int as seconds_left
     from today`,
)

/** Whoever asks holds the user's row, so that two at once cannot both be the last. */
export async function commentsOfDay(tx: Tx, user: Id<'user'>): Promise<CommentsOfDay> {
  return tx.one(OF_DAY, [user])
}
