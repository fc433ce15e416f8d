import type { LoggedRequest } from '#http/ports.ts'
import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { PlatformDatabase, PlatformQueries, PlatformTx } from '#system/postgres/database.ts'
import { type Columns, joined, joinedColumns, namesOf, platformStatement } from '#system/postgres/statement.ts'

const ENTRY: Columns<LoggedRequest> = [
  ['app_id', 'text', ({ appId }) => appId],
  ['world', 'text', ({ world }) => world],
  ['request_id', 'text', ({ requestId }) => requestId],
  ['started_at', 'timestamptz', ({ startedAtMs }) => new Date(startedAtMs).toISOString()],
  ['method', 'text', ({ method }) => method],
  ['route', 'text', ({ route }) => route],
  ['status', 'bigint', ({ status }) => status],
  ['duration_ms', 'double precision', ({ durationMs }) => durationMs],
  ['credential', 'text', ({ credential }) => credential],
  ['key_id', 'text', ({ keyId }) => keyId],
  ['installation_id', 'text', ({ installationId }) => installationId],
  ['error_type', 'text', ({ errorType }) => errorType],
]

/** The lock lasts until the commit, so that rows become visible in the order of their positions even if several processes write. */
const INSERT = platformStatement(
  'requests.insert',
  `with writing as materialized (
     select pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtext('portico request log')) as locked)
   insert into platform.request_log (${namesOf(ENTRY)})
   select ${joinedColumns(ENTRY)} from writing`,
)

export async function insertRequests(db: PlatformDatabase, rows: readonly LoggedRequest[]): Promise<void> {
  await db.reads.run(INSERT, joined(ENTRY, rows))
}

export type RequestCounts = {
  readonly appId: Id<'app'>
  readonly world: World
  requests: number
  clientErrors: number
  serverErrors: number
  unlogged: number
  durationMs: number
}

/** Writes rows in the order of their keys, so that two processes that count the same apps do not deadlock. */
const COUNT = platformStatement(
  'requests.count',
  `insert into platform.request_counts as known
     (app_id, world, unit, begins_at, requests, client_errors, server_errors, unlogged, duration_ms)
   select c.app, c.world, u.unit, date_trunc(u.unit, clock_timestamp(), 'UTC'), c.requests, c.client, c.server, c.unlogged, c.duration
     from unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::float8[])
       as c (app, world, requests, client, server, unlogged, duration),
          (values ('day'), ('hour')) as u (unit)
    order by c.app, c.world, u.unit
   on conflict on constraint request_counts_pkey do update
      set requests = known.requests + excluded.requests, client_errors = known.client_errors + excluded.client_errors,
          server_errors = known.server_errors + excluded.server_errors, unlogged = known.unlogged + excluded.unlogged,
          duration_ms = known.duration_ms + excluded.duration_ms`,
)

export async function addCounts(db: PlatformDatabase, counts: readonly RequestCounts[]): Promise<void> {
  const column = <T>(of: (one: RequestCounts) => T): T[] => counts.map(of)
  await db.reads.run(COUNT, [
    column(({ appId }) => appId),
    column(({ world }) => world),
    column(({ requests }) => requests),
    column(({ clientErrors }) => clientErrors),
    column(({ serverErrors }) => serverErrors),
    column(({ unlogged }) => unlogged),
    column(({ durationMs }) => durationMs),
  ])
}

/** Times are wall time, as text. */
export type RequestRow = {
  readonly position: number
  readonly app_id: Id<'app'>
  readonly world: World
  readonly request_id: Id<'request'>
  readonly started_at: string
  readonly method: string
  readonly route: string
  readonly status: number
  readonly duration_ms: number
  readonly credential: LoggedRequest['credential']
  readonly key_id: string
  readonly installation_id: Id<'installation'> | null
  readonly error_type: string | null
}

export type RequestFilter = {
  readonly mode: World | null
  /** The lowest and the highest status, both included. */
  readonly status: readonly [number, number]
  readonly method: string | null
  readonly route: string | null
  readonly requestId: string | null
  /** The id of a key or of an installation. */
  readonly credential: string | null
  readonly errorType: string | null
  readonly since: string | null
  readonly until: string | null
}

const SHOWN = [
  ...['position', 'app_id', 'world', 'request_id', 'started_at', 'method', 'route', 'status', 'duration_ms'],
  ...['credential', 'key_id', 'installation_id', 'error_type'],
]
const COLUMNS = SHOWN.map((name) => (name === 'position' ? 'position::float8 as position' : name)).join(', ')

