import type { EventName } from '#events/index.ts'
import type { Id } from '#kernel/ids.ts'
import { inEach, type World } from '#kernel/world.ts'
import type { PlatformQueries, PlatformTx, WorldDatabase } from '#system/postgres/database.ts'
import { platformStatement } from '#system/postgres/statement.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import type { Delivery, DeliveryState } from '../history/delivery.ts'
import { type DeliveryRow, deliveryOf, endedDeliveries, waitingDeliveries } from '../history/store.ts'
import { isStopped, someStopped } from '../queue/stop-store.ts'
import {
  DELIVERY_BATCH_COLUMNS,
  fromPlatform,
  type InWorld,
  membersOf,
  type Schema,
  worldText,
} from '../queue/store.ts'
import { SUBJECT } from '../stream/read-store.ts'

/** A delivery of any of an app's endpoints. */
export type AppDelivery = Delivery & {
  readonly endpoint_id: Id<'webhookEndpoint'>
  readonly endpoint_state: Endpoint['state']
}

type FoundRow = DeliveryRow & Pick<AppDelivery, 'endpoint_id' | 'endpoint_state'>
type Window = { readonly scanned: number; readonly last_id: Id<'delivery'> | null }
type WindowRow = Window & (FoundRow | { readonly id: null })

/** The condition by which deliveries are found with an index. All other filters are compared row by row. */
type Way = DeliveryState | 'any' | 'by_delivery' | 'by_event'

/** SQL: the deliveries from the cursor, or from the end of the time range, back to the beginning of the range. */
const RANGE = 'd.endpoint_id = w.id and ($3::text is null or d.id < $3) and ($4::text is null or d.id >= $4)'
const NEWEST = 'order by d.id desc limit $5'

const EXACTLY: Readonly<Partial<Record<Way, string>>> = {
  by_delivery: 'and (d.id = $12 or d.redelivery_of = $12)',
  by_event: 'and d.event_id = $12',
}

/** States are literals, because the planner does not use the index of failed deliveries for a parameter. */
const hasWaiting = (schema: Schema): Readonly<Partial<Record<Way, string>>> => ({
  pending: `and not ${isStopped(schema, 'd')}`,
  canceled: `and ${someStopped(schema)} and ${isStopped(schema, 'd')}`,
  delivered: 'and false',
  exhausted: 'and false',
})
const HAS_ENDED: Readonly<Partial<Record<Way, string>>> = {
  pending: 'and false',
  canceled: `and d.state = 'canceled'`,
  delivered: `and d.state = 'delivered'`,
  exhausted: `and d.state = 'exhausted'`,
}

/**
 * Selects delivery batches as `DELIVERY_BATCHES` of history/store.ts does: a delivery batch has the id of its last
 * member, and a delivery batch that contains the cursor is added.
 */
const batchesIn = (schema: Schema) => `
  (select ${DELIVERY_BATCH_COLUMNS} from ${schema}delivery_parcels p
    where p.endpoint_id = w.id and ($3::text is null or p.id < $3) and ($4::text is null or p.id >= $4)
    order by p.id desc limit case when not ${someStopped(schema)} then $5::bigint end)
  union all
  (select ${DELIVERY_BATCH_COLUMNS} from ${schema}delivery_parcels p
    where p.endpoint_id = w.id and p.id >= $3 and p.delivery_ids[1] < $3)`
const allBatches = (schema: Schema) =>
  `select ${DELIVERY_BATCH_COLUMNS} from ${schema}delivery_parcels p where p.endpoint_id = w.id`

/**
 * Reads the newest $5 deliveries of the app's endpoints in the range, with one index scan for each endpoint. Returns at
 * most $11 of them that match the filters. Each row says where the scan ended. If no delivery matches, there is one row
 * without a delivery.
 */
const listing = (way: Way) =>
  worldText<WindowRow>(`webhooks.list_app_deliveries_${way}`, (schema) => listingIn(schema, way))

const listingIn = (schema: Schema, way: Way) => {
  const exactly = EXACTLY[way] ?? ''
  const waiting = `where ${RANGE} ${exactly} ${hasWaiting(schema)[way] ?? ''} ${NEWEST}`
  const ended = `where ${RANGE} ${exactly} ${HAS_ENDED[way] ?? ''} ${NEWEST}`
  const batches = exactly === '' ? batchesIn(schema) : allBatches(schema)
  return `with scanned as materialized (
       select d.id, d.event_id, d.installation_id, d.api_version, d.state, d.reason, d.shown_at, d.due_at, d.ended_at,
              d.redelivery_of, d.attempts, w.id as endpoint_id, w.state as endpoint_state
         from platform.webhook_endpoints w
        cross join lateral (
          (${waitingDeliveries(schema, `${schema}delivery_queue`)} ${waiting})
          union all (${waitingDeliveries(schema, `(${membersOf(batches)})`)} ${waiting})
          union all (${endedDeliveries(schema)} ${ended})) d
        where w.app_id = $1 and w.world = $2 and w.state <> 'removed' and ($6::text is null or w.id = $6)
        order by d.id desc limit $5)
     select w.scanned, w.last_id, f.id, f.event_id, f.event, f.installation_id, f.api_version, f.state, f.reason, f.created_at,
            f.due_at, f.ended_at, f.redelivery_of, f.attempts, f.endpoint_id, f.endpoint_state
       from (select count(*)::int as scanned, min(id) as last_id from scanned) w
       left join lateral (
         select d.id, d.event_id, e.name::text as event, d.installation_id, d.api_version, d.state, d.reason,
                d.shown_at as created_at, d.due_at, d.ended_at, d.redelivery_of, d.attempts, d.endpoint_id, d.endpoint_state
           from scanned d left join ${schema}events e on e.id = d.event_id
          where ($7::text[] is null or e.name = any($7))
            and ($8::text is null or d.installation_id = $8 or $8 = any(${SUBJECT}))
            and ($9::timestamptz is null or d.shown_at >= $9) and ($10::timestamptz is null or d.shown_at < $10)
            and ($12::text is null or $12 in (d.id, d.redelivery_of, d.event_id)) and ($13::text is null or d.state = $13)
          order by d.id desc limit $11) f on true
      order by f.id desc`
}

