import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { PlatformTx, Tx } from '#system/postgres/database.ts'
import { platformStatement, statement } from '#system/postgres/statement.ts'

type Ids = readonly Id<'installation'>[]

/**
 * What stops with installations runs on a world's own connection, where names are bare, and on the platform's, which
 * names the schema: these texts are one and the same but for that. One after the other, each locking in the order of ids
 * before it looks: endpoints, lanes, and the queue, where whoever records what was sent deletes rows, too.
 */
type Schema = '' | `${World}.`

const BOUND = 'select id from platform.webhook_endpoints where installation_id = any($1)'

const steps = (schema: Schema) => ({
  lock_bound: `${BOUND} order by id for update`,
  // Whatever it was disabled for before, it cannot be enabled again.
  disable_bound: `
    update platform.webhook_endpoints
       set state = 'disabled', disabled_reason = 'installation_revoked', updated_at = clock_timestamp()
     where installation_id = any($1) and state <> 'removed'`,
  lock_bound_lanes: `
    select endpoint_id from ${schema}webhook_lanes
     where endpoint_id in (${BOUND}) order by endpoint_id for no key update`,
  disable_bound_lanes: `
    update ${schema}webhook_lanes set state = 'disabled' where endpoint_id in (${BOUND}) and state = 'enabled'`,
  lock_queued_of_revoked: `
    select id from ${schema}delivery_queue where installation_id = any($1) order by id for update`,
  cancel_queued_of_revoked: `
    with gone as (
      delete from ${schema}delivery_queue where installation_id = any($1)
      returning id, endpoint_id, installation_id, event_id, api_version, created_at, redelivery_of, attempts)
    insert into ${schema}delivery_history
      (id, endpoint_id, installation_id, event_id, api_version, state, reason, created_at, ended_at, redelivery_of,
       attempts)
    select id, endpoint_id, installation_id, event_id, api_version, 'canceled', 'installation_revoked', created_at,
           ${schema}world_now(), redelivery_of, attempts
      from gone`,
})

const IN_WORLD = Object.entries(steps('')).map(([name, text]) => statement(`webhooks.${name}`, text))

export async function stopDeliveries(tx: Tx, installations: Ids): Promise<void> {
  for (const step of IN_WORLD) await tx.run(step, [installations])
}

const onPlatform = (world: World) =>
  Object.entries(steps(`${world}.`)).map(([name, text]) => platformStatement(`webhooks.${name}_${world}`, text))

const ON_PLATFORM = { test: onPlatform('test'), live: onPlatform('live') }

export async function stopDeliveriesIn(tx: PlatformTx, world: World, installations: Ids): Promise<void> {
  for (const step of ON_PLATFORM[world]) await tx.run(step, [installations])
}
