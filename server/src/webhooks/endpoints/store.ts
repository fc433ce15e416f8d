import type { Target } from '#access/installations/index.ts'
import type { Subscription } from '#events/index.ts'
import { type Id, newId } from '#kernel/ids.ts'
import { inEach, type World } from '#kernel/world.ts'
import type { PlatformQueries, PlatformTx } from '#system/postgres/database.ts'
import { platformStatement } from '#system/postgres/statement.ts'
import { worldTime } from '#system/postgres/world-clock.ts'
import { stopDeliveries } from '../queue/stop-deliveries.ts'
import { fromPlatform, lockLanes } from '../queue/store.ts'
import type { Endpoint, EndpointState, Manager } from './endpoint.ts'
import { eraseAllSecrets } from './secret-store.ts'

/**
 * An endpoint's settings are in the platform schema. Its health is in the row of its lane, in the schema of its world.
 */
const SELECT = `
  select e.id, e.app_id, e.world, e.url, e.events, e.installation_id, e.state, e.disabled_reason, e.created_at,
         coalesce(t.failing_since, l.failing_since) as failing_since,
         coalesce(t.last_delivery_at, l.last_delivery_at) as last_delivery_at,
         coalesce(t.last_delivery_status, l.last_delivery_status) as last_delivery_status
    from platform.webhook_endpoints e
    left join test.webhook_lanes t on t.endpoint_id = e.id
    left join live.webhook_lanes l on l.endpoint_id = e.id`

/** The endpoints of a manager, without removed ones. */
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

/** Returns the newest endpoints first. */
export async function listEndpoints(
  queries: PlatformQueries,
  manager: Manager,
  { before, limit }: { readonly before: string | null; readonly limit: number },
): Promise<Endpoint[]> {
  return queries.many(LIST, [...managed(manager), before, limit])
}

const ENABLED = platformStatement<Pick<Endpoint, 'events' | 'installation_id'>>(
  'webhooks.enabled_endpoints',
  `select events, installation_id from platform.webhook_endpoints
    where app_id = $1 and world = $2 and state = 'enabled'`,
)

/** All enabled endpoints of an app in one world. */
export async function listEnabled(queries: PlatformQueries, app: Id<'app'>, world: World) {
  return queries.many(ENABLED, [app, world])
}

/** Waits for fan-out, which locks the row `for share`. */
const LOCK = platformStatement<{ id: EndpointId }>(
  'webhooks.lock_endpoint',
  `select e.id from platform.webhook_endpoints e where ${MANAGED} and e.id = $5 for no key update`,
)

export async function lockEndpointRow(tx: PlatformTx, manager: Manager, id: EndpointId): Promise<boolean> {
  return (await tx.maybeOne(LOCK, [...managed(manager), id])) !== null
}

/** The caller has locked the app. Endpoints of revoked installations do not count. */
const COUNT = platformStatement<{ count: number }>(
  'webhooks.count_endpoints',
  `select count(*)::int as count from platform.webhook_endpoints
    where app_id = $1 and world = $2 and state <> 'removed' and disabled_reason is distinct from 'installation_revoked'`,
)

export async function countEndpoints(tx: PlatformTx, { app_id, world }: Pick<Endpoint, 'app_id' | 'world'>) {
  return (await tx.one(COUNT, [app_id, world])).count
}

/** subscribed_at uses the database's clock, like recorded_at of events; created_at uses world time. */
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

/** Existing subscriptions keep their start time; new ones start now. */
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

type Place = Pick<Endpoint, 'id' | 'world'>

const LANE_INSERT = inEach((world) =>
  platformStatement(`webhooks.insert_lane_${world}`, `insert into ${world}.webhook_lanes (endpoint_id) values ($1)`),
)

export async function insertLane(tx: PlatformTx, { id, world }: Place): Promise<void> {
  await tx.run(LANE_INSERT[world], [id])
}

const SET_STATE = platformStatement(
  'webhooks.set_endpoint_state',
  `update platform.webhook_endpoints set state = $2, disabled_reason = null, updated_at = clock_timestamp()
    where id = $1`,
)

/**
 * Sets the endpoint's state and locks its lane. The lane has a copy of the state, and the caller must update that copy.
 * Lock order, as everywhere: the endpoint, then its lane.
 */
async function setState(tx: PlatformTx, { id, world }: Place, state: EndpointState): Promise<void> {
  await tx.run(SET_STATE, [id, state])
  await lockLanes(fromPlatform(tx, world), [id])
}

/**
 * Deliveries are sent by id, oldest first, one at a time until the first success. If deliveries wait, the lane is due
 * now.
 */
