import { covers } from '#events/index.ts'
import type { Id } from '#kernel/ids.ts'
import { projectDelivery } from '../../projection/project.ts'
import { type DataOf, sharedData } from '../../projection/visible-data.ts'
import type { AtWork } from '../engine-parts.ts'
import type { Wanted } from '../held-lanes.ts'
import type { Lane } from '../lane.ts'
import type { Payload, Taken } from '../send-delivery.ts'
import { SLOTS_MAX } from '../settings.ts'
import { type Member, Parcel, type Taking } from './parcel.ts'
import type { ParcelWriter } from './parcel-writer.ts'
import { type FoundParcel, findParcels, type Read, type Receiver, readForMembers, type Searching } from './store.ts'

/** Parcels that a lane reads ahead, or opens, at once. */
const FEW = 2
/** A re-enabled lane sends oldest first, so all its parcels are opened before the sweep. */
const BEFORE_SWEEP = 16
/** With fewer deliveries in memory, the lane searches for more parcels. */
const AHEAD = 2 * SLOTS_MAX
/** Cache of event texts that go to many receivers at once. */
const TEXTS_KEPT = { textsMax: 512, keptMs: 1_000 }

type TakingOf = {
  readonly lane: Lane
  readonly taking: readonly Taking[]
  /** The query also reported due rows of the queue. */
  readonly looksAtRows: boolean
}

/** Finds the parcels of healthy lanes and starts their members; parcels of other lanes are opened. */
export class ParcelRounds {
  readonly #at: AtWork
  readonly #parcelWriter: ParcelWriter
  readonly #dataOf = sharedData(TEXTS_KEPT)

  constructor(at: AtWork, parcelWriter: ParcelWriter) {
    this.#at = at
    this.#parcelWriter = parcelWriter
  }

  /** The searches of these lanes. A lane that is not brisk any more gives its parcels back. */
  searches(wanted: readonly Wanted[]): readonly Searching[] {
    return wanted.flatMap(({ lane }) => {
      const brisk = lane.isBrisk()
      if (!brisk) this.#giveBack(lane)
      if (!lane.parcels.isHungry || lane.parcels.left() >= AHEAD) return []
      return [{ endpoint: lane.endpoint, count: countFor(lane), known: lane.parcels.ids() }]
    })
  }

  #giveBack(lane: Lane): void {
    if (lane.parcels.left() === 0) return
    for (const parcel of lane.parcels.giveBack()) this.#parcelWriter.open({ lane, parcel })
    lane.parcels.isHungry = true
  }

  async find(searches: readonly Searching[]): Promise<readonly FoundParcel[]> {
    const { db, lease } = this.#at
    return searches.length === 0 ? [] : findParcels(db, lease.owner, searches)
  }

  /** Brisk lanes keep the found parcels; for all others they are opened. */
  found(searches: readonly Searching[], found: readonly FoundParcel[]): void {
    const ofLane = Map.groupBy(found, ({ endpoint_id }) => endpoint_id)
    for (const { endpoint, count } of searches) {
      const lane = this.#at.lanes.get(endpoint)
      if (lane === undefined || !lane.isTaking()) continue
      const parcels = (ofLane.get(endpoint) ?? []).map((one) => new Parcel(one.id, one.api_version, one.members))
      const brisk = lane.isBrisk()
      // A sweeping lane opens all its parcels; other lanes open a few at a time.
      lane.parcels.isHungry = parcels.length === count && (brisk || lane.reading.place.sweeping)
      for (const parcel of parcels) {
        lane.parcels.add(parcel)
        if (!brisk) this.#parcelWriter.open({ lane, parcel })
      }
    }
  }

  async read(wanted: readonly Wanted[]): Promise<{ readonly all: readonly TakingOf[]; readonly read: Read }> {
    const { db, lease } = this.#at
    const all = wanted.map(({ lane, count }) => {
      return { lane, taking: lane.parcels.next(count), looksAtRows: lane.looksAtRows() }
    })
    const taking = all.flatMap((one) => one.taking)
    const members = taking.flatMap((one) => one.members)
    const requested = {
      endpoints: all.map(({ lane }) => lane.endpoint),
      lookingAtRows: all.filter(({ looksAtRows }) => looksAtRows).map(({ lane }) => lane.endpoint),
      parcels: taking.map(({ parcel }) => parcel.id),
      events: [...new Set(members.map(({ event }) => event))],
      installations: [...new Set(members.flatMap(({ installation }) => (installation === null ? [] : [installation])))],
    }
    return { all, read: await readForMembers(db, lease.owner, requested) }
  }

  /** Synchronous after the read, as for rows of the queue. */
  takeUp({ all, read }: Awaited<ReturnType<ParcelRounds['read']>>): Taken[] {
    return all.flatMap(({ lane, taking, looksAtRows }) => {
      if (this.#at.lanes.get(lane.endpoint) !== lane || !lane.isTaking()) return []
      const receiver = read.receivers.get(lane.endpoint)
      if (receiver === undefined) return this.#lost(lane)
      if (looksAtRows) lane.sawRows(receiver.rows_due)
      return taking.flatMap((one) => this.#takeFrom(lane, one, { receiver, read }))
    })
  }

  /** The lane was lost or disabled: nothing is sent. */
  #lost(lane: Lane): Taken[] {
    this.#giveBack(lane)
    lane.parcels.isHungry = false
    return []
  }

  #takeFrom(lane: Lane, { parcel, members }: Taking, to: { receiver: Receiver; read: Read }): Taken[] {
    if (parcel.state !== 'whole') return []
    if (!to.read.standing.has(parcel.id)) {
      // The parcel was opened elsewhere: members that were not started are now rows of the queue.
      this.#parcelWriter.open({ lane, parcel })
      return []
    }
    const { clock, db } = this.#at
    return members.map((member) => {
      lane.began(member.id, clock.now())
      this.#parcelWriter.began({ lane, parcel })
      const requested = { id: member.id, attempt: 0, now: to.receiver.now }
      return {
        lane,
        requested,
        parcel,
        payload: () => payloadFor(to, { parcel, member, mode: db.world, dataOf: this.#dataOf }),
      }
    })
  }
}

function countFor(lane: Lane): number {
  return lane.reading.place.sweeping ? BEFORE_SWEEP : FEW
}

type Of = {
  readonly parcel: Parcel
  readonly member: Member
  readonly mode: AtWork['db']['world']
  readonly dataOf: DataOf
}

function payloadFor(
  { receiver, read }: { receiver: Receiver; read: Read },
  { parcel, member, mode, dataOf }: Of,
): Payload {
  const event = read.events.get(member.event) ?? null
  const projected = projectDelivery({
    event,
    subscribed: event !== null && receiver.events.some((one) => covers(one, event.name, parcel.version)),
    app: { id: receiver.app_id, active: receiver.app_active },
    installation: installationOf(read, member.installation),
    version: parcel.version,
    mode,
    dataOf,
  })
  return { url: receiver.url, secrets: receiver, projected }
}

function installationOf({ installations }: Read, id: Id<'installation'> | null) {
  return id === null ? null : (installations.get(id) ?? null)
}
