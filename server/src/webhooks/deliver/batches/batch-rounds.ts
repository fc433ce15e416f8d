import { covers } from '#events/index.ts'
import type { Id } from '#kernel/ids.ts'
import { type DataOf, projectDelivery, sharedData } from '../../projection/project.ts'
import type { AtWork } from '../engine-parts.ts'
import type { Lane } from '../lane.ts'
import type { Wanted } from '../leased-lanes.ts'
import { causeOf, type Payload, type Taken } from '../send-delivery.ts'
import { SLOTS_MAX } from '../settings.ts'
import type { DeliveryBatchWriter } from './batch-writer.ts'
import { DeliveryBatch, type Member, type Taking } from './delivery-batch.ts'
import {
  type FoundDeliveryBatch,
  findDeliveryBatches,
  type Read,
  type Receiver,
  readForMembers,
  type Searching,
} from './store.ts'

/** How many delivery batches one round searches for each lane. */
const SEARCHED_AT_ONCE = 2
/** A re-enabled lane sends its oldest deliveries first, so all its delivery batches are opened before it is swept. */
const SEARCHED_BEFORE_SWEEP = 16
/** A lane with fewer deliveries than this in memory searches for more delivery batches. */
const DELIVERIES_AHEAD = 2 * SLOTS_MAX
/** Caches the text of an event, because one event often goes to many receivers within a second. */
const TEXT_CACHE = { textsMax: 512, cachedMs: 1_000 }

type TakingOf = {
  readonly lane: Lane
  readonly taking: readonly Taking[]
  /** Whether the query also reports due rows of the queue. */
  readonly checksRows: boolean
}

/** Finds the delivery batches of healthy lanes and starts their members. Delivery batches of other lanes are opened. */
export class DeliveryBatchRounds {
  readonly #at: AtWork
  readonly #deliveryBatchWriter: DeliveryBatchWriter
  readonly #dataOf = sharedData(TEXT_CACHE)

  constructor(at: AtWork, deliveryBatchWriter: DeliveryBatchWriter) {
    this.#at = at
    this.#deliveryBatchWriter = deliveryBatchWriter
  }

  /**
   * Returns the searches for these lanes. A lane that is no longer responsive first drops its unstarted delivery
   * batches and opens the partly started ones.
   */
  searches(wanted: readonly Wanted[]): readonly Searching[] {
    return wanted.flatMap(({ lane }) => {
      const responsive = lane.isResponsive()
      if (!responsive) this.#giveBack(lane)
      if (!lane.deliveryBatches.mayHaveMore || lane.deliveryBatches.left() >= DELIVERIES_AHEAD) return []
      return [{ endpoint: lane.endpoint, count: countFor(lane), known: lane.deliveryBatches.ids() }]
    })
  }