const RESUME = inEach((world) =>
  platformStatement(
    `webhooks.resume_lane_${world}`,
    `update ${world}.webhook_lanes
        set state = 'enabled', by_id = true, slots = 1, failing_since = null, failing_told = 0,
            paused_until = null,
            next_due_at = case when exists (select from ${world}.delivery_queue where endpoint_id = $1)
                                 or exists (select from ${world}.delivery_parcels where endpoint_id = $1)
                               then ${world}.world_now() end
      where endpoint_id = $1`,
  ),
)

export async function enableRows(tx: PlatformTx, place: Place): Promise<void> {
  await setState(tx, place, 'enabled')
  await tx.run(RESUME[place.world], [place.id])
}

const END = inEach((world) =>
  platformStatement(
    `webhooks.end_lane_${world}`,
    `update ${world}.webhook_lanes set state = 'removed', next_due_at = null where endpoint_id = $1`,
  ),
)

/** Erases the secrets and cancels waiting deliveries; outcomes of requests in progress are ignored. */
export async function removeRows(tx: PlatformTx, place: Place): Promise<void> {
  await setState(tx, place, 'removed')
  await eraseAllSecrets(tx, [place.id])
  await tx.run(END[place.world], [place.id])
  await stopDeliveries(fromPlatform(tx, place.world), { reason: 'endpoint_removed', ids: [place.id] })
}

/** A row of `installations`. The installations module owns it; this module only locks and reads it. */
type Row = { readonly state: 'active' | 'revoked'; readonly target_type: Target['type'] }

/**
 * A revocation first updates the row and then searches the installation's endpoints. So either the revocation finds the
 * new endpoint, or the read after this lock finds the revocation.
 */
const INSTALLATION_LOCK = inEach((world) =>
  platformStatement<Row>(
    `webhooks.lock_installation_${world}`,
    `select state, target_type from ${world}.installations where app_id = $1 and id = $2 for share`,
  ),
)

const STATE = inEach((world) =>
  platformStatement<Row>(
    `webhooks.installation_state_${world}`,
    `select state, target_type from ${world}.installations where app_id = $1 and id = $2`,
  ),
)

export type InstallationPlace = {
  readonly app: Id<'app'>
  readonly world: World
  readonly installation: Id<'installation'>
}

/** Null if this app has no such installation in this world. */
export async function lockInstallation(
  tx: PlatformTx,
  { app, world, installation }: InstallationPlace,
): Promise<Row | null> {
  await tx.maybeOne(INSTALLATION_LOCK[world], [app, installation])
  return tx.maybeOne(STATE[world], [app, installation])
}

/** The target type of an installation, active or not. */
export async function findTargetType(
  tx: PlatformTx,
  { app, world, installation }: InstallationPlace,
): Promise<Target['type'] | null> {
  return (await tx.maybeOne(STATE[world], [app, installation]))?.target_type ?? null
}

/** $3 is the API version of the delivery. */
const QUEUE_CREATED = inEach((world) =>
  platformStatement(
    `webhooks.queue_installation_created_${world}`,
    `insert into ${world}.delivery_queue (id, event_id, installation_id, endpoint_id, api_version, due_at)
     select $1, e.id, e.installation_id, $2, $3, ${world}.world_now() from ${world}.events e
      where e.installation_id = $4 and e.name = 'installation.created'`,
  ),
)

const WAKE = inEach((world) =>
  platformStatement(
    `webhooks.wake_new_lane_${world}`,
    `update ${world}.webhook_lanes set next_due_at = ${world}.world_now() where endpoint_id = $1`,
  ),
)

type OwnCreation = {
  readonly world: World
  readonly endpoint: Id<'webhookEndpoint'>
  readonly installation: Id<'installation'>
  readonly version: string
}

/**
 * Queues installation.created, if the event is still stored. This transaction created the lane, so no lock is needed.
 */
export async function queueInstallationCreated(tx: PlatformTx, own: OwnCreation): Promise<void> {
  const { world, endpoint, installation, version } = own
  const queued = await tx.run(QUEUE_CREATED[world], [newId('delivery'), endpoint, version, installation])
  if (queued > 0) await tx.run(WAKE[world], [endpoint])
}

const ON_TEAM = platformStatement<{ onTeam: boolean }>(
  'webhooks.user_on_team',
  `select exists (
     select from platform.account_users u
       join platform.organization_members m on m.account_id = u.account_id
       join platform.apps a on a.organization_id = m.organization_id
      where u.user_id = $1 and u.world = $2 and a.id = $3) as "onTeam"`,
)

type UserOfApp = { readonly app: Id<'app'>; readonly world: World; readonly user: Id<'user'> }

/** Whether the user is on the app's team. Every role there (owner, admin, developer) may manage endpoints. */
export async function isUserOnTeam(queries: PlatformQueries, { app, world, user }: UserOfApp): Promise<boolean> {
  return (await queries.one(ON_TEAM, [user, world, app])).onTeam
}
