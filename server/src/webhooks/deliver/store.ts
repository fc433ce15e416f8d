import type { Id } from '#kernel/ids.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { Attempt } from '../history/delivery.ts'
import { isStopped } from '../queue/stop-store.ts'

/** The health of an endpoint since the last write. */
export type Health = {
  readonly endpoint: Id<'webhookEndpoint'>
  /** Of the last attempt. */
  readonly status: string
  readonly isFailing: boolean
  /** There was a success, so earlier failures are over. */
  readonly succeeded: boolean
}

/** "failing_since": the first failure since the last success. */
const SET_HEALTH = statement(
  'webhooks.set_lane_health',
  `with outcome as (
     select t.endpoint_id, t.status, t.failing, t.succeeded
       from jsonb_to_recordset($1::jsonb)
              as t (endpoint_id text collate "C", status text, failing boolean, succeeded boolean)),
   held as materialized (
     select l.endpoint_id from webhook_lanes l
      where l.endpoint_id in (select outcome.endpoint_id from outcome) order by l.endpoint_id for no key update)
   update webhook_lanes l
      set last_delivery_at = world_now(), last_delivery_status = outcome.status,
          failing_since = case when not outcome.failing then null
                               when outcome.succeeded then world_now() else coalesce(l.failing_since, world_now()) end,
          failing_told = case when outcome.succeeded then 0 else l.failing_told end
     from held, outcome where l.endpoint_id = held.endpoint_id and outcome.endpoint_id = held.endpoint_id`,
)

export async function setHealth(db: WorldDatabase, all: readonly Health[]): Promise<void> {
  const rows = all.map(({ endpoint, status, isFailing, succeeded }) => ({
    endpoint_id: endpoint,
    status,
    failing: isFailing,
    succeeded,
  }))
  await db.reads.run(SET_HEALTH, [JSON.stringify(rows)])
}

/** The outcome of a delivery. */
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
 * Records a batch: ended deliveries move from the queue into the history, the others get their next due time. A missing row
 * was canceled meanwhile and is in the history already. A stopped row that still exists counts as canceled too, so no other
 * outcome is recorded for it. Rows are locked in the order of ids, as everywhere.
 */
const RECORD = statement(
  'webhooks.record_deliveries',
  `with outcome as (
     select r.id, r.state, r.reason, r.after_seconds, r.attempt
       from jsonb_to_recordset($1::jsonb)
              as r (id text collate "C", state text, reason text, after_seconds double precision, attempt jsonb)),
   held as materialized (
     select q.id from delivery_queue q
      where q.id = any(array(select outcome.id from outcome))
        and (not ${isStopped('', 'q')} or q.id = any(array(select outcome.id from outcome where outcome.state = 'canceled')))
      order by q.id for update),
   gone as (
     delete from delivery_queue q
      where q.id = any(array(select id from held join outcome using (id) where outcome.state <> 'again'))
     returning q.id, q.endpoint_id, q.installation_id, q.event_id, q.api_version, q.created_at, q.clock_ahead,
               q.redelivery_of, q.attempts),
   recorded as (
     insert into delivery_history (id, endpoint_id, installation_id, event_id, api_version, created_at, clock_ahead,
                                   redelivery_of, state, reason, attempts, ended_at)
     select id, gone.endpoint_id, gone.installation_id, gone.event_id, gone.api_version, gone.created_at,
            gone.clock_ahead, gone.redelivery_of, outcome.state, outcome.reason, gone.attempts || coalesce(outcome.attempt, '[]'),
            (select world_now())
       from gone join outcome using (id))
   update delivery_queue q
      set attempt = q.attempt + 1, attempts = q.attempts || outcome.attempt,
          due_at = (select world_now()) + make_interval(secs => outcome.after_seconds)
     from outcome
    where q.id = outcome.id and outcome.state = 'again'
      and q.id = any(array(select id from held join outcome using (id) where outcome.state = 'again'))`,
)

export async function recordDeliveries(db: WorldDatabase, all: readonly Recorded[]): Promise<void> {
  const rows = all.map(({ afterSeconds, ...rest }) => ({ ...rest, after_seconds: afterSeconds }))
  await db.reads.run(RECORD, [JSON.stringify(rows)])
}
