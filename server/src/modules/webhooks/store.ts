import type { Id } from '#kernel/ids.ts'
import { type InWorld, worldText } from './in-world-store.ts'
import { lockLanes } from './lanes/lock-store.ts'

type Installations = readonly Id<'installation'>[]
type EndpointId = Id<'webhookEndpoint'>

const LOCK_BOUND = worldText<{ id: EndpointId }>(
  'webhooks.lock_bound',
  () => 'select id from platform.webhook_endpoints where installation_id = any($1) order by id for update',
)

/** Whatever it was disabled for before, it cannot be enabled again. */
const DISABLE = worldText(
  'webhooks.disable_bound',
  () => `update platform.webhook_endpoints
    set state = 'disabled', disabled_reason = 'installation_revoked', updated_at = clock_timestamp()
  where id = any($1) and state <> 'removed'`,
)

const DISABLE_LANES = worldText(
  'webhooks.disable_bound_lanes',
  (schema) => `update ${schema}webhook_lanes set state = 'disabled' where endpoint_id = any($1) and state = 'enabled'`,
)

/** The endpoints, then their lanes, each locked in the order of ids. */
export async function disableBound(here: InWorld, installations: Installations): Promise<void> {
  const endpoints = (await here.many(LOCK_BOUND, [installations])).map(({ id }) => id)
  if (endpoints.length === 0) return
  await here.run(DISABLE, [endpoints])
  await lockLanes(here, endpoints)
  await here.run(DISABLE_LANES, [endpoints])
}
