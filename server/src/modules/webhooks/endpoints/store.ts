import type { Id } from '#kernel/ids.ts'
import { inEach } from '#kernel/world.ts'
import type { Subscription } from '#modules/events/index.ts'
import type { PlatformQueries, PlatformTx } from '#system/postgres/database.ts'
import { platformStatement } from '#system/postgres/statement.ts'
import { worldTime } from '#system/postgres/world-clock.ts'
import type { Endpoint } from './endpoint.ts'
import type { Manager } from './manager.ts'

/** Settings lie with the platform; how an endpoint fares, with its lane in its world. An endpoint has one lane. */
const SELECT = `
  select e.id, e.app_id, e.world, e.url, e.events, e.installation_id, e.state, e.disabled_reason, e.created_at,
         coalesce(t.failing_since, l.failing_since) as failing_since,
         coalesce(t.last_delivery_at, l.last_delivery_at) as last_delivery_at,
         coalesce(t.last_delivery_status, l.last_delivery_status) as last_delivery_status
    from platform.webhook_endpoints e
    left join test.webhook_lanes t on t.endpoint_id = e.id
    left join live.webhook_lanes l on l.endpoint_id = e.id`

/** What somebody manages; what was removed is nobody's any more. */
const MANAGED = `e.app_id = $1 and e.world = any($2) and ($3::text is null or e.installation_id = $3)
  and e.state <> 'removed'
  and ($4 or e.installation_id is null
       or not exists (select from test.installations i where i.id = e.installation_id and i.target_type = 'user')
          and not exists (select from live.installations i where i.id = e.installation_id and i.target_type = 'user'))`

const managed = ({ app, worlds, installation, usersToo }: Manager) => [app, worlds, installation, usersToo] as const

const FIND = platformStatement<Endpoint>('webhooks.find_endpoint', `${SELECT} where ${MANAGED} and e.id = $5`)

type EndpointId = Id<'webhookEndpoint'>

export async function findEndpoint(
  queries: PlatformQueries,
  manager: Manager,
  id: EndpointId,
): Promise<Endpoint | null> {
  return queries.maybeOne(FIND, [...managed(manager), id])
}

const LIST = platformStatement<Endpoint>(
  'webhooks.list_endpoints',
  `${SELECT} where ${MANAGED} and ($5::text is null or e.id < $5) order by e.id desc limit $6`,
)

/** The newest first. */
export async function listEndpoints(
  queries: PlatformQueries,
  manager: Manager,
  { before, limit }: { readonly before: string | null; readonly limit: number },
): Promise<Endpoint[]> {
  return queries.many(LIST, [...managed(manager), before, limit])
}

/** Fan-out holds the row `for share` and is waited for. */
const LOCK = platformStatement<{ id: EndpointId }>(
  'webhooks.lock_endpoint',
  `select e.id from platform.webhook_endpoints e where ${MANAGED} and e.id = $5 for no key update`,
)

export async function lockEndpointRow(tx: PlatformTx, manager: Manager, id: EndpointId): Promise<boolean> {
  return (await tx.maybeOne(LOCK, [...managed(manager), id])) !== null
}

/** Whoever asks holds the app's row. What stopped with its installation takes nobody's place. */
const COUNT = platformStatement<{ count: number }>(
  'webhooks.count_endpoints',
  `select count(*)::int as count from platform.webhook_endpoints
    where app_id = $1 and world = $2 and state <> 'removed' and disabled_reason is distinct from 'installation_revoked'`,
)

export async function countEndpoints(tx: PlatformTx, { app_id, world }: Pick<Endpoint, 'app_id' | 'world'>) {
  return (await tx.one(COUNT, [app_id, world])).count
}

/** Subscribed by the database's clock, with which the recording of events is compared; created by the world's. */
const INSERT = inEach((world) =>
  platformStatement(
    `webhooks.insert_endpoint_${world}`,
    `insert into platform.webhook_endpoints
       (id, app_id, world, installation_id, url, events, subscribed_at, secret, created_at)
     values ($1, $2, '${world}', $3, $4, $5, array_fill(clock_timestamp(), array[cardinality($5::text[])]), $6,
             ${worldTime(`${world}.`)})`,
  ),
)

export type EndpointToInsert = Pick<Endpoint, 'id' | 'app_id' | 'world' | 'installation_id' | 'url' | 'events'> & {
  readonly secret: Buffer
}

export async function insertEndpoint(tx: PlatformTx, made: EndpointToInsert): Promise<void> {
  const { id, app_id, world, installation_id, url, events, secret } = made
  await tx.run(INSERT[world], [id, app_id, installation_id, url, events, secret])
}

/** What stays subscribed keeps the time from which it is; what is new begins now. */
const UPDATE = platformStatement(
  'webhooks.update_endpoint',
  `update platform.webhook_endpoints e
      set url = $2, events = $3, updated_at = clock_timestamp(),
          subscribed_at = array(
            select coalesce(e.subscribed_at[array_position(e.events, wanted.name)], clock_timestamp())
              from pg_catalog.unnest($3::text[]) with ordinality as wanted (name, place)
             order by wanted.place)
    where e.id = $1`,
)

export type EndpointTexts = { readonly url: string; readonly events: readonly Subscription[] }

export async function updateEndpointRow(tx: PlatformTx, id: EndpointId, { url, events }: EndpointTexts): Promise<void> {
  await tx.run(UPDATE, [id, url, events])
}