/** A row is logged after its request began, so the condition on `logged_at` lets PostgreSQL skip earlier partitions. */
const FITS = `($3::text is null or world = $3) and status between $4 and $5 and ($6::text is null or method = $6)
  and ($7::text is null or route = $7) and ($8::text is null or request_id = $8)
  and ($9::text is null or key_id = $9 or installation_id = $9) and ($10::text is null or error_type = $10)
  and ($11::timestamptz is null or (started_at >= $11 and logged_at >= $11)) and ($12::timestamptz is null or started_at < $12)`

const listing = (name: string, among: string) =>
  platformStatement<RequestRow>(
    name,
    `select ${COLUMNS} from platform.request_log
      where app_id = $1 and ($2::float8 is null or position < $2::float8::bigint) and ${among}${FITS}
      order by position desc limit $13`,
  )
const LIST = listing('requests.list', '')
/** Uses the index of errors, because errors are rare among many successful requests. */
const LIST_ERRORS = listing('requests.list_errors', 'status >= 400 and ')

type Page = { readonly before: number | null; readonly limit: number }

function filterValues(filter: RequestFilter) {
  const { mode, status, method, route, requestId, credential, errorType, since, until } = filter
  return [mode, status[0], status[1], method, route, requestId, credential, errorType, since, until] as const
}

/** Newest first. */
export async function listRequests(
  queries: PlatformQueries,
  app: Id<'app'>,
  filter: RequestFilter,
  { before, limit }: Page,
): Promise<readonly RequestRow[]> {
  const list = filter.status[0] >= 400 ? LIST_ERRORS : LIST
  return queries.many(list, [app, before, ...filterValues(filter), limit])
}

const FIND = platformStatement<RequestRow>(
  'requests.find',
  `select ${COLUMNS} from platform.request_log where request_id = $2 and app_id = $1`,
)

export async function findRequest(queries: PlatformQueries, app: Id<'app'>, id: string): Promise<RequestRow | null> {
  return queries.maybeOne(FIND, [app, id])
}

const OWNER = platformStatement<Pick<RequestRow, 'app_id'>>(
  'requests.owner',
  'select app_id from platform.request_log where request_id = $1 and world = any($2)',
)

/** The app that sent a request, for operators. */
export async function findRequestingApp(queries: PlatformQueries, id: Id<'request'>, worlds: readonly World[]) {
  const [row] = await queries.many(OWNER, [id, worlds])
  return row?.app_id ?? null
}

/** One statement for all readers; each reads from its own position by an index. */
const AFTER = platformStatement<RequestRow & { readonly at: number }>(
  'requests.after',
  `select asked.at::int, ${SHOWN.map((name) => `r.${name}`).join(', ')} from unnest($1::text[], $2::float8[]) with ordinality as asked (app, after, at)
     cross join lateral (
       select ${COLUMNS} from platform.request_log
        where app_id = asked.app and position > asked.after::bigint
        order by position limit $3) as r
    order by asked.at, r.position`,
)

export type Place = { readonly app: Id<'app'>; readonly after: number }

/** Returns for each reader the requests after its position, oldest first. */
export async function requestsAfter(queries: PlatformQueries, places: readonly Place[], limit: number) {
  const apps = places.map(({ app }) => app)
  const rows = await queries.many(AFTER, [apps, places.map(({ after }) => after), limit])
  const byPlace = Map.groupBy(rows, ({ at }) => at)
  return places.map((_, at): readonly RequestRow[] => byPlace.get(at + 1) ?? [])
}

const HEAD = platformStatement<{ position: number }>(
  'requests.head',
  'select coalesce(max(position), 0)::float8 as position from platform.request_log where app_id = $1',
)

/** The position of the app's newest request. */
export async function headOf(queries: PlatformQueries, app: Id<'app'>): Promise<number> {
  return (await queries.one(HEAD, [app])).position
}

const ALLOWED = platformStatement<{ at: number }>(
  'requests.still_allowed',
  `select asked.at::int from unnest($1::text[], $2::text[]) with ordinality as asked (hash, app, at)
     join platform.sign_in_sessions s on s.hash = decode(asked.hash, 'hex')
      and s.expires_at > clock_timestamp() and s.code_challenge is null
     join platform.accounts a on a.id = s.account_id and a.disabled_at is null
     join platform.apps p on p.id = asked.app and p.deleted_at is null
     join platform.organization_members m on m.organization_id = p.organization_id and m.account_id = a.id`,
)

