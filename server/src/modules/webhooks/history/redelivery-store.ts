import { type Id, newId } from '#kernel/ids.ts'
import { inEach, type World } from '#kernel/world.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import { platformStatement } from '#system/postgres/statement.ts'
import { shownTime, worldTime } from '#system/postgres/world-clock.ts'
import { isStopped } from '../stopping/stopped-sql-store.ts'
import type { Delivery } from './delivery.ts'
import { type DeliveryRow, deliveryOf, oneDelivery } from './delivery-sql-store.ts'

type EndpointId = Id<'webhookEndpoint'>
type DeliveryId = Id<'delivery'>

/** Where something is to be sent again. */
export type Lane = { readonly id: EndpointId; readonly world: World }

const WAKE_LANE = inEach((world) =>
  platformStatement(
    `webhooks.wake_lane_to_redeliver_${world}`,
    `update ${world}.webhook_lanes set next_due_at = least(next_due_at, ${world}.world_now()) where endpoint_id = $1`,
  ),
)

export async function wakeLane(tx: PlatformTx, { id, world }: Lane): Promise<void> {
  await tx.run(WAKE_LANE[world], [id])
}

const FIND = inEach((world) =>
  platformStatement<DeliveryRow>(`webhooks.find_delivery_${world}`, oneDelivery(`${world}.`)),
)

export async function findDeliveryIn(tx: PlatformTx, { id, world }: Lane, delivery: DeliveryId) {
  const row = await tx.maybeOne(FIND[world], [id, delivery])
  return row === null ? null : deliveryOf(row)
}

const SEND_NOW = inEach((world) =>
  platformStatement<{ id: DeliveryId }>(
    `webhooks.send_now_${world}`,
    `update ${world}.delivery_queue q set due_at = least(q.due_at, ${world}.world_now())
      where q.endpoint_id = $1 and (q.id = $2 or q.redelivery_of = $2) and not ${isStopped(`${world}.`, 'q')}
     returning q.id::text as id`,
  ),
)

/** What of a delivery still waits, itself or a redelivery, is due at once; null where nothing does. */
export async function sendWaitingNow(tx: PlatformTx, { id, world }: Lane, delivery: DeliveryId) {
  const [waiting] = await tx.many(SEND_NOW[world], [id, delivery])
  return waiting?.id ?? null
}

const INSERT = inEach((world) =>
  platformStatement(
    `webhooks.queue_again_${world}`,
    `insert into ${world}.delivery_queue (id, endpoint_id, event_id, installation_id, api_version, redelivery_of)
     select id, $1, event_id, installation_id, api_version, redelivery_of
       from pg_catalog.jsonb_to_recordset($2::jsonb)
         as again (id text, event_id text, installation_id text, api_version text, redelivery_of text)`,
  ),
)

export type Again = Pick<Delivery, 'id' | 'event_id' | 'installation_id' | 'api_version'>

/** As deliveries of their own, with all their attempts before them: each stands in the history for itself. */
export async function queueAgain(tx: PlatformTx, { id, world }: Lane, originals: readonly Again[]) {
  // Those of one millisecond come in no order; sorted, what was first is sent first.
  const ids = originals.map(() => newId('delivery')).toSorted()
  const rows = originals.map(({ id: redelivery_of, event_id, installation_id, api_version }, index) => {
    return { id: ids[index], event_id, installation_id, api_version, redelivery_of }
  })
  await tx.run(INSERT[world], [id, JSON.stringify(rows)])
  return ids
}

const MADE_AT = shownTime('d', 'created_at')

/**
 * What ended, by when it was made in its world: each delivery once, however often it was sent again; nothing that is about to be sent
 * again anyway, nor whose event is kept no longer; and of failed ones none that a redelivery brought there since. Ids are
 * made just before their row, so that a generous bound on them keeps the look at what concerns the range. What was sent
 * again is gathered once and not looked up for each: a plan made while there was nothing would look through all of it.
 */
const IN_RANGE = inEach((world) =>
  platformStatement<Again & { readonly created_at: string }>(
    `webhooks.replayable_${world}`,
    `select d.id::text as id, d.event_id, d.installation_id, d.api_version, ${MADE_AT} as created_at
       from ${world}.delivery_history d
      where d.endpoint_id = $1 and d.id >= $2 and d.redelivery_of is null
        and ${MADE_AT} >= $3::timestamptz and ${MADE_AT} < coalesce($4::timestamptz, ${worldTime(`${world}.`)})
        and exists (select from ${world}.events e where e.id = d.event_id)
        and d.id::text not in (
              select q.redelivery_of from ${world}.delivery_queue q
               where q.endpoint_id = $1 and q.redelivery_of is not null and not ${isStopped(`${world}.`, 'q')})
        and (not $5 or (d.state <> 'delivered' and d.id::text not in (
              select again.redelivery_of from ${world}.delivery_history again
               where again.endpoint_id = $1 and again.redelivery_of is not null and again.state = 'delivered')))
      order by ${MADE_AT} fetch first ($6::bigint) rows with ties`,
  ),
)

/** World time. */
export type Range = {
  readonly since: string
  /** Null: until now. */
  readonly until: string | null
  readonly onlyFailed: boolean
  readonly limit: number
}

const SLACK_MS = 3_600_000

const AHEAD_MS = inEach((world) =>
  platformStatement<{ ahead_ms: number }>(
    `webhooks.clock_ahead_${world}`,
    `select (extract(epoch from ahead) * 1000)::float8 as ahead_ms from ${world}.world_clock`,
  ),
)

/**
 * The first id that a delivery made at that time of the world could have. Ids carry real time, and the clock was never
 * further ahead than it is now.
 */
async function lowestId(tx: PlatformTx, world: World, since: string): Promise<DeliveryId> {
  const { ahead_ms } = await tx.one(AHEAD_MS[world])
  return newId('delivery', Math.max(0, Date.parse(since) - ahead_ms - SLACK_MS), (bytes) => bytes.fill(0))
}

/** The oldest first; of those made at one time all or none. */
export async function findReplayable(tx: PlatformTx, { id, world }: Lane, range: Range) {
  const { since, until, onlyFailed, limit } = range
  const lowest = await lowestId(tx, world, since)
  const found = await tx.many(IN_RANGE[world], [id, lowest, since, until, onlyFailed, limit])
  return found.toSorted((a, b) => compare(a.created_at, b.created_at) || compare(a.id, b.id))
}

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b))
