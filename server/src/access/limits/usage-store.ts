import type { ClientId, Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { PlatformDatabase, PlatformQueries, PlatformTx, WorldQueries } from '#system/postgres/database.ts'
import { platformStatement, statement } from '#system/postgres/statement.ts'
import type { LimitName } from './limit-table.ts'

/**
 * The limits whose use is stored by hour and day: the limits of an app's own tokens and keys. Most other limits belong
 * to addresses. The use of webhook_test and pending_intent is not stored: the portal shows only their current window.
 */
export const RECORDED_LIMITS = [
  'access_token',
  'publishable_key',
  'server_key',
  'token_client',
] as const satisfies readonly LimitName[]
export type RecordedLimit = (typeof RECORDED_LIMITS)[number]

/** The use of one token or key. */
export type UsageEntry = {
  readonly name: RecordedLimit
  /** The client id of the key itself, or of the key with which the token was obtained. */
  readonly client: ClientId
  /** The number of requests in the current window. */
  readonly peak: number
  readonly allowed: number
  readonly rejected: number
}

const RECORD = platformStatement(
  'limits.record_use',
  `insert into platform.limit_use as known (app_id, world, limit_name, unit, begins_at, peak, allowed, rejected)
   select k.app_id, k.world, c.name, u.unit, date_trunc(u.unit, clock_timestamp(), 'UTC'), max(c.peak), max(c.allowed), sum(c.rejected)
     from unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[]) as c (client, name, peak, allowed, rejected)
     join platform.app_keys k on k.id = c.client
    cross join (values ('day'), ('hour')) as u (unit)
    group by k.app_id, k.world, c.name, u.unit
    order by k.app_id, k.world, c.name, u.unit
   on conflict on constraint limit_use_pkey do update
      set peak = greatest(known.peak, excluded.peak), allowed = excluded.allowed, rejected = known.rejected + excluded.rejected`,
)

export async function recordUsage(db: PlatformDatabase, uses: readonly UsageEntry[]): Promise<void> {
  const column = <T>(of: (one: UsageEntry) => T): T[] => uses.map(of)
  await db.reads.run(RECORD, [
    column(({ client }) => client),
    column(({ name }) => name),
    column(({ peak }) => peak),
    column(({ allowed }) => allowed),
    column(({ rejected }) => rejected),
  ])
}

export type UsageRow = {
  readonly name: RecordedLimit
  readonly begins_at: string
  readonly peak: number
  readonly limit: number
  readonly rejected: number
}

const SERIES = platformStatement<UsageRow>(
  'limits.use_series',
  `select limit_name as name, begins_at, max(peak)::float8 as peak, max(allowed)::float8 as limit, sum(rejected)::float8 as rejected
     from platform.limit_use
    where app_id = $1 and unit = $2 and ($3::text is null or world = $3)
      and begins_at > date_trunc($2, clock_timestamp(), 'UTC') - $4::int * ('1 ' || $2)::interval
    group by limit_name, begins_at order by begins_at`,
)

export type Series = { readonly unit: 'hour' | 'day'; readonly mode: World | null; readonly count: number }

/** Oldest first; hours or days without a request are left out. */
export async function usageSeries(queries: PlatformQueries, app: Id<'app'>, { unit, mode, count }: Series) {
  return queries.many(SERIES, [app, unit, mode, count])
}

/** How long rows are stored, in wall time. */
const RETENTION = { hourDays: 8, dayDays: 400 }

const PURGE = platformStatement(
  'limits.purge_use',
  `delete from platform.limit_use
    where ctid = any (array(select ctid from platform.limit_use
                             where (unit = 'hour' and begins_at < clock_timestamp() - make_interval(days => $1))
                                or (unit = 'day' and begins_at < clock_timestamp() - make_interval(days => $2)) limit $3))`,
)

/** Deletes up to `limit` expired rows. */
export async function purgeLimitUsage(tx: PlatformTx, limit: number): Promise<number> {
  return tx.run(PURGE, [RETENTION.hourDays, RETENTION.dayDays, limit])
}

/** Limits apply to an app's keys, its webhook endpoints and its tokens. */
export type LimitedKey = { readonly id: ClientId; readonly mode: World }

const KEYS = platformStatement<LimitedKey>(
  'limits.keys',
  `select id, world as mode from platform.app_keys where app_id = $1 and state <> 'revoked' order by id`,
)

export async function limitedKeys(queries: PlatformQueries, app: Id<'app'>): Promise<LimitedKey[]> {
  return queries.many(KEYS, [app])
}

export type LimitedEndpoint = { readonly id: Id<'webhookEndpoint'>; readonly mode: World }

const ENDPOINTS = platformStatement<LimitedEndpoint>(
  'limits.endpoints',
  `select id, world as mode from platform.webhook_endpoints where app_id = $1 and state <> 'removed' order by id`,
)

export async function limitedEndpoints(queries: PlatformQueries, app: Id<'app'>): Promise<LimitedEndpoint[]> {
  return queries.many(ENDPOINTS, [app])
}

export type LimitedToken = {
  readonly hash: Buffer
  readonly kind: 'client' | 'user' | 'installation'
  readonly client_id: ClientId
  readonly installation_id: Id<'installation'> | null
}

/** The rows are not sorted, because sorting all tokens of an app with very many tokens is slow. */
const TOKENS = statement<LimitedToken>(
  'limits.tokens',
  `select t.hash, t.kind, t.key_id as client_id, t.installation_id
     from access_tokens t cross join world_clock c
    where t.app_id = $1 and t.revoked_at is null
      and (t.expires_at is null or t.expires_at > clock_timestamp() + c.ahead)
    limit $2`,
)

export async function limitedTokens(queries: WorldQueries, app: Id<'app'>, limit: number): Promise<LimitedToken[]> {
  return queries.many(TOKENS, [app, limit])
}
