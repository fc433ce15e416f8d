import type { Id } from '#kernel/ids.ts'
import type { Tx, WorldDatabase } from '#system/postgres/database.ts'
import { nowMs, type Tracing } from '#system/tracing.ts'
import { findReaders, queueEntries } from '../stream/queue-store.ts'
import { type Due, type Listeners, pack, planOf, subjectsOf, type TakenEvent } from './plan-deliveries.ts'
import {
  type Deferred,
  deferEvents,
  eventsWait,
  type FoundInstallation,
  findConcerned,
  findEndpoints,
  lockConcerned,
  lockEndpoints,
  queueDeliveries,
  queueDeliveryBatches,
  recordCanceled,
  skipEvents,
  takeDeferred,
  takeEvents,
  wakeLanes,
} from './store.ts'

/**
 * A batch takes at most this many new events, and at most this many deferred ones. This limits how long a revocation
 * waits for the batch that has locked its installation.
 */
const BATCH = 300
/**
 * How many events one statement checks for receivers. It can be more than a batch, because only the skipped rows are
 * locked.
 */
const CHECKED_TO_SKIP = 10_000
/** A batch has hardly any receivers if fewer than this share of its events have one. */
const FEW_RECEIVERS = 1 / 4

export type FanOutRound = { readonly tookSome: boolean; readonly mayHaveMore: boolean }

/**
 * Fans out one batch. After a full batch in which hardly any event had a receiver, most of the next events usually have
 * no receiver either. So one statement skips these events. After a batch with more receivers, that statement would take
 * longer than fanning out the next batch.
 */
export async function fanOutRound(
  db: WorldDatabase,
  batch = BATCH,
  tracing: Tracing | null = null,
): Promise<FanOutRound> {
  if (!(await eventsWait(db))) return { tookSome: false, mayHaveMore: false }
  const { done, received } = await db.transaction((tx) => fanOutSome(tx, batch, tracing))
  const mayHaveMore = done >= batch
  if (mayHaveMore && received < batch * FEW_RECEIVERS) await db.transaction((tx) => skipEvents(tx, CHECKED_TO_SKIP))
  return { tookSome: done > 0, mayHaveMore }
}

/** Returns how many events are done. */
export async function fanOut(tx: Tx, limit: number): Promise<number> {
  return (await fanOutSome(tx, limit, null)).done
}

/** `done`: finished events; `received`: taken events that may have a receiver. */
type FannedOut = { readonly done: number; readonly received: number }

/**
 * Turns events into deliveries: one for each concerned installation and endpoint, exactly once, because an event leaves
 * its queue in the transaction that queues its deliveries. Any number of workers run this at once, and each skips rows
 * that another has locked. If an app's rows are locked by a change, its deliveries are deferred, so that other apps do
 * not wait. Lock order, as everywhere: installations, endpoints, lanes, each in the order of ids.
 */
async function fanOutSome(tx: Tx, limit: number, tracing: Tracing | null): Promise<FannedOut> {
  const startedMs = nowMs()
  const events = [...(await takeEvents(tx, limit)), ...(await takeDeferred(tx, limit))]
  if (events.length === 0) return { done: 0, received: 0 }
  const listeners = await lockListeners(tx, events)
  const { made, entries } = planOf(events, listeners)
  const due = made.filter(({ canceled }) => canceled === null)
  const later = deferralsOf(events, listeners)
  const responsive = new Set(listeners.endpoints.filter((one) => one.is_responsive).map(({ id }) => id))
  const { deliveryBatches, singles } = pack(due, (endpoint) => responsive.has(endpoint))
  await queueDeliveries(tx, singles)
  await queueDeliveryBatches(tx, deliveryBatches)
  await recordCanceled(tx, made)
  await queueEntries(tx, entries)
  await deferEvents(tx, later)
  await wakeLanes(tx, [...new Set(due.map(({ endpoint }) => endpoint))])
  if (tracing !== null) addSpans(tracing, events, { due, startedMs })
  const done = events.filter(({ left_to }) => left_to === null || !listeners.busy.has(left_to)).length
  return { done, received: new Set([...made, ...entries, ...later].map(({ event }) => event)).size }
}

