import type { Id } from '#kernel/ids.ts'
import { inEach, type World } from '#kernel/world.ts'
import type { PlatformQueries, PlatformTx } from '#system/postgres/database.ts'
import { platformStatement } from '#system/postgres/statement.ts'
import { WAITING_MAX } from './health-store.ts'

/** `deliveries` counts the deliveries that wait to be sent, up to a maximum. */
export type StoppedWebhooks = { readonly endpoints: number; readonly deliveries: number }

/** Counts the deliveries that wait for the endpoint `e`, in the queue and in batches. Each count stops at $2 rows. */
const WAITING = (world: World) =>
  `cross join lateral (
        select count(*) as queued from (select from ${world}.delivery_queue d where d.endpoint_id = e.id limit $2) d) q
      cross join lateral (
        select coalesce(sum(cardinality(p.delivery_ids)), 0) as batched
          from (select delivery_ids from ${world}.delivery_parcels p where p.endpoint_id = e.id limit $2) p) b`

const STOPPED = inEach((world) =>
  platformStatement<StoppedWebhooks>(
    `webhooks.count_stopped_${world}`,
    `select count(*)::int as endpoints, least(coalesce(sum(q.queued + b.batched), 0), $2)::int as deliveries
       from platform.webhook_endpoints e
      ${WAITING(world)}
      where e.app_id = any($1) and e.world = '${world}' and e.state = 'enabled'`,
  ),
)

/** What would stop with these apps: enabled endpoints, and the deliveries that wait for them. */
export async function countStoppedWebhooks(queries: PlatformQueries, world: World, apps: readonly Id<'app'>[]) {
  return queries.one(STOPPED[world], [apps, WAITING_MAX])
}

type Owner = { readonly app_id: Id<'app'> }

const OWNER_OF_ENDPOINT = platformStatement<Owner>(
  'webhooks.owner_of_endpoint',
  'select app_id from platform.webhook_endpoints where id = $1 and world = any($2)',
)

const OWNER_OF_DELIVERY = inEach((world) =>
  platformStatement<Owner>(
    `webhooks.owner_of_delivery_${world}`,
    `select w.app_id from platform.webhook_endpoints w
      where w.id in (select d.endpoint_id from ${world}.delivery_history d where d.id = $1
                     union all select d.endpoint_id from ${world}.delivery_queue d where d.id = $1
                     union all select p.endpoint_id from ${world}.delivery_parcels p
                                where p.id >= $1 and p.delivery_ids[1] <= $1 and $1 = any(p.delivery_ids))`,
  ),
)

/**
 * An event belongs to each app that has it in its event stream or among its deliveries (ended, queued, or in a delivery
 * batch). It also belongs to the app of the installation that the event names. The queue and the batches have no index of
 * events: the index would slow down every delivery, and operators search rarely.
 */
const RECEIVERS = inEach((world) =>
  platformStatement<Owner>(
    `webhooks.receivers_of_event_${world}`,
    `select s.app_id from ${world}.event_stream_entries s where s.event_id = $1
     union
     select w.app_id from ${world}.delivery_history d join platform.webhook_endpoints w on w.id = d.endpoint_id
      where d.event_id = $1
     union
     select w.app_id from ${world}.delivery_queue d join platform.webhook_endpoints w on w.id = d.endpoint_id
      where d.event_id = $1
     union
     select w.app_id from ${world}.delivery_parcels p join platform.webhook_endpoints w on w.id = p.endpoint_id
      where $1 = any(p.event_ids)
     union
     select i.app_id from ${world}.events e join ${world}.installations i on i.id = e.installation_id where e.id = $1`,
  ),
)

const appIdsOf = (rows: readonly Owner[]) => rows.map(({ app_id }) => app_id)

export async function appsOfEndpoint(queries: PlatformQueries, id: Id<'webhookEndpoint'>, worlds: readonly World[]) {
  return appIdsOf(await queries.many(OWNER_OF_ENDPOINT, [id, worlds]))
}

export async function appsOfDelivery(queries: PlatformQueries, world: World, id: Id<'delivery'>) {
  return appIdsOf(await queries.many(OWNER_OF_DELIVERY[world], [id]))
}

