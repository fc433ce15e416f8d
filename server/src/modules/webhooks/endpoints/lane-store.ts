import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import { platformStatement } from '#system/postgres/statement.ts'
import type { Endpoint, EndpointState } from './endpoint.ts'

/** An endpoint's state stands with the platform and is repeated on its lane, in its world: both are always written. */
const inEach = <T>(make: (world: World) => T) => ({ test: make('test'), live: make('live') })

type Place = Pick<Endpoint, 'id' | 'world'>

const INSERT = inEach((world) =>
  platformStatement(`webhooks.insert_lane_${world}`, `insert into ${world}.webhook_lanes (endpoint_id) values ($1)`),
)

export async function insertLane(tx: PlatformTx, { id, world }: Place): Promise<void> {
  await tx.run(INSERT[world], [id])
}

const SET_STATE = platformStatement(
  'webhooks.set_endpoint_state',
  `update platform.webhook_endpoints set state = $2, disabled_reason = null, updated_at = clock_timestamp()
    where id = $1`,
)

const LOCK = inEach((world) =>
  platformStatement<{ endpoint_id: Id<'webhookEndpoint'> }>(
    `webhooks.lock_lane_${world}`,
    `select endpoint_id from ${world}.webhook_lanes where endpoint_id = $1 for no key update`,
  ),
)

/** The endpoint's row, then its lane's: the order in which everybody takes them. */
async function setState(tx: PlatformTx, { id, world }: Place, state: EndpointState): Promise<void> {
  await tx.run(SET_STATE, [id, state])
  await tx.maybeOne(LOCK[world], [id])
}

/** Resumes by id, the oldest first, one at a time until that succeeds; at once if anything waits. */
const RESUME = inEach((world) =>
  platformStatement(
    `webhooks.resume_lane_${world}`,
    `update ${world}.webhook_lanes
        set state = 'enabled', by_id = true, slots = 1, failing_since = null, failing_told = 0,
            next_due_at = case when exists (select from ${world}.delivery_queue where endpoint_id = $1)
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

/** In the order of ids, as everybody who takes several. */
const LOCK_QUEUED = inEach((world) =>
  platformStatement<{ count: number }>(
    `webhooks.lock_queued_of_removed_${world}`,
    `select count(*)::int as count from (
       select id from ${world}.delivery_queue where endpoint_id = $1 order by id for update) queued`,
  ),
)

const TELL_CANCELED = inEach((world) =>
  platformStatement(
    `webhooks.tell_canceled_of_removed_${world}`,
    `insert into ${world}.delivery_history
       (id, endpoint_id, installation_id, event_id, api_version, created_at, redelivery_of, attempts, state, reason)
     select id, endpoint_id, installation_id, event_id, api_version, created_at, redelivery_of, attempts,
            'canceled', 'endpoint_removed'
       from ${world}.delivery_queue where endpoint_id = $1`,
  ),
)

const EMPTY_QUEUE = inEach((world) =>
  platformStatement(
    `webhooks.empty_queue_of_removed_${world}`,
    `delete from ${world}.delivery_queue where endpoint_id = $1`,
  ),
)

/** What waits is told of as canceled; what is being sent at this moment finds its row gone. */
export async function removeRows(tx: PlatformTx, place: Place): Promise<void> {
  await setState(tx, place, 'removed')
  await tx.run(END[place.world], [place.id])
  await tx.one(LOCK_QUEUED[place.world], [place.id])
  await tx.run(TELL_CANCELED[place.world], [place.id])
  await tx.run(EMPTY_QUEUE[place.world], [place.id])
}
