import { eventHorizon } from '#events/index.ts'
import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { PlatformTx, Tx, WorldDatabase } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import { namesGiving } from '../projection/entitlement.ts'
import { fromPlatform, worldText } from '../queue/store.ts'

/** An event in the event stream, for one installation or (null) for the app itself. */
export type StreamEntry = {
  readonly event: Id<'event'>
  readonly installation: Id<'installation'> | null
  readonly app: Id<'app'>
  /** The app's version at fan-out. */
  readonly version: string
  /**
   * The event's place in the fan-out queue; null for a redelivery, and for an event that an older version of the server
   * deferred.
   */
  readonly seq: string | null
}

/**
 * The scopes that allow a credential to read the stream. A credential can have such a scope only if its app declares
 * it.
 */
const DECLARED = `array[${namesGiving('read:webhooks')
  .map((name) => `'${name}'`)
  .join(', ')}]`

/** SQL: whether the app has an endpoint in the world, or may read the event stream. */
export const listensApp = (app: string, world: string) => `(
  exists (select from platform.webhook_endpoints w where w.app_id = ${app} and w.world = ${world} and w.state <> 'removed')
  or exists (select from platform.apps reader where reader.id = ${app} and reader.scopes && ${DECLARED}))`

const READERS = statement<{ id: Id<'app'>; api_version: string }>(
  'webhooks.find_stream_readers',
  `select a.id, a.api_version
     from platform.apps a join platform.organizations o on o.id = a.organization_id and o.state = 'active'
    where a.id = any($1) and a.deleted_at is null and a.scopes && ${DECLARED}`,
)

/** Returns the apps among these that may read the stream, with their current version. */
export async function findReaders(tx: Tx, apps: readonly Id<'app'>[]): Promise<ReadonlyMap<Id<'app'>, string>> {
  if (apps.length === 0) return new Map()
  return new Map((await tx.many(READERS, [apps])).map(({ id, api_version }) => [id, api_version]))
}

/** An empty text means null, because the driver's arrays cannot contain nulls. */
const QUEUE = worldText(
  'webhooks.queue_stream_entries',
  (schema) => `
  insert into ${schema}event_stream_queue (event_seq, event_id, installation_id, app_id, api_version, redelivery_of)
  select nullif(event_seq, '')::bigint, event_id, nullif(installation_id, ''), app_id, api_version, nullif(redelivery_of, '')
    from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[]) with ordinality
      as entry (event_seq, event_id, installation_id, app_id, api_version, redelivery_of, place)
   order by place`,
)

type QueuedEntry = StreamEntry & { readonly redeliveryOf?: string }

function columnsOf(entries: readonly QueuedEntry[]): (readonly string[])[] {
  return [
    entries.map(({ seq }) => seq ?? ''),
    entries.map(({ event }) => event),
    entries.map(({ installation }) => installation ?? ''),
    entries.map(({ app }) => app),
    entries.map(({ version }) => version),
    entries.map(({ redeliveryOf = '' }) => redeliveryOf),
  ]
}

export async function queueEntries(tx: Tx, entries: readonly StreamEntry[]): Promise<void> {
  if (entries.length > 0) await tx.run(QUEUE.own, columnsOf(entries))
}

/** A delivery of the app that is sent again. */
type Again = {
  readonly id: Id<'delivery'>
  readonly event_id: Id<'event'>
  readonly installation_id: Id<'installation'> | null
  readonly api_version: string
}

type Redelivered = { readonly app: Id<'app'>; readonly world: World; readonly originals: readonly Again[] }

/** Adds the events of redeliveries and replays to the stream again, each with the delivery that it repeats. */
export async function queueAgainInStream(tx: PlatformTx, { app, world, originals }: Redelivered): Promise<void> {
  const entries = originals.map(({ id, event_id: event, installation_id: installation, api_version: version }) => {
    return { event, installation, app, version, seq: null, redeliveryOf: id }
  })
  if (entries.length > 0) await fromPlatform(tx, world).run(QUEUE, columnsOf(entries))
}

const GLANCE = statement<{ waiting: boolean }>(
  'webhooks.glance_at_stream',
  'select (select seq from event_stream_queue order by seq limit 1) is not null as waiting',
)

async function entriesWait(queries: Pick<Tx, 'one'>): Promise<boolean> {
  return (await queries.one(GLANCE)).waiting
}

const LOCK = statement<{ position: string }>(
  'webhooks.lock_event_stream',
  'select position::text as position from event_stream for update skip locked',
)

/** The last position; null while another worker assigns positions. */
async function lockStream(tx: Tx): Promise<string | null> {
  return (await tx.maybeOne(LOCK))?.position ?? null
}

/**
 * Runs after the lock, so that this statement sees what the last worker committed. An event that fan-out has not
 * processed blocks all later events. An event that fan-out has deferred for an app blocks the later events of that app.
 * An event moves from `event_queue` to `event_stream_queue` in one transaction, and this single statement reads both
 * tables, so it misses no event.
 */
const PLACE = statement<{ placed: number }>(
  'webhooks.place_stream_entries',
  `with ready as materialized (
     select q.seq, q.event_seq from event_stream_queue q
      where q.event_seq is null
         or (q.event_seq < coalesce((select first.seq from event_queue first order by first.seq limit 1), q.event_seq + 1)
             and not exists (select from deferred_events d where d.app_id = q.app_id and d.event_seq < q.event_seq))
      order by q.event_seq, q.seq limit $2),
   gone as (
     delete from event_stream_queue q using ready where q.seq = ready.seq
     returning q.seq, q.event_seq, q.event_id, q.installation_id, q.app_id, q.api_version, q.redelivery_of),
   placed as (
     insert into event_stream_entries (position, event_id, installation_id, app_id, api_version, redelivery_of)
     select $1::bigint + row_number() over (order by event_seq, seq), event_id, installation_id, app_id, api_version,
            redelivery_of
       from gone
     returning position, event_id),
   moved as (
     update event_stream set position = last.position, event_id = last.event_id
       from (select position, event_id from placed order by position desc limit 1) last)
   select count(*)::int as placed from placed`,
)

async function placeEntries(tx: Tx, after: string, limit: number): Promise<number> {
  return (await tx.one(PLACE, [after, limit])).placed
}

const PURGE = statement(
  'webhooks.purge_stream_entries',
  `delete from event_stream_entries where position = any (array(
     select few.position from (select position, placed_at from event_stream_entries order by position limit $2) few
      where few.placed_at < $1::timestamptz))`,
)

/**
 * Deletes entries whose events are deleted because of their age, oldest first. A cursor at a deleted entry is too old.
 */
export async function purgeEntries(tx: Tx, limit: number): Promise<number> {
  return tx.run(PURGE, [await eventHorizon(tx), limit])
}

const BATCH = 500

/**
 * Assigns positions to queued entries. Only one worker does this at a time, because it locks one row; other workers do
 * nothing. So entries become visible in the order of their positions, and a reader that has seen a position has seen all
 * before it. Returns whether there may be more.
 */
export async function placeRound(db: WorldDatabase, batch = BATCH): Promise<boolean> {
  if (!(await entriesWait(db.reads))) return false
  return db.transaction(async (tx) => {
    const last = await lockStream(tx)
    return last !== null && (await placeEntries(tx, last, batch)) === batch
  })
}