export async function appsOfEvent(queries: PlatformQueries, world: World, id: Id<'event'>) {
  return appIdsOf(await queries.many(RECEIVERS[world], [id]))
}

/** Compares the host of the URL, without a user and a port. No index is needed, because partners have few endpoints. */
const OWNER_OF_HOST = platformStatement<Owner>(
  'webhooks.owners_of_host',
  `select distinct e.app_id from platform.webhook_endpoints e join platform.apps a on a.id = e.app_id and a.deleted_at is null
    where e.state <> 'removed' and e.world = any($2)
      and lower(substring(e.url from '^https?://(?:[^/?#@]*@)?([^/:?#]+)')) = lower($1)`,
)

export async function appsOfWebhookHost(queries: PlatformQueries, host: string, worlds: readonly World[]) {
  return appIdsOf(await queries.many(OWNER_OF_HOST, [host, worlds]))
}

export const ENDPOINT_HEALTH = ['failing', 'disabled', 'enabled'] as const
export type EndpointHealth = (typeof ENDPOINT_HEALTH)[number]

/** All times are world times. `place` is only for paging. */
export type EndpointRow = {
  readonly id: Id<'webhookEndpoint'>
  readonly app_id: Id<'app'>
  readonly app_name: string
  readonly organization_id: Id<'organization'>
  readonly organization_name: string
  readonly host: string
  readonly state: EndpointHealth
  readonly disabled_reason: string | null
  readonly failing_since: string | null
  readonly last_delivery_at: string | null
  readonly last_delivery_status: string | null
  readonly delivered: number
  readonly failed: number
  readonly waiting: number
  readonly place: string
}

/** The host and port of the URL. Some partners put secrets into the path and the query. */
const HOST = `coalesce(substring(e.url from '^https?://([^/?#]+)'), '')`
const STATE = `case when e.state = 'disabled' then 'disabled' when l.failing_since is not null then 'failing' else 'enabled' end`
/** Failing endpoints come first, in the order in which they began to fail; then disabled endpoints, then enabled ones. */
const PLACE = `case ${STATE} when 'failing' then '1' || to_char(l.failing_since at time zone 'UTC', 'YYYYMMDDHH24MISSUS')
  when 'disabled' then '2' else '3' end || e.id`

/** The attempts of the last 24 hours at deliveries to the endpoint `e`. */
const ATTEMPTS = `left join lateral (
         select sum(k.delivered) as delivered, sum(k.failed) as failed from platform.delivery_counts k
          where k.endpoint_id = e.id and k.unit = 'hour' and k.begins_at > clock_timestamp() - interval '24 hours') c on true`

const LIST = inEach((world) =>
  platformStatement<EndpointRow>(
    `webhooks.list_endpoint_health_${world}`,
    `with shown as (
     select e.id, a.id as app_id, a.name as app_name, o.id as organization_id, o.name as organization_name, ${HOST} as host,
            ${STATE} as state, e.disabled_reason, l.failing_since, l.last_delivery_at, l.last_delivery_status, ${PLACE} as place
       from platform.webhook_endpoints e
       join ${world}.webhook_lanes l on l.endpoint_id = e.id
       join platform.apps a on a.id = e.app_id and a.deleted_at is null
       join platform.organizations o on o.id = a.organization_id
      where e.world = '${world}' and e.state <> 'removed'
        and ($1::text is null or ${STATE} = $1) and ($3::text is null or e.app_id = $3) and ($6::text is null or e.id = $6)
        and (${PLACE}) collate "C" > $4
      order by (${PLACE}) collate "C" limit $5)
     select e.id, e.app_id, e.app_name, e.organization_id, e.organization_name, e.host, e.state, e.disabled_reason,
            e.failing_since, e.last_delivery_at, e.last_delivery_status, e.place,
            coalesce(c.delivered, 0)::float8 as delivered, coalesce(c.failed, 0)::float8 as failed,
            least(q.queued + b.batched, $2)::int as waiting
       from shown e
       ${ATTEMPTS}
      ${WAITING(world)}
      order by e.place collate "C"`,
  ),
)

type HealthPage = {
  readonly state: EndpointHealth | null
  readonly app: Id<'app'> | null
  readonly endpoint: Id<'webhookEndpoint'> | null
  readonly after: string
  readonly limit: number
}

