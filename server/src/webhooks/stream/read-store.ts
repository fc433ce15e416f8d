import type { EventName } from '#events/index.ts'
import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { PlatformQueries, WorldDatabase, WorldQueries } from '#system/postgres/database.ts'
import { platformStatement, type ShortStatement, shortStatement, statement } from '#system/postgres/statement.ts'
import { shownTime } from '#system/postgres/world-clock.ts'
import type { Manager } from '../endpoints/endpoint.ts'
import { EVENT_JOINS, SHOWN_COLUMNS, type ShownRow } from '../projection/projected-store.ts'

/** An entry of the stream, with all current data that decides what each reader sees of it. */
export type EntryRow = ShownRow & {
  readonly position: number
  /** The delivery that this entry repeats; null for an event that comes for the first time. */
  readonly redelivery_of: Id<'delivery'> | null
}

/**
 * A place in the stream: the reader has seen everything up to this event. After a restore another event may have the same
 * position, so the place contains the event too.
 */
export type StreamPlace = { readonly position: number; readonly event: string }

const COLUMNS = `q.position::float8 as position, q.redelivery_of, ${SHOWN_COLUMNS}`

const ENTRY = 'n.position, n.event_id, n.installation_id, n.app_id, n.api_version, n.redelivery_of'

/** Joined after the limit. Joins must keep every entry: an entry that is left out would be read again in every round. */
const JOINS = `
  left join platform.apps a on a.id = q.app_id
  left join platform.organizations o on o.id = a.organization_id
  ${EVENT_JOINS}`

type Read = { readonly head: number; readonly head_event: string | null }

const reading = (name: string, some: string): ShortStatement<Read & (EntryRow | { readonly position: null })> =>
  shortStatement(
    name,
    `select h.position::float8 as head, h.event_id as head_event, ${COLUMNS}
       from event_stream h left join lateral (${some}) q on true ${JOINS}
      order by q.position`,
  )

/** The shared read of a round: the last position, and the new entries of all apps that have open streams. */
const TAIL = reading(
  'webhooks.read_stream_tail',
  `select ${ENTRY} from event_stream_entries n
    where n.position > $1::bigint and n.app_id = any($2) order by n.position limit $3`,
)

/** Ordered as the index that begins with app_id. Otherwise the planner may scan the entries of all apps. */
const AFTER = reading(
  'webhooks.read_stream_after',
  `select ${ENTRY} from event_stream_entries n
    where n.position > $1::bigint and n.app_id = $2 order by n.app_id, n.position limit $3`,
)

/**
 * Entries in the order of positions. A reader that has got them has seen everything up to `to`. `isAll`: whether the
 * stream ends there.
 */
export type StreamPiece = { readonly entries: readonly EntryRow[]; readonly to: StreamPlace; readonly isAll: boolean }

export async function readTail(
  db: WorldDatabase,
  after: number,
  { apps, limit }: { readonly apps: readonly Id<'app'>[]; readonly limit: number },
): Promise<StreamPiece> {
  return pieceOf(await db.short(TAIL, [after, apps, limit]), limit)
}

export async function readAfter(
  db: WorldDatabase,
  after: number,
  { app, limit }: { readonly app: Id<'app'>; readonly limit: number },
): Promise<StreamPiece> {
  return pieceOf(await db.short(AFTER, [after, app, limit]), limit)
}

function pieceOf(rows: readonly (Read & (EntryRow | { readonly position: null }))[], limit: number): StreamPiece {
  const [first] = rows
  if (first === undefined) throw new Error('the event stream has no row')
  const entries = rows.filter((row): row is Read & EntryRow => row.position !== null)
  const last = entries.at(-1)
  if (entries.length === limit && last !== undefined) {
    return { entries, to: { position: last.position, event: last.event_id }, isAll: false }
  }
  return { entries, to: { position: first.head, event: first.head_event ?? '' }, isAll: true }
}

const PLACE = statement<{ event: string | null; head: number; head_event: string | null; is_whole: boolean }>(
  'webhooks.find_stream_place',
  `select n.event_id as event, h.position::float8 as head, h.event_id as head_event,
          exists (select from event_stream_entries first where first.position = 1) as is_whole
     from event_stream h left join event_stream_entries n on n.position = $1::bigint`,
)

/**
 * Whether a reader can continue from this place. The entry of the place must be stored, or be the last entry that the
 * stream had. A reader can start at the beginning if there is no entry yet, or if the first entry is still stored.
 */
export async function canContinueFrom(queries: WorldQueries, { position, event }: StreamPlace): Promise<boolean> {
  const found = await queries.one(PLACE, [position])
  if (position === 0) return found.head === 0 || found.is_whole
  return found.event === event || (found.head === position && (found.head_event ?? '') === event)
}

const HEAD = statement<{ position: number; event: string | null }>(
  'webhooks.find_stream_head',
  'select position::float8 as position, event_id as event from event_stream',
)

export async function findHead(queries: WorldQueries): Promise<StreamPlace> {
  const { position, event } = await queries.one(HEAD)
  return { position, event: event ?? '' }
}

/**
 * The records by which events can be searched. Users are left out: a search for a user would show which person an event
 * is about, even if the event has no identity fields.
 */
export const SUBJECT = `array[e.company_id, e.syndicate_id, e.offering_id, e.investment_id, e.membership_id, e.join_session_id,
                  e.investment_session_id, e.installation_id]`

const CREATED = shownTime('e', 'recorded_at')

