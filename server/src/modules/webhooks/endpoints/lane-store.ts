import { inEach } from '#kernel/world.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import { platformStatement } from '#system/postgres/statement.ts'
import { fromPlatform } from '../in-world-store.ts'
import { lockLanes } from '../lanes/lock-store.ts'
import { stopDeliveries } from '../stopping/stop-deliveries.ts'
import type { Endpoint, EndpointState } from './endpoint.ts'

/** An endpoint's state stands with the platform and is repeated on its lane, in its world: both are always written. */
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

/** The endpoint's row, then its lane's: the order in which everybody takes them. */
async function setState(tx: PlatformTx, { id, world }: Place, state: EndpointState): Promise<void> {
  await tx.run(SET_STATE, [id, state])
  await lockLanes(fromPlatform(tx, world), [id])
}

/** Resumes by id, the oldest first, one at a time until that succeeds; at once if anything waits. */
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

/** What waits is canceled with it; what is being sent at this moment changes nothing any more. */
export async function removeRows(tx: PlatformTx, place: Place): Promise<void> {
  await setState(tx, place, 'removed')
  await tx.run(END[place.world], [place.id])
  await stopDeliveries(fromPlatform(tx, place.world), { reason: 'endpoint_removed', ids: [place.id] })
}