export async function listEndpointHealth(queries: PlatformQueries, world: World, page: HealthPage) {
  return queries.many(LIST[world], [page.state, WAITING_MAX, page.app, page.after, page.limit, page.endpoint])
}

export type HealthTotals = {
  readonly enabled: number
  readonly failing: number
  readonly disabled: number
  readonly delivered: number
  readonly failed: number
}

const TOTALS = inEach((world) =>
  platformStatement<HealthTotals>(
    `webhooks.endpoint_health_totals_${world}`,
    `select count(*) filter (where ${STATE} = 'enabled')::int as enabled,
            count(*) filter (where ${STATE} = 'failing')::int as failing,
            count(*) filter (where ${STATE} = 'disabled')::int as disabled,
            coalesce(sum(c.delivered), 0)::float8 as delivered, coalesce(sum(c.failed), 0)::float8 as failed
       from platform.webhook_endpoints e
       join ${world}.webhook_lanes l on l.endpoint_id = e.id
       join platform.apps a on a.id = e.app_id and a.deleted_at is null
       ${ATTEMPTS}
      where e.world = '${world}' and e.state <> 'removed'`,
  ),
)

/** Counts the endpoints that `listEndpointHealth` lists, and their attempts. */
export async function endpointHealthTotals(queries: PlatformQueries, world: World): Promise<HealthTotals> {
  return queries.one(TOTALS[world])
}

/** World times. */
export type FailingEndpoint = {
  readonly id: Id<'webhookEndpoint'>
  readonly app_id: Id<'app'>
  readonly failing_since: string
  readonly last_delivery_status: string | null
  readonly waiting: number
}

const LIST_FAILING = inEach((world) =>
  platformStatement<FailingEndpoint>(
    `webhooks.list_failing_${world}`,
    `select l.endpoint_id as id, e.app_id, l.failing_since, l.last_delivery_status,
            least(q.queued + b.batched, $3)::int as waiting
       from ${world}.webhook_lanes l join platform.webhook_endpoints e on e.id = l.endpoint_id
       join platform.apps a on a.id = e.app_id and a.deleted_at is null
      cross join lateral (
        select count(*) as queued from (select from ${world}.delivery_queue d where d.endpoint_id = l.endpoint_id limit $3) d) q
      cross join lateral (
        select coalesce(sum(cardinality(p.delivery_ids)), 0) as batched
          from (select delivery_ids from ${world}.delivery_parcels p where p.endpoint_id = l.endpoint_id limit $3) p) b
      where l.failing_since is not null and l.state = 'enabled' and l.endpoint_id > $1
      order by l.endpoint_id limit $2`,
  ),
)

/** Endpoints whose deliveries wait for a retry, because the last attempt failed. */
export async function listFailingEndpoints(queries: PlatformQueries, world: World, after: string, limit: number) {
  return queries.many(LIST_FAILING[world], [after, limit, WAITING_MAX])
}

/** Like `RESUME` of endpoints/store.ts, but the endpoint still counts as failing until an attempt succeeds. */
const RETRY_NOW = inEach((world) =>
  platformStatement<{ app_id: Id<'app'> }>(
    `webhooks.retry_failing_lane_${world}`,
    `update ${world}.webhook_lanes l set by_id = true, slots = 1, paused_until = null, next_due_at = ${world}.world_now()
       from platform.webhook_endpoints e
      where l.endpoint_id = $1 and e.id = l.endpoint_id and l.failing_since is not null and l.state = 'enabled'
        and (exists (select from ${world}.delivery_queue d where d.endpoint_id = l.endpoint_id)
             or exists (select from ${world}.delivery_parcels p where p.endpoint_id = l.endpoint_id))
      returning e.app_id`,
  ),
)

/**
 * Makes the waiting deliveries of a failing endpoint due now. They are sent oldest first, one at a time. Null if no
 * delivery waits, or if the endpoint does not fail.
 */
export async function retryEndpoint(tx: PlatformTx, world: World, id: string): Promise<Id<'app'> | null> {
  return (await tx.maybeOne(RETRY_NOW[world], [id]))?.app_id ?? null
}