/** Adds one span for each event whose trace is sampled, in that trace. */
function addSpans(tracing: Tracing, events: readonly TakenEvent[], { due, startedMs }: FannedOutEvents): void {
  for (const { id, name, trace } of events) {
    if (trace === null) continue
    const deliveries = due.filter(({ event }) => event === id).length
    const attributes = { 'portico.event': name, 'portico.event_id': id, 'portico.deliveries': deliveries }
    const cause = { traceparent: trace, continues: true }
    tracing.start(`fan out ${name}`, { kind: 'INTERNAL', startedMs, cause, attributes })?.end()
  }
}

type FannedOutEvents = { readonly due: readonly Due[]; readonly startedMs: number }

/**
 * Returns, for each event, the busy apps that the event may concern. The deliveries of these apps are planned once the
 * apps' rows are unlocked.
 */
function deferralsOf(
  events: readonly TakenEvent[],
  { found, busy }: Pick<LockedListeners, 'found' | 'busy'>,
): Deferred[] {
  if (busy.size === 0) return []
  const ofBusy = found.filter(({ app_id }) => busy.has(app_id))
  return events.flatMap((event) => {
    const about = [event.company_id, event.syndicate_id, event.user_id]
    const concerned = ofBusy.filter(({ id, target_id }) => about.includes(target_id) || id === event.installation_id)
    const apps = new Set([...concerned.map(({ app_id }) => app_id), event.app_id as Id<'app'> | null])
    return [...apps]
      .filter((app) => app !== null && busy.has(app) && (event.left_to ?? app) === app)
      .map((app) => ({ event: event.id, app: app as Id<'app'>, seq: event.seq }))
  })
}

type AppId = Id<'app'>

type LockedListeners = Listeners & {
  /** All installations that the events may concern. */
  readonly found: readonly FoundInstallation[]
  /** Apps with a locked installation or endpoint: their deliveries are deferred. */
  readonly busy: ReadonlySet<AppId>
}

/**
 * Locks the possible receivers until the end of the transaction: installations, then endpoints, each in the order of
 * ids. It does not wait for locks: if another transaction has locked a row, only the app of that row is deferred.
 */
async function lockListeners(tx: Tx, events: readonly TakenEvent[]): Promise<LockedListeners> {
  const found = await findConcerned(tx, subjectsOf(events))
  const installations = await lockConcerned(tx, idsOf(found))
  const busy = new Set(notAmong(found, installations))
  const apps = appsOf(events, installations)
  const listening = await findEndpoints(tx, apps)
  const endpoints = await lockEndpoints(tx, idsOf(listening))
  for (const app of notAmong(listening, endpoints)) busy.add(app)
  return {
    found,
    busy,
    readers: await findReaders(tx, apps),
    installations: installations.filter(({ app_id }) => !busy.has(app_id)),
    endpoints: endpoints.filter(({ app_id, is_removed }) => !is_removed && !busy.has(app_id)),
  }
}

const idsOf = <I extends string>(all: readonly { readonly id: I }[]): readonly I[] => all.map(({ id }) => id)

/** The apps of rows that were found but could not be locked. */
function notAmong(
  found: readonly { readonly id: string; readonly app_id: AppId }[],
  locked: readonly { readonly id: string }[],
): AppId[] {
  const ids = new Set(idsOf(locked))
  return found.filter(({ id }) => !ids.has(id)).map(({ app_id }) => app_id)
}

function appsOf(events: readonly TakenEvent[], installations: Listeners['installations']): AppId[] {
  const named = events.flatMap(({ app_id }) => (app_id === null ? [] : [app_id as AppId]))
  return [...new Set([...installations.map(({ app_id }) => app_id), ...named])]
}
