import { newId } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { Due } from './deliveries-of.ts'

/** An empty text stands for no installation: the driver's arrays hold no nulls. */
const INSERT = statement(
  'webhooks.queue_deliveries',
  `insert into delivery_queue (id, event_id, installation_id, endpoint_id, api_version, due_at)
   select id, event_id, nullif(installation_id, ''), endpoint_id, api_version, (select world_now())
     from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
       as due (id, event_id, installation_id, endpoint_id, api_version)`,
)

/** Rows at once: a large batch must not hold up everything else that this thread does. */
const ROWS = 500

export async function queueDeliveries(tx: Tx, due: readonly Due[]): Promise<void> {
  for (let from = 0; from < due.length; from += ROWS) await insertRows(tx, due.slice(from, from + ROWS))
}

async function insertRows(tx: Tx, due: readonly Due[]): Promise<void> {
  await tx.run(INSERT, [
    due.map(() => newId('delivery')),
    due.map(({ event }) => event),
    due.map(({ installation }) => installation ?? ''),
    due.map(({ endpoint }) => endpoint),
    due.map(({ version }) => version),
  ])
}

const LOCK_LANES = statement<{ endpoint_id: string }>(
  'webhooks.lock_lanes_to_wake',
  'select endpoint_id from webhook_lanes where endpoint_id = any($1) order by endpoint_id for no key update',
)

const WAKE_LANES = statement(
  'webhooks.wake_lanes',
  `update webhook_lanes set next_due_at = world_now()
    where endpoint_id = any($1) and (next_due_at is null or next_due_at > world_now())`,
)

/**
 * Locked even where nothing has to be written: whoever is about to put a lane to sleep either sees these deliveries or
 * is seen to have done so. The last locks of fan-out, because a lane's owner waits for them.
 */
export async function wakeLanes(tx: Tx, endpoints: readonly string[]): Promise<void> {
  if (endpoints.length === 0) return
  await tx.many(LOCK_LANES, [endpoints])
  await tx.run(WAKE_LANES, [endpoints])
}
