import type { AtWork } from './engine-parts.ts'
import type { Lane } from './lane.ts'
import { leaseLanes, renewLanes } from './lane-store.ts'
import { release } from './release.ts'

const LEASE_BATCH = 16

/** Which lanes are this worker's: takes those that are due, keeps them, and leaves them to others. */
export class Leases {
  readonly #at: AtWork

  constructor(at: AtWork) {
    this.#at = at
  }

  async round(): Promise<void> {
    const { db, lease, lanes, clock, bells, settings } = this.#at
    const alsoFailing = !lanes.isCrowded()
    if (!alsoFailing) lanes.thinOut()
    const limit = Math.min(LEASE_BATCH, lanes.room())
    const leased = limit > 0 ? await leaseLanes(db, lease, { limit, alsoFailing }) : []
    for (const lane of leased) lanes.add(lane, clock.now())
    lanes.makeHungry()
    if (lanes.size > 0) bells.send.ring()
    if (leased.length < limit || limit === 0) await bells.lease.wait(lanes.size > 0 ? settings.busyMs : settings.idleMs)
  }

  async renew(): Promise<void> {
    const { db, lease, lanes } = this.#at
    const held = lanes.all().filter(({ isHeld }) => isHeld)
    if (held.length === 0) return
    const kept = new Set(await renewLanes(db, lease, held))
    for (const lane of held) lane.isHeld = kept.has(lane.endpoint)
  }

  async letGoIdle(): Promise<void> {
    const idle = this.#at.lanes.all().filter((lane) => lane.isIdle() && this.#mayGo(lane))
    // Looked at again: while the one before was let go, this one may have been given work.
    for (const lane of idle) if (lane.isIdle()) await this.#letGo(lane)
  }

  async letGoAll(): Promise<void> {
    for (const lane of this.#at.lanes.all()) await this.#letGo(lane)
  }

  /** A lane without work is kept for a while, unless others need its place. */
  #mayGo({ isHeld, isLeaving, lastWorkMs }: Lane): boolean {
    const { lanes, clock, settings } = this.#at
    return !isHeld || isLeaving || lanes.isCrowded() || clock.now() - lastWorkMs >= settings.lingerMs
  }

  async #letGo(lane: Lane): Promise<void> {
    const { db, lease, lanes, bells } = this.#at
    // Out of the map first: whoever leases it next, be it this worker, begins anew.
    lanes.drop(lane)
    const isLeft = await db.transaction((tx) => release(tx, lane, lease.owner))
    // Whoever was kicked meanwhile could not have it yet, and would not look again before the next poll.
    if (isLeft) bells.lease.ring()
  }
}
