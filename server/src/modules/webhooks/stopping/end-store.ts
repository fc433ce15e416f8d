import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { StopReason } from './stop.ts'
import { STOPPED_COLUMN } from './stop-store.ts'

export type UnfinishedStop = {
  readonly stopped_id: string
  readonly reason: StopReason
  readonly stopped_at: string
  readonly ended_at: string
}

const LOCK = statement<UnfinishedStop>(
  'webhooks.lock_unfinished_stop',
  `select stopped_id, reason, stopped_at, ended_at from delivery_stops
    where rows_left order by stopped_at limit 1 for update skip locked`,
)

/** The oldest that nobody else is at. */
export async function lockUnfinished(tx: Tx): Promise<UnfinishedStop | null> {
  return tx.maybeOne(LOCK)
}

const rowsOf = (reason: StopReason) =>
  statement<{ id: Id<'delivery'> }>(
    `webhooks.lock_left_of_${reason}`,
    `select id::text as id from delivery_queue
      where ${STOPPED_COLUMN[reason]} = $1 and created_at <= $2::timestamptz order by id limit $3 for update`,
  )
const ROWS = { installation_revoked: rowsOf('installation_revoked'), endpoint_removed: rowsOf('endpoint_removed') }

/** Fewer than asked for does not mean that there are no more: one that was waited for may be gone. */
export async function lockLeft(tx: Tx, stop: UnfinishedStop, limit: number): Promise<Id<'delivery'>[]> {
  return (await tx.many(ROWS[stop.reason], [stop.stopped_id, stop.stopped_at, limit])).map(({ id }) => id)
}

const anyOf = (reason: StopReason) =>
  statement<{ left: boolean }>(
    `webhooks.any_left_of_${reason}`,
    `select exists (select from delivery_queue
                     where ${STOPPED_COLUMN[reason]} = $1 and created_at <= $2::timestamptz) as left`,
  )
const ANY = { installation_revoked: anyOf('installation_revoked'), endpoint_removed: anyOf('endpoint_removed') }

export async function hasLeft(tx: Tx, { reason, stopped_id, stopped_at }: UnfinishedStop): Promise<boolean> {
  return (await tx.one(ANY[reason], [stopped_id, stopped_at])).left
}

const FINISH = statement('webhooks.finish_stop', 'update delivery_stops set rows_left = false where stopped_id = $1')

export async function finish(tx: Tx, { stopped_id }: UnfinishedStop): Promise<void> {
  await tx.run(FINISH, [stopped_id])
}

/** What was recorded then and is not committed now would be a transaction that goes on for longer than any may. */
const MARGIN = `interval '5 minutes'`

const FORGET = statement(
  'webhooks.forget_stops',
  `with oldest as materialized (
     select least(clock_timestamp(),
                  (select e.recorded_at from event_queue q join events e on e.id = q.event_id order by q.seq limit 1),
                  (select min(e.recorded_at) from deferred_events d join events e on e.id = d.event_id)) as at)
   delete from delivery_stops where stopped_id = any (array(
     select stopped_id from delivery_stops
      where not rows_left and stopped_at < (select at from oldest) - ${MARGIN} limit $1))`,
)

export async function deleteSeen(tx: Tx, limit: number): Promise<number> {
  return tx.run(FORGET, [limit])
}
