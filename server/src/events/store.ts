import { type Id, newId } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { PlatformTx, Tx, WorldQueries } from '#system/postgres/database.ts'
import {
  type Columns,
  gatheredStatement,
  joined,
  joinedColumns,
  namesOf,
  platformStatement,
  sqlFragment,
  sqlName,
  statement,
  withCallers,
} from '#system/postgres/statement.ts'
import { clockAhead, shownTime } from '#system/postgres/world-clock.ts'
import type { EventName } from './event-data.ts'
import type { NewEvent } from './new-event.ts'

type Recorded = NewEvent & { readonly id: Id<'event'>; readonly cause: string | null; readonly trace: string | null }

const OF_INVESTMENTS: Columns<Recorded> = [
  ['id', 'text', ({ id }) => id],
  ['name', 'text', ({ name }) => name],
  ['occurred_at', 'timestamptz', ({ occurredAt }) => occurredAt],
  ['company_id', 'text', ({ subject }) => subject.companyId ?? null],
  ['user_id', 'text', ({ subject }) => subject.userId ?? null],
  ['offering_id', 'text', ({ subject }) => subject.offeringId ?? null],
  ['investment_id', 'text', ({ subject }) => subject.investmentId ?? null],
  ['fact_id', 'text', ({ cause }) => cause],
  ['trace', 'text', ({ trace }) => trace],
  ['data', 'jsonb', ({ data }) => JSON.stringify(data)],
  ['identity', 'jsonb', ({ identity }) => (identity === undefined ? null : JSON.stringify(identity))],
]

const COLUMNS: Columns<Recorded> = [
  ...OF_INVESTMENTS,
  ['syndicate_id', 'text', ({ subject }) => subject.syndicateId ?? null],
  ['membership_id', 'text', ({ subject }) => subject.membershipId ?? null],
  ['join_session_id', 'text', ({ subject }) => subject.joinSessionId ?? null],
  ['investment_session_id', 'text', ({ subject }) => subject.investmentSessionId ?? null],
  ['installation_id', 'text', ({ subject }) => subject.installationId ?? null],
  ['app_id', 'text', ({ subject }) => subject.appId ?? null],
]

/** One statement inserts the event and its row in the fan-out queue, so neither exists without the other. */
const INSERT = gatheredStatement(
  'events.insert',
  `with event as (
     insert into events (${namesOf(COLUMNS)}, clock_ahead)
     values (${COLUMNS.map((_, index) => `$${index + 1}`).join(', ')}, ${clockAhead('')})
     returning id)
   insert into event_queue (event_id) select id from event`,
  `${withCallers(...COLUMNS.map(([name, type]) => `${name} ${type}` as const))},
   event as (
     insert into events (${namesOf(COLUMNS)}, clock_ahead)
     select ${namesOf(COLUMNS)}, ${clockAhead('')} from caller order by at
     returning id),
   queued as (insert into event_queue (event_id) select id from event)
   select at::int from caller`,
)

export async function insertEvent(tx: Tx, event: Recorded): Promise<void> {
  await tx.run(
    INSERT,
    COLUMNS.map(([, , value]) => value(event)),
  )
}

const INSERT_MANY = statement(
  'events.insert_many',
  `with event as (
     insert into events (${namesOf(OF_INVESTMENTS)}, clock_ahead)
     select ${joinedColumns(OF_INVESTMENTS)}, ${clockAhead('')}
     returning id)
   insert into event_queue (event_id) select id from event order by id`,
)

/** For changes that concern many investments at once: writes only the columns of investment events. */
export async function insertEvents(tx: Tx, events: readonly Recorded[]): Promise<void> {
  await tx.run(INSERT_MANY, joined(OF_INVESTMENTS, events))
}

/**
 * SQL: removes events from the fan-out queue, by the column `seq` of a table expression. It becomes a part of the
 * statement that takes the events, so that each is taken once.
 */
export function offTheQueue(taken: string): string {
  const text = `delete from event_queue where seq = any(array(select seq from ${sqlName(taken)}))`
  return sqlFragment('events.off_the_queue', text)
}

export type StoredEvent = {
  readonly id: Id<'event'>
  readonly name: EventName
  /** World time of the recording: the envelope's `created_at`. */
  readonly created_at: string
  readonly occurred_at: string
  /** JSON text. */
  readonly data: string
  readonly identity: string | null
}

const COLUMNS_READ = `e.id, e.name, ${shownTime('e', 'recorded_at')} as created_at, e.occurred_at, e.data, e.identity`

const FIND = statement<StoredEvent>(
  'events.find',
  `select ${COLUMNS_READ} from events e where e.id = any($1) order by e.id`,
)

