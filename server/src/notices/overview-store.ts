import type { RecordedLimit } from '#access/limits/index.ts'
import type { Id } from '#kernel/ids.ts'
import { inEach, type World } from '#kernel/world.ts'
import type { PlatformQueries } from '#system/postgres/database.ts'
import { platformStatement } from '#system/postgres/statement.ts'

/** What an app has in one world. */
export type AppFacts = {
  readonly has_key: boolean
  /** Whether a request of the app succeeded. */
  readonly has_request: boolean
  readonly has_installation: boolean
  readonly has_endpoint: boolean
  readonly has_delivery: boolean
}

const FACTS = inEach((world) =>
  platformStatement<AppFacts>(
    `notices.app_facts_${world}`,
    `select exists (select from platform.app_keys k where k.app_id = $1 and k.world = '${world}' and k.state = 'active') as has_key,
            exists (select from platform.request_counts c
                     where c.app_id = $1 and c.world = '${world}' and c.unit = 'day'
                       and c.requests > c.client_errors + c.server_errors) as has_request,
            exists (select from ${world}.installations i where i.app_id = $1 and i.state = 'active') as has_installation,
            exists (select from platform.webhook_endpoints e
                     where e.app_id = $1 and e.world = '${world}' and e.state <> 'removed') as has_endpoint,
            exists (select from platform.webhook_endpoints e join platform.delivery_counts c on c.endpoint_id = e.id
                     where e.app_id = $1 and e.world = '${world}' and c.unit = 'day' and c.delivered > 0) as has_delivery`,
  ),
)

export async function findFacts(queries: PlatformQueries, app: Id<'app'>, world: World): Promise<AppFacts> {
  return queries.one(FACTS[world], [app])
}

/** At most this many endpoints are read, and at most this many secrets. The portal has pages that list all of them. */
const ROWS_MAX = 20

export type EndpointTrouble = {
  readonly id: Id<'webhookEndpoint'>
  readonly url: string
  readonly state: 'enabled' | 'disabled'
  readonly reason: string | null
  /** World time. */
  readonly failing_since: string | null
  /** When a replaced signing secret ends, in real time. */
  readonly secret_ends_at: string | null
}

const ENDPOINTS = inEach((world) =>
  platformStatement<EndpointTrouble>(
    `notices.endpoint_trouble_${world}`,
    `select e.id, e.url, e.state, e.disabled_reason as reason, l.failing_since, s.ends_at as secret_ends_at
       from platform.webhook_endpoints e
       join ${world}.webhook_lanes l on l.endpoint_id = e.id
      cross join lateral (
        select max(u.until) as ends_at from unnest(e.previous_secrets_until) as u (until)
         where u.until > clock_timestamp()) s
      where e.app_id = $1 and e.world = '${world}' and e.state <> 'removed'
        and e.disabled_reason is distinct from 'installation_revoked'
        and (e.state = 'disabled' or l.failing_since is not null or s.ends_at is not null)
      order by e.id desc limit ${ROWS_MAX}`,
  ),
)

export async function findEndpointTrouble(queries: PlatformQueries, app: Id<'app'>, world: World) {
  return queries.many(ENDPOINTS[world], [app])
}

export type EndingSecret = { readonly key: string; readonly name: string; readonly ends_at: string }

const SECRETS = platformStatement<EndingSecret>(
  'notices.ending_secrets',
  `select k.id as key, k.name, s.expires_at as ends_at
     from platform.app_keys k join platform.app_secrets s on s.key_id = k.id
    where k.app_id = $1 and k.world = $2 and k.state = 'active' and s.expires_at > clock_timestamp()
    order by s.expires_at limit ${ROWS_MAX}`,
)

/** Replaced client secrets that are still valid. Those that end soonest come first. */
export async function findEndingSecrets(queries: PlatformQueries, app: Id<'app'>, world: World) {
  return queries.many(SECRETS, [app, world])
}

export type NearLimit = {
  readonly name: RecordedLimit
  readonly begins_at: string
  readonly peak: number
  readonly allowed: number
  readonly rejected: number
}

const LIMITS = platformStatement<NearLimit>(
  'notices.near_limits',
  `select distinct on (limit_name) limit_name as name, begins_at, peak::float8 as peak, allowed::float8 as allowed,
          rejected::float8 as rejected
     from platform.limit_use
    where app_id = $1 and world = $2 and unit = 'hour' and begins_at > clock_timestamp() - interval '24 hours'
      and (rejected > 0 or peak >= allowed * $3::float8)
    order by limit_name, rejected > 0 desc, begins_at desc`,
)

/**
 * For each limit, the newest hour of the last day in which requests of the app were rejected. If there is no such hour, the newest
 * hour in which the app used at least this share of the limit. A limit with neither is left out.
 */
export async function findNearLimits(queries: PlatformQueries, app: Id<'app'>, world: World, share: number) {
  return queries.many(LIMITS, [app, world, share])
}

const INSTALLATIONS = inEach((world) =>
  platformStatement<{ id: Id<'installation'> }>(
    `notices.newest_installations_${world}`,
    `select id from ${world}.installations
      where app_id = $1 and state = 'active' and target_type <> 'user' order by id desc limit $2`,
  ),
)

/**
 * Only installations on companies and syndicates. A person's own connection often lacks scopes of the app, because the app did
 * not request them.
 */
export async function newestInstallations(queries: PlatformQueries, app: Id<'app'>, world: World, limit: number) {
  return (await queries.many(INSTALLATIONS[world], [app, limit])).map(({ id }) => id)
}