  #giveBack(lane: Lane): void {
    if (lane.deliveryBatches.left() === 0) return
    for (const deliveryBatch of lane.deliveryBatches.giveBack()) this.#deliveryBatchWriter.open({ lane, deliveryBatch })
    lane.deliveryBatches.mayHaveMore = true
  }

  async find(searches: readonly Searching[]): Promise<readonly FoundDeliveryBatch[]> {
    const { db, lease } = this.#at
    return searches.length === 0 ? [] : findDeliveryBatches(db, lease.owner, searches)
  }

  /** Adds each delivery batch that was found to its lane. If the lane is not responsive, opens the delivery batch. */
  found(searches: readonly Searching[], found: readonly FoundDeliveryBatch[]): void {
    const ofLane = Map.groupBy(found, ({ endpoint_id }) => endpoint_id)
    for (const { endpoint, count } of searches) {
      const lane = this.#at.lanes.get(endpoint)
      if (lane === undefined || !lane.isTaking()) continue
      const deliveryBatches = (ofLane.get(endpoint) ?? []).map(
        (one) => new DeliveryBatch(one.id, one.api_version, one.members),
      )
      const responsive = lane.isResponsive()
      // A sweeping lane opens all its delivery batches; other lanes open a few at a time.
      lane.deliveryBatches.mayHaveMore = deliveryBatches.length === count && (responsive || lane.reading.place.sweeping)
      for (const deliveryBatch of deliveryBatches) {
        lane.deliveryBatches.add(deliveryBatch)
        if (!responsive) this.#deliveryBatchWriter.open({ lane, deliveryBatch })
      }
    }
  }

  async read(wanted: readonly Wanted[]): Promise<{ readonly all: readonly TakingOf[]; readonly read: Read }> {
    const { db, lease } = this.#at
    const all = wanted.map(({ lane, count }) => {
      return { lane, taking: lane.deliveryBatches.next(count), checksRows: lane.takeRowCheck() }
    })
    const taking = all.flatMap((one) => one.taking)
    const members = taking.flatMap((one) => one.members)
    const requested = {
      endpoints: all.map(({ lane }) => lane.endpoint),
      checkingRows: all.filter(({ checksRows }) => checksRows).map(({ lane }) => lane.endpoint),
      deliveryBatches: taking.map(({ deliveryBatch }) => deliveryBatch.id),
      events: [...new Set(members.map(({ event }) => event))],
      installations: [...new Set(members.flatMap(({ installation }) => (installation === null ? [] : [installation])))],
    }
    return { all, read: await readForMembers(db, lease.owner, requested) }
  }

  /**
   * This function must not contain `await`: during a wait, an idle lane could be released. The same rule applies to
   * `#startable` of `SendRounds`, which takes rows of the queue.
   */
  startable({ all, read }: Awaited<ReturnType<DeliveryBatchRounds['read']>>): Taken[] {
    return all.flatMap(({ lane, taking, checksRows }) => {
      if (this.#at.lanes.get(lane.endpoint) !== lane || !lane.isTaking()) return []
      const receiver = read.receivers.get(lane.endpoint)
      if (receiver === undefined) return this.#lost(lane)
      if (checksRows) lane.applyRowCheck(receiver.rows_due)
      return taking.flatMap((one) => this.#takeFrom(lane, one, { receiver, read }))
    })
  }

  /** Called if the lease was lost or the endpoint was disabled. Nothing is sent. */
  #lost(lane: Lane): Taken[] {
    this.#giveBack(lane)
    lane.deliveryBatches.mayHaveMore = false
    return []
  }

  #takeFrom(lane: Lane, { deliveryBatch, members }: Taking, to: { receiver: Receiver; read: Read }): Taken[] {
    if (deliveryBatch.state !== 'whole') return []
    if (!to.read.existing.has(deliveryBatch.id)) {
      // Another transaction opened the delivery batch. Each of its members is now a row of the queue.
      this.#deliveryBatchWriter.open({ lane, deliveryBatch })
      return []
    }
    const { clock, db } = this.#at
    return members.map((member) => {
      lane.began(member.id, clock.now())
      this.#deliveryBatchWriter.began({ lane, deliveryBatch })
      const requested = { id: member.id, attempt: 0, now: to.receiver.now }
      return {
        lane,
        requested,
        deliveryBatch,
        payload: () => payloadFor(to, { deliveryBatch, member, mode: db.world, dataOf: this.#dataOf }),
      }
    })
  }
}

function countFor(lane: Lane): number {
  return lane.reading.place.sweeping ? SEARCHED_BEFORE_SWEEP : SEARCHED_AT_ONCE
}

type Of = {
  readonly deliveryBatch: DeliveryBatch
  readonly member: Member
  readonly mode: AtWork['db']['world']
  readonly dataOf: DataOf
}

function payloadFor(
  { receiver, read }: { receiver: Receiver; read: Read },
  { deliveryBatch, member, mode, dataOf }: Of,
): Payload {
  const event = read.events.get(member.event) ?? null
  const projected = projectDelivery({
    event,
    subscribed: event !== null && receiver.events.some((one) => covers(one, event.name, deliveryBatch.version)),
    app: { id: receiver.app_id, active: receiver.app_active },
    installation: installationOf(read, member.installation),
    version: deliveryBatch.version,
    mode,
    dataOf,
  })
  const trace = event === null ? null : causeOf({ ...event, endpoint: receiver.id, app: receiver.app_id }, null)
  return { url: receiver.url, secrets: receiver, projected, trace }
}

function installationOf({ installations }: Read, id: Id<'installation'> | null) {
  return id === null ? null : (installations.get(id) ?? null)
}
