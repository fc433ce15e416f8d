import { offTheQueue } from '#events/index.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx, WorldDatabase } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import { ACTION, HIDDEN, IDENTITY_ONLY } from '../projection/projected-store.ts'
import { listensApp } from '../stream/queue-store.ts'
import type { TakenEvent } from './plan-deliveries.ts'

/** Delay before a deferred event is tried again; most locks are released by then. */
const TRIED_AGAIN_AFTER = `interval '50 milliseconds'`

/**
 * Whether events wait. This runs ten times a second and mostly finds none. It runs without a transaction, because in one it
 * took 5 % of a core. It reads along the indexes, which skip dead rows.
 */
const GLANCE = statement<{ waiting: boolean }>(
  'webhooks.glance_at_events',
  `select (select seq from event_queue order by seq limit 1) is not null
          or coalesce((select tried_at from deferred_events order by tried_at limit 1)
                        <= clock_timestamp() - ${TRIED_AGAIN_AFTER}, false) as waiting`,
)

/** Whether events wait. Another worker may take them first. */
export async function eventsWait(db: WorldDatabase): Promise<boolean> {
  return (await db.reads.one(GLANCE)).waiting
}

/** The columns of `events e` that decide who receives it. */
const COLUMNS = `e.id, e.name, e.recorded_at, e.company_id, e.syndicate_id, e.user_id, e.installation_id, e.app_id,
          ${HIDDEN} as hidden, ${IDENTITY_ONLY} as identity_only, ${ACTION} as action`

/** Events leave the queue in the transaction that queues their deliveries, so a rollback restores them. */
const TAKE = statement<TakenEvent>(
  'webhooks.take_events',
  `with taken as materialized (select seq from event_queue order by seq limit $1 for update skip locked),
        gone as (${offTheQueue('taken')} returning seq, event_id)
   select ${COLUMNS}, gone.seq::text as seq, null::text as left_to
     from gone join events e on e.id = gone.event_id order by gone.seq`,
)

export async function takeEvents(tx: Tx, limit: number): Promise<TakenEvent[]> {
  return tx.many(TAKE, [limit])
}

const LISTENING_ON = (target: 'company_id' | 'syndicate_id' | 'user_id') =>
  `exists (select from installations i
            where i.${target} = e.${target} and ${listensApp('i.app_id', '$2')})`

/** Events that name an app or an installation are never skipped, because there are few. */
const PASS_OVER = statement(
  'webhooks.pass_over_events',
  `with front as materialized (select seq, event_id from event_queue order by seq limit $1),
   unheard as materialized (
     select front.seq from front
      where (select not exists (select from platform.apps a where ${listensApp('a.id', '$2')}))
         or not exists (
           select from events e
            where e.id = front.event_id
              and (e.app_id is not null or e.installation_id is not null
                   or ${LISTENING_ON('company_id')} or ${LISTENING_ON('syndicate_id')} or ${LISTENING_ON('user_id')}))),
   held as materialized (
     select q.seq from unheard join event_queue q on q.seq = unheard.seq for update of q skip locked)
   ${offTheQueue('held')}`,
)

/**
 * Deletes the events that no app can receive, among the first ones in the queue. A platform whose partners all poll has
 * millions of such events, and one statement for thousands costs a tenth of checking each of them.
 */
export async function passOverEvents(tx: Tx, first: number): Promise<void> {
  await tx.run(PASS_OVER, [first, tx.world])
}

const TAKE_DEFERRED = statement<TakenEvent>(
  'webhooks.take_deferred',
  `with taken as materialized (
     select event_id, app_id from deferred_events where tried_at <= clock_timestamp() - ${TRIED_AGAIN_AFTER}
      order by tried_at limit $1 for update skip locked),
   gone as (
     delete from deferred_events d using taken where d.event_id = taken.event_id and d.app_id = taken.app_id
     returning d.event_id, d.app_id, d.event_seq)
   select ${COLUMNS}, gone.event_seq::text as seq, gone.app_id as left_to
     from gone join events e on e.id = gone.event_id order by e.recorded_at, e.id`,
)

/** Deferred events, longest waiting first. */
export async function takeDeferred(tx: Tx, limit: number): Promise<TakenEvent[]> {
  return tx.many(TAKE_DEFERRED, [limit])
}

export type Deferred = { readonly event: Id<'event'>; readonly app: Id<'app'>; readonly seq: string | null }

const DEFER = statement(
  'webhooks.defer_events',
  `insert into deferred_events (event_id, app_id, event_seq)
   select event_id, app_id, nullif(event_seq, '')::bigint
     from unnest($1::text[], $2::text[], $3::text[]) as left_over (event_id, app_id, event_seq)`,
)

export async function deferEvents(tx: Tx, deferred: readonly Deferred[]): Promise<void> {
  if (deferred.length === 0) return
  await tx.run(DEFER, [
    deferred.map(({ event }) => event),
    deferred.map(({ app }) => app),
    deferred.map(({ seq }) => seq ?? ''),
  ])
}