export type Watcher = { readonly session: Buffer; readonly app: Id<'app'> }

/** Whether each reader's session is valid and the session's person is on the app's team. One statement checks all readers. */
export async function areStillAllowed(queries: PlatformQueries, watchers: readonly Watcher[]): Promise<boolean[]> {
  const hashes = watchers.map(({ session }) => session.toString('hex'))
  const found = await queries.many(ALLOWED, [hashes, watchers.map(({ app }) => app)])
  const allowed = new Set(found.map(({ at }) => at))
  return watchers.map((_, at) => allowed.has(at + 1))
}

export type CountsRow = {
  readonly begins_at: string
  readonly requests: number
  readonly client_errors: number
  readonly server_errors: number
  readonly unlogged: number
  readonly mean_ms: number | null
}

const SERIES = platformStatement<CountsRow>(
  'requests.series',
  `select begins_at, sum(requests)::float8 as requests, sum(client_errors)::float8 as client_errors,
          sum(server_errors)::float8 as server_errors, sum(unlogged)::float8 as unlogged,
          sum(duration_ms) / nullif(sum(requests), 0)::float8 as mean_ms
     from platform.request_counts
    where app_id = $1 and unit = $2 and ($3::text is null or world = $3)
      and begins_at > date_trunc($2, clock_timestamp(), 'UTC') - $4::int * ('1 ' || $2)::interval
    group by begins_at order by begins_at`,
)

const SERIES_OF_ALL = platformStatement<CountsRow>(
  'requests.series_of_all',
  `select begins_at, sum(requests)::float8 as requests, sum(client_errors)::float8 as client_errors,
          sum(server_errors)::float8 as server_errors, sum(unlogged)::float8 as unlogged,
          sum(duration_ms) / nullif(sum(requests), 0)::float8 as mean_ms
     from platform.request_counts
    where unit = $1 and ($2::text is null or world = $2)
      and begins_at > date_trunc($1, clock_timestamp(), 'UTC') - $3::int * ('1 ' || $1)::interval
    group by begins_at order by begins_at`,
)

/** The counts of all apps together, for operators. */
export async function countsOfAll(queries: PlatformQueries, { unit, mode, count }: Series) {
  return queries.many(SERIES_OF_ALL, [unit, mode, count])
}

export type Series = { readonly unit: 'hour' | 'day'; readonly mode: World | null; readonly count: number }

/** Oldest first; hours or days without a request are left out. */
export async function countsOf(queries: PlatformQueries, app: Id<'app'>, { unit, mode, count }: Series) {
  return queries.many(SERIES, [app, unit, mode, count])
}

/** Only one worker runs at a time, because two would create the same partition. */
const LOCK_TURN = platformStatement<{ locked: string }>(
  'requests.lock_turn',
  `select pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtext('portico request log days'))::text as locked`,
)
const TURN = platformStatement<{ turned: number }>(
  'requests.turn_log',
  'select platform.turn_request_log(make_interval(days => $1)) as turned',
)

export async function turnDays(tx: PlatformTx, days: number): Promise<number> {
  await tx.one(LOCK_TURN)
  return (await tx.one(TURN, [days])).turned
}

const PURGE_STRAYS = platformStatement(
  'requests.purge_strays',
  `delete from platform.request_log_rest
    where ctid = any (array(select ctid from platform.request_log_rest
                             where logged_at < clock_timestamp() - make_interval(days => $1) limit $2))`,
)
const PURGE_COUNTS = platformStatement(
  'requests.purge_counts',
  `delete from platform.request_counts
    where ctid = any (array(select ctid from platform.request_counts
                             where (unit = 'hour' and begins_at < clock_timestamp() - make_interval(days => $1))
                                or (unit = 'day' and begins_at < clock_timestamp() - make_interval(days => $2)) limit $3))`,
)

type Retention = { readonly logDays: number; readonly hourDays: number; readonly dayDays: number }

export async function deleteOld(tx: PlatformTx, retention: Retention, limit: number): Promise<number> {
  const strays = await tx.run(PURGE_STRAYS, [retention.logDays, limit])
  return strays === limit
    ? strays
    : strays + (await tx.run(PURGE_COUNTS, [retention.hourDays, retention.dayDays, limit - strays]))
}