const FIND_CAUSED = statement<StoredEvent>(
  'events.find_caused',
  `select ${COLUMNS_READ} from events e where e.fact_id = $1 order by e.recorded_at, e.id`,
)

/** The events that a fact, a request or an intent caused, in the order of recording. */
export async function findCaused(queries: WorldQueries, cause: string): Promise<StoredEvent[]> {
  return queries.many(FIND_CAUSED, [cause])
}

/** In the order of `ids`. */
export async function findEvents(queries: WorldQueries, ids: readonly Id<'event'>[]): Promise<StoredEvent[]> {
  const rows = await queries.many(FIND, [ids])
  return rows.sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
}

/**
 * The keys of the subject's identity. The name of an approver or inviter belongs to another person, so it stays when the
 * subject is erased.
 */
const OF_THE_SUBJECT = `'{investor,user,email,name}'::text[]`

const ABOUT = statement(
  'events.erase_about',
  `update events set identity = nullif(identity - ${OF_THE_SUBJECT}, '{}')
   where user_id = $1 and identity is not null`,
)

const SENT_TO = statement(
  'events.erase_sent_to',
  `update events set identity = nullif(identity - ${OF_THE_SUBJECT}, '{}')
   where user_id is null and identity is not null
     and lower((identity ->> 'email') collate "C") in (select lower(each collate "C") from unnest($1::text[]) each)`,
)

const NAMED = statement(
  'events.erase_named',
  `update events set identity = nullif(identity - '{approved_by,invited_by}'::text[], '{}')
   where identity is not null and coalesce(data #>> '{approved_by,id}', data #>> '{invited_by,id}') = $1`,
)

export async function eraseAbout(tx: Tx, user: Id<'user'>): Promise<void> {
  await tx.run(ABOUT, [user])
}

export async function eraseSentTo(tx: Tx, addresses: readonly string[]): Promise<void> {
  await tx.run(SENT_TO, [addresses])
}

export async function eraseNamed(tx: Tx, user: Id<'user'>): Promise<void> {
  await tx.run(NAMED, [user])
}

const insertInto = (world: World) =>
  platformStatement(
    `events.insert_into_${world}`,
    `insert into ${world}.events (id, name, occurred_at, company_id, syndicate_id, user_id, installation_id, fact_id, trace,
       data)
     select id, name, occurred_at, company_id, syndicate_id, user_id, installation_id, cause, trace, data
     from pg_catalog.jsonb_to_recordset($1::jsonb) as event (id text, name text, occurred_at timestamptz,
       company_id text, syndicate_id text, user_id text, installation_id text, cause text, trace text, data jsonb)`,
  )

const queueIn = (world: World) =>
  platformStatement(`events.queue_in_${world}`, `insert into ${world}.event_queue (event_id) select unnest($1::text[])`)

const PLATFORM_INSERT = { test: insertInto('test'), live: insertInto('live') }
const QUEUE = { test: queueIn('test'), live: queueIn('live') }

type PlatformRecorded = Recorded & { readonly cause: string }

/**
 * For platform transactions that change many records of a world: events about installations, without identity. Events and
 * their rows in the fan-out queue are written in one transaction.
 */
export async function insertEventsInto(
  tx: PlatformTx,
  world: World,
  events: readonly PlatformRecorded[],
): Promise<void> {
  const rows = events.map(({ id, name, occurredAt, subject, cause, trace, data }) => ({
    id,
    name,
    occurred_at: occurredAt,
    company_id: subject.companyId,
    syndicate_id: subject.syndicateId,
    user_id: subject.userId,
    installation_id: subject.installationId,
    cause,
    trace,
    data,
  }))
  await tx.run(PLATFORM_INSERT[world], [JSON.stringify(rows)])
  await tx.run(QUEUE[world], [events.map(({ id }) => id)])
}

/**
 * The wall time at which the world's clock showed the time of $1 days ago. If the clock was never moved, that is $1
 * days before now. `clock_moves` says how far the clock was ahead before each move.
 */
const HORIZON = statement<{ horizon: string }>(
  'events.horizon',
  `select max(least(span.until, world_now() - make_interval(days => $1) - span.ahead)) as horizon
     from (select clock_timestamp() as until, ahead from world_clock
           union all
           select moved_at, ahead_before from clock_moves) span`,
)

/** Events recorded before this wall time are older than `days` days of world time. */
export async function findHorizon(tx: Tx, days: number): Promise<string> {
  return (await tx.one(HORIZON, [days])).horizon
}

/**
 * Scans by id, which begins with the creation time. Events that wait for fan-out or for a redelivery stay, however old. The
 * tables deferred_events and delivery_queue belong to the webhooks module and are only read here.
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

/** The lowest id that an event created at this time can have. */
function lowestId(at: string): string {
  return newId('event', Date.parse(at), (bytes) => bytes.fill(0))
}
