import type { Id } from '#kernel/ids.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { Attempt } from './attempt.ts'

/** What came of a delivery that was taken up. */
export type Recorded = {
  readonly id: Id<'delivery'>
  readonly state: 'delivered' | 'exhausted' | 'canceled' | 'again'
  /** Why it was canceled. */
  readonly reason: string | null
  /** When it is tried again. */
  readonly afterSeconds: number | null
  /** Null where nothing was sent. */
  readonly attempt: Attempt | null
}

/**
 * A batch in one statement: what has ended moves from the queue into the history, the rest waits for its next attempt. A
 * row that is gone was canceled meanwhile, and its history says so already. Locked by id first, as everybody does who takes
 * several rows out of the queue.
 */
const RECORD = statement(
  'webhooks.record_deliveries',
  `with told as (
     select r.id, r.state, r.reason, r.after_seconds, r.attempt
       from jsonb_to_recordset($1::jsonb)
              as r (id text collate "C", state text, reason text, after_seconds double precision, attempt jsonb)),
   held as materialized (
     select q.id from delivery_queue q where q.id in (select told.id from told) order by q.id for update),
   gone as (
     delete from delivery_queue q using held, told
      where q.id = held.id and told.id = held.id and told.state <> 'again'
     returning q.id, q.endpoint_id, q.installation_id, q.event_id, q.api_version, q.created_at, q.redelivery_of,
               told.state, told.reason, q.attempts || coalesce(told.attempt, '[]') as attempts),
   kept as (
     insert into delivery_history (id, endpoint_id, installation_id, event_id, api_version, created_at, redelivery_of,
                                   state, reason, attempts)
     select id, endpoint_id, installation_id, event_id, api_version, created_at, redelivery_of, state, reason, attempts
       from gone)
   update delivery_queue q
      set attempt = q.attempt + 1, attempts = q.attempts || told.attempt,
          due_at = world_now() + make_interval(secs => told.after_seconds)
     from held, told
    where q.id = held.id and told.id = held.id and told.state = 'again'`,
)

export async function recordDeliveries(db: WorldDatabase, all: readonly Recorded[]): Promise<void> {
  const rows = all.map(({ afterSeconds, ...rest }) => ({ ...rest, after_seconds: afterSeconds }))
  await db.reads.run(RECORD, [JSON.stringify(rows)])
}