const LIST: Readonly<Record<Way, ReturnType<typeof listing>>> = {
  any: listing('any'),
  pending: listing('pending'),
  delivered: listing('delivered'),
  exhausted: listing('exhausted'),
  canceled: listing('canceled'),
  by_delivery: listing('by_delivery'),
  by_event: listing('by_event'),
}

/** One world, read on its own connection or in a transaction of the platform connection. */
export type Here = Pick<InWorld, 'many'> & { readonly world: World }

export const readsOf = ({ reads, world }: WorldDatabase): Here => ({
  world,
  many: ({ own }, values) => reads.many(own, values),
})

export const within = (tx: PlatformTx, world: World): Here => ({ world, many: fromPlatform(tx, world).many })

const AHEAD = worldText<{ ahead_ms: number }>(
  'webhooks.clock_ahead_of_deliveries',
  (schema) => `select (extract(epoch from ahead) * 1000)::float8 as ahead_ms from ${schema}world_clock`,
)

/** How far the world's clock is ahead of real time. */
export async function aheadMs(here: Here): Promise<number> {
  return (await here.many(AHEAD, []))[0]?.ahead_ms ?? 0
}

export type DeliveryFilter = {
  readonly state: DeliveryState | null
  readonly endpoint: Id<'webhookEndpoint'> | null
  /** Null for all. */
  readonly names: readonly EventName[] | null
  /** An installation, or a record that the event is about. */
  readonly about: string | null
  readonly exactly: { readonly delivery: Id<'delivery'> } | { readonly event: Id<'event'> } | null
  /** World time, like `until`. */
  readonly since: string | null
  readonly until: string | null
  /** The lowest possible id of a delivery in this range. */
  readonly lowestId: string | null
}

export type DeliveryWindow = {
  /** Only deliveries before this id. */
  readonly before: string | null
  /** At most `scan` deliveries are read, and at most `limit` of them are returned. */
  readonly scan: number
  readonly limit: number
}

export type Scanned = {
  readonly deliveries: readonly AppDelivery[]
  /** Where the next scan begins; null if this scan reached the end. */
  readonly next: Id<'delivery'> | null
}

/** Newest first. */
export async function scanDeliveries(
  here: Here,
  app: Id<'app'>,
  filter: DeliveryFilter,
  { before, scan, limit }: DeliveryWindow,
): Promise<Scanned> {
  const { state, endpoint, names, about, exactly, since, until, lowestId } = filter
  const id = exactly === null ? null : 'event' in exactly ? exactly.event : exactly.delivery
  const way: Way = exactly === null ? (state ?? 'any') : 'event' in exactly ? 'by_event' : 'by_delivery'
  const rows = await here.many(LIST[way], [
    ...[app, here.world, before, lowestId, scan, endpoint],
    ...[names, about, since, until, limit, id, state],
  ])
  const [first] = rows
  const deliveries = rows
    .filter((row): row is Window & FoundRow => row.id !== null)
    .map(({ scanned, last_id, endpoint_id, endpoint_state, ...row }) => {
      return { ...deliveryOf(row), endpoint_id, endpoint_state }
    })
  return { deliveries, next: first !== undefined && first.scanned >= scan ? first.last_id : null }
}

const ENDPOINT_OF = inEach((world) =>
  platformStatement<{ id: Id<'webhookEndpoint'> }>(
    `webhooks.endpoint_of_delivery_${world}`,
    `select w.id from platform.webhook_endpoints w
      where w.app_id = $1 and w.world = '${world}' and w.state <> 'removed'
        and (exists (select from ${world}.delivery_history d where d.endpoint_id = w.id and d.id = $2)
             or exists (select from ${world}.delivery_queue d where d.endpoint_id = w.id and d.id = $2)
             or exists (select from ${world}.delivery_parcels p
                         where p.endpoint_id = w.id and p.id >= $2 and $2 = any(p.delivery_ids)))`,
  ),
)

type Found = { readonly id: Id<'webhookEndpoint'>; readonly world: World }

/** The endpoint of a delivery of the app; null if the delivery or its endpoint does not exist. */
export async function findEndpointOf(
  queries: PlatformQueries,
  app: Id<'app'>,
  delivery: Id<'delivery'>,
): Promise<Found | null> {
  for (const world of ['live', 'test'] as const) {
    const found = await queries.maybeOne(ENDPOINT_OF[world], [app, delivery])
    if (found !== null) return { id: found.id, world }
  }
  return null
}
