import type { Id } from '#kernel/ids.ts'
import { type InWorld, worldText } from '../in-world-store.ts'

type EndpointId = Id<'webhookEndpoint'>

const LOCK = worldText<{ endpoint_id: EndpointId }>(
  'webhooks.lock_lanes',
  (schema) => `select endpoint_id from ${schema}webhook_lanes
    where endpoint_id = any($1) order by endpoint_id for no key update`,
)

/** After the endpoints' rows and before the queue's, each in the order of ids: as everybody takes them. */
export async function lockLanes(here: InWorld, endpoints: readonly EndpointId[]): Promise<void> {
  await here.many(LOCK, [endpoints])
}