/** Only entries that are not redeliveries. $3: the last position of the previous page. */
const within = (order: 'asc' | 'desc') => `
  from event_stream_entries n
 where n.app_id = $1 and ($2::text is null or n.installation_id = $2) and n.redelivery_of is null
   and ($3::bigint is null or n.position ${order === 'asc' ? '>' : '<'} $3)
 order by n.app_id ${order}, n.position ${order}`

const list = (order: 'asc' | 'desc') =>
  statement<EntryRow>(
    `webhooks.list_events_${order}`,
    `select ${COLUMNS} from (select ${ENTRY} ${within(order)} limit $4) q ${JOINS}
      where e.name = any($5) and ($6::timestamptz is null or ${CREATED} >= $6) and ($7::timestamptz is null or ${CREATED} < $7)
        and ($8::text is null or $8 = any(${SUBJECT})) and ($9 or i.target_type is distinct from 'user')
      order by q.position ${order} limit $10`,
  )

const LIST = { oldest: list('asc'), newest: list('desc') }

const windowEnd = (order: 'asc' | 'desc') =>
  statement<{ position: number }>(
    `webhooks.end_of_events_${order}`,
    `select n.position::float8 as position ${within(order)} offset $4::bigint - 1 limit 1`,
  )

const WINDOW_END = { oldest: windowEnd('asc'), newest: windowEnd('desc') }

export type EventFilter = {
  readonly names: readonly EventName[]
  readonly installation: Id<'installation'> | null
  readonly subject: string | null
  /** World time. */
  readonly since: string | null
  readonly until: string | null
  readonly order: 'newest' | 'oldest'
}

/** The reader whose events are listed. */
type Viewer = Pick<Manager, 'app' | 'installation' | 'usersToo'>

export type EventWindow = { readonly from: number | null; readonly entries: number; readonly limit: number }

/** Returns at most `limit` entries that match the filter, out of the next `entries` entries. */
export async function findInWindow(
  queries: WorldQueries,
  viewer: Viewer,
  { filter, window }: { readonly filter: EventFilter; readonly window: EventWindow },
): Promise<EntryRow[]> {
  const { names, subject, since, until, order } = filter
  const { from, entries, limit } = window
  const installation = viewer.installation ?? filter.installation
  return queries.many(LIST[order], [
    ...[viewer.app, installation, from, entries],
    ...[names, since, until, subject, viewer.usersToo, limit],
  ])
}

/** The position at which the window ends; null if fewer entries than a window are left. */
export async function findWindowEnd(
  queries: WorldQueries,
  viewer: Viewer,
  { filter, window }: { readonly filter: EventFilter; readonly window: EventWindow },
): Promise<number | null> {
  const installation = viewer.installation ?? filter.installation
  const values = [viewer.app, installation, window.from, window.entries]
  return (await queries.maybeOne(WINDOW_END[filter.order], values))?.position ?? null
}

const FIND = statement<EntryRow>(
  'webhooks.find_event_entries',
  `select ${COLUMNS} from event_stream_entries q ${JOINS}
    where q.event_id = $1 and q.app_id = $2 and q.redelivery_of is null order by q.position`,
)

/** One entry for each installation of the app that the event concerns. */
export async function findEntries(queries: WorldQueries, app: Id<'app'>, event: Id<'event'>): Promise<EntryRow[]> {
  return queries.many(FIND, [event, app])
}

/** Uses the index of causes, so no other entries of the stream are read. */
const CAUSED = statement<EntryRow>(
  'webhooks.find_caused_entries',
  `select ${COLUMNS} from (
     select ${ENTRY} from events c join event_stream_entries n on n.event_id = c.id
      where c.fact_id = $1 and n.app_id = $2 and n.redelivery_of is null and n.position > $3::bigint
      order by n.position limit $4) q ${JOINS}
    order by q.position`,
)

type Caused = { readonly cause: string; readonly after: number; readonly limit: number }

/** The events of the app that a request or a fact caused, oldest first. */
export async function findCausedEntries(queries: WorldQueries, app: Id<'app'>, { cause, after, limit }: Caused) {
  return queries.many(CAUSED, [cause, app, after, limit])
}

const CAUSE = statement<{ cause: string | null }>(
  'webhooks.find_cause',
  'select fact_id as cause from events where id = $1',
)

/** The id of the request or fact that caused an event. */
export async function findCause(queries: WorldQueries, event: Id<'event'>): Promise<string | null> {
  return (await queries.maybeOne(CAUSE, [event]))?.cause ?? null
}

const ON_TEAM = platformStatement<{ user_id: Id<'user'>; app_id: Id<'app'> }>(
  'webhooks.stream_users_on_team',
  `select distinct u.user_id, a.id as app_id
     from unnest($2::text[], $3::text[]) as reads (user_id, app_id)
     join platform.account_users u on u.user_id = reads.user_id and u.world = $1
     join platform.organization_members m on m.account_id = u.account_id
     join platform.apps a on a.organization_id = m.organization_id and a.id = reads.app_id`,
)

type UserOfApp = { readonly user: Id<'user'>; readonly app: Id<'app'> }

/** Returns the users among these who are on the team of the app. */
export async function findOnTeam(
  queries: PlatformQueries,
  world: World,
  users: readonly UserOfApp[],
): Promise<UserOfApp[]> {
  if (users.length === 0) return []
  const found = await queries.many(ON_TEAM, [world, users.map(({ user }) => user), users.map(({ app }) => app)])
  return found.map(({ user_id: user, app_id: app }) => ({ user, app }))
}
