import type { Tx, WorldDatabase } from '#system/postgres/database.ts'
import { deliveriesOf } from './deliveries-of.ts'
import { deferEvents, eventsWait, passOverEvents, takeDeferred, takeEvents } from './events-store.ts'
import { holdListeners } from './hold-listeners.ts'
import { pack } from './pack.ts'
import { putOff } from './put-off.ts'
import { queueDeliveries, queueParcels, tellCanceled, wakeLanes } from './queue-store.ts'

/** Whoever revokes an installation waits for the batch that it is in. */
const BATCH = 300
/** These hold nothing but their own places. */
const PASSED_OVER = 10_000
const HARDLY = 1 / 4

export type FanOutRound = { readonly tookSome: boolean; readonly mayHaveMore: boolean }

/**
 * One batch. Behind a full one of which hardly anything was heard there is a crowd that concerns nobody, as a rule, and it
 * is passed over as a whole. Not behind others: looking through thousands for nothing takes longer than the batch did.
 */
export async function fanOutRound(db: WorldDatabase, batch = BATCH): Promise<FanOutRound> {
  if (!(await eventsWait(db))) return { tookSome: false, mayHaveMore: false }
  const { done, heard } = await db.transaction((tx) => fanOutSome(tx, batch))
  const mayHaveMore = done >= batch
  if (mayHaveMore && heard < batch * HARDLY) await db.transaction((tx) => passOverEvents(tx, PASSED_OVER))
  return { tookSome: done > 0, mayHaveMore }
}

/** Says with how many events it is done. */
export async function fanOut(tx: Tx, limit: number): Promise<number> {
  return (await fanOutSome(tx, limit)).done
}

/** With so many events it is done, and so many of those it took may concern somebody who listens. */
type FannedOut = { readonly done: number; readonly heard: number }

/**
 * Turns events into deliveries: one per concerned installation per endpoint, exactly once, because an event leaves its
 * queue in the transaction that queues its deliveries. Any number of workers do this at once; what one has taken the
 * others pass over. Who is revoked, narrowed or changed at this moment is left for later, and keeps nobody else waiting.
 * Locks in the order of everybody: installations, endpoints, lanes, each in the order of their ids.
 */
async function fanOutSome(tx: Tx, limit: number): Promise<FannedOut> {
  const events = [...(await takeEvents(tx, limit)), ...(await takeDeferred(tx, limit))]
  if (events.length === 0) return { done: 0, heard: 0 }
  const listeners = await holdListeners(tx, events)
  const made = deliveriesOf(events, listeners)
  const due = made.filter(({ canceled }) => canceled === null)
  const later = putOff(events, listeners)
  const brisk = new Set(listeners.endpoints.filter((one) => one.is_brisk).map(({ id }) => id))
  const { parcels, singles } = pack(due, (endpoint) => brisk.has(endpoint))
  await queueDeliveries(tx, singles)
  await queueParcels(tx, parcels)
  await tellCanceled(tx, made)
  await deferEvents(tx, later)
  await wakeLanes(tx, [...new Set(due.map(({ endpoint }) => endpoint))])
  const done = events.filter(({ left_to }) => left_to === null || !listeners.busy.has(left_to)).length
  return { done, heard: new Set([...made, ...later].map(({ event }) => event)).size }
}
