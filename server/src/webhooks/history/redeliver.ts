import { EVENT_DAYS } from '#events/index.ts'
import { ApiError, type ErrorType, notFound } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import type { Endpoint, Manager } from '../endpoints/endpoint.ts'
import { lockForSending } from '../endpoints/manager.ts'
import { fromPlatform, lockLanes, openAround } from '../queue/store.ts'
import { queueAgainInStream } from '../stream/queue-store.ts'
import type { Delivery } from './delivery.ts'
import { findDeliveryIn, findReplayable, queueAgain, type Range, sendWaitingNow, wakeLane } from './store.ts'

type EndpointId = Id<'webhookEndpoint'>
export type DeliveryPlace = { readonly id: EndpointId; readonly delivery: Id<'delivery'> }
export type Redelivery = { readonly endpoint: Endpoint; readonly delivery: Delivery }

/**
 * "Redeliver and replay reach what was once a delivery of that endpoint." If the delivery still waits, it is sent at
 * once, and no new delivery is queued. The event stream repeats the event whether or not the delivery still waits. The
 * receiver's rights are checked when the delivery is sent, as always.
 */
export async function redeliver(tx: PlatformTx, manager: Manager, place: DeliveryPlace): Promise<Redelivery> {
  const endpoint = await lockForSending(tx, manager, place.id)
  await lockLanes(fromPlatform(tx, endpoint.world), [endpoint.id])
  return sendAgain(tx, endpoint, place.delivery)
}

/** The caller has locked the endpoint and its lane. */
async function sendAgain(tx: PlatformTx, endpoint: Endpoint, wanted: Id<'delivery'>): Promise<Redelivery> {
  const found = await findDeliveryIn(tx, endpoint, wanted)
  if (found === null) throw notFound(`${wanted} is not a delivery of ${endpoint.id}`)
  if (found.event === null) throw eventGone()
  // A member of a delivery batch cannot be sent before the others, so its delivery batch is opened.
  const here = fromPlatform(tx, endpoint.world)
  if (found.state === 'pending') await openAround(here, { endpoint: endpoint.id, delivery: found.id })
  // redelivery_of always names the original delivery, so repeated redeliveries form no chain.
  const original = { ...found, id: found.redelivery_of ?? found.id }
  const waiting = await sendWaitingNow(tx, endpoint, found.state === 'pending' ? found.id : original.id)
  const [id] = waiting === null ? await queueAgain(tx, endpoint, [original]) : [waiting]
  await wakeLane(tx, endpoint)
  await queueAgainInStream(tx, { app: endpoint.app_id, world: endpoint.world, originals: [original] })
  const delivery = id === undefined ? null : await findDeliveryIn(tx, endpoint, id)
  if (delivery === null) throw new Error('the delivery that was just queued is missing')
  return { endpoint, delivery }
}

export type Skipped = { readonly id: Id<'delivery'>; readonly reason: ErrorType }

/**
 * Like `redeliver`, for many deliveries: `skipped` lists those that cannot be sent again, each with its reason. Locks
 * all endpoints, then all lanes, then the deliveries, each in the order of ids.
 */
export async function redeliverMany(tx: PlatformTx, manager: Manager, places: readonly DeliveryPlace[]) {
  const skipped: Skipped[] = []
  const byEndpoint = [...Map.groupBy(places, ({ id }) => id)].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const locked: { readonly endpoint: Endpoint; readonly deliveries: readonly Id<'delivery'>[] }[] = []
  for (const [id, some] of byEndpoint) {
    const deliveries = some.map(({ delivery }) => delivery)
    const endpoint = await orErrorType(() => lockForSending(tx, manager, id))
    if (typeof endpoint === 'string') skipped.push(...deliveries.map((one) => ({ id: one, reason: endpoint })))
    else locked.push({ endpoint, deliveries })
  }
  for (const [world, some] of Map.groupBy(locked, ({ endpoint }) => endpoint.world)) {
    const ids = some.map(({ endpoint }) => endpoint.id)
    await lockLanes(fromPlatform(tx, world), ids)
  }
  let accepted = 0
  // In the order of ids, because a worker that records outcomes locks the same rows and delivery batches in this order.
  const inOrder = locked
    .flatMap(({ endpoint, deliveries }) => deliveries.map((id) => ({ endpoint, id })))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
  for (const { endpoint, id } of inOrder) {
    const sent = await orErrorType(() => sendAgain(tx, endpoint, id))
    if (typeof sent === 'string') skipped.push({ id, reason: sent })
    else accepted++
  }
  return { accepted, skipped }
}

/** Returns the result, or the type of the error with which this delivery was rejected. */
async function orErrorType<T>(work: () => Promise<T>): Promise<T | ErrorType> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ApiError) return error.type
    throw error
  }
}

/**
 * A delivery can wait for weeks, and its entry stays in the history for 30 days after it has ended. So the entry may be stored
 * longer than the event, and without the event there is nothing to send.
 */
function eventGone(): ApiError {
  return new ApiError('gone', {
    public: `The event of this delivery is older than the ${EVENT_DAYS} days for which events are kept.`,
    remediation: 'Read the current records from the lists of the API.',
  })
}

/**
 * How many deliveries one request queues. More would lock the endpoint for too long; the response says where to
 * continue. If more than this number were created in the same microsecond, one request queues all of them.
 */
const REPLAY_MAX = 10_000

export type Replayed = {
  readonly queued: number
  /** The `since` of the next request; null if nothing is left. */
  readonly continueSince: string | null
}

export async function replay(
  tx: PlatformTx,
  manager: Manager,
  { id, range }: { readonly id: EndpointId; readonly range: Omit<Range, 'limit'> },
): Promise<Replayed> {
  const endpoint = await lockForSending(tx, manager, id)
  await lockLanes(fromPlatform(tx, endpoint.world), [endpoint.id])
  const found = await findReplayable(tx, endpoint, { ...range, limit: REPLAY_MAX + 1 })
  const { now, continueSince } = cut(found)
  if (now.length > 0) {
    await queueAgain(tx, endpoint, now)
    await wakeLane(tx, endpoint)
    await queueAgainInStream(tx, { app: endpoint.app_id, world: endpoint.world, originals: now })
  }
  return { queued: now.length, continueSince }
}

type Found = Awaited<ReturnType<typeof findReplayable>>

/**
 * The next request continues at a point in time, so one request must queue all deliveries of the same microsecond:
 * otherwise some would be queued twice or never. If all deliveries that were found have the same time, all are queued
 * now.
 */
function cut(found: Found): { readonly now: Found; readonly continueSince: string | null } {
  const next = found[REPLAY_MAX]?.created_at ?? null
  if (next === null) return { now: found, continueSince: null }
  const before = found.filter(({ created_at }) => created_at < next)
  return before.length > 0 ? { now: before, continueSince: next } : { now: found, continueSince: justAfter(next) }
}

/** The next microsecond. */
function justAfter(time: string): string {
  const [, second = '', fraction = '0'] = /^(.+)\.(\d{6})Z$/.exec(time) ?? []
  const next = String(Number(fraction) + 1).padStart(6, '0')
  if (next.length === 6) return `${second}.${next}Z`
  return `${new Date(Date.parse(`${second}Z`) + 1_000).toISOString().slice(0, -'.000Z'.length)}.000000Z`
}
