import { newId } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

/**
 * The real time at which the world's was so many days ago. While the clock stood still that is so many days before now;
 * of each span before a move, so much earlier as the clock was less ahead, or its end.
 */
const HORIZON = statement<{ horizon: string }>(
  'events.horizon',
  `select max(least(span.until, world_now() - make_interval(days => $1) - span.ahead)) as horizon
     from (select clock_timestamp() as until, ahead from world_clock
           union all
           select moved_at, ahead_before from clock_moves) span`,
)

/** What was recorded before this has been kept for so many days of the world's time. */
export async function findHorizon(tx: Tx, days: number): Promise<string> {
  return (await tx.one(HORIZON, [days])).horizon
}

/**
 * Along the ids, which begin with the time at which they were made. What fan-out is not done with stays, however old, and
 * what somebody asked to be sent again: these queues belong to the webhooks and are only read here.
 */
const DELETE = statement(
  'events.purge',
  `delete from events where id = any (array(
     select e.id::text from events e
      where e.id < $1 and e.recorded_at < $2::timestamptz
        and not exists (select from event_queue q where q.event_id = e.id)
        and not exists (select from deferred_events l where l.event_id = e.id)
        and not exists (select from delivery_queue d where d.event_id = e.id and d.redelivery_of is not null)
      order by e.id limit $3))`,
)

export async function deleteEvents(tx: Tx, horizon: string, limit: number): Promise<number> {
  return tx.run(DELETE, [lowestId(horizon), horizon, limit])
}

/** The first id that could have been made at that time. */
function lowestId(at: string): string {
  return newId('event', Date.parse(at), (bytes) => bytes.fill(0))
}
