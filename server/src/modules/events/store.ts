import type { Id } from '#kernel/ids.ts'
import type { Tx, WorldQueries } from '#system/postgres/database.ts'
import { type Columns, joined, joinedColumns, namesOf } from '#system/postgres/joined-columns.ts'
import { gatheredStatement, statement, withCallers } from '#system/postgres/statement.ts'
import { clockAhead, shownTime } from '#system/postgres/world-clock.ts'
import type { EventName } from './event-data.ts'
import type { NewEvent } from './new-event.ts'

type Recorded = NewEvent & { readonly id: Id<'event'>; readonly cause: string | null }

const OF_INVESTMENTS: Columns<Recorded> = [
  ['id', 'text', ({ id }) => id],
  ['name', 'text', ({ name }) => name],
  ['occurred_at', 'timestamptz', ({ occurredAt }) => occurredAt],
  ['company_id', 'text', ({ subject }) => subject.companyId ?? null],
  ['user_id', 'text', ({ subject }) => subject.userId ?? null],
  ['offering_id', 'text', ({ subject }) => subject.offeringId ?? null],
  ['investment_id', 'text', ({ subject }) => subject.investmentId ?? null],
  ['fact_id', 'text', ({ cause }) => cause],
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

/** The event and its place in the fan-out queue are one statement: there is never one without the other. */
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

/** For what happens to many investments at once. */
export async function insertEvents(tx: Tx, events: readonly Recorded[]): Promise<void> {
  await tx.run(INSERT_MANY, joined(OF_INVESTMENTS, events))
}

export type StoredEvent = {
  readonly id: Id<'event'>
  readonly name: EventName
  /** When it was recorded, by the world's clock: the envelope's `created_at`. */
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

/** What a fact caused, in the order in which it was recorded. */
export async function findCaused(queries: WorldQueries, cause: string): Promise<StoredEvent[]> {
  return queries.many(FIND_CAUSED, [cause])
}

/** In the order in which they were recorded. */
export async function findEvents(queries: WorldQueries, ids: readonly Id<'event'>[]): Promise<StoredEvent[]> {
  const rows = await queries.many(FIND, [ids])
  return rows.sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
}
