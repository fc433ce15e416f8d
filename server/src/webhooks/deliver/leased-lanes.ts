import type { Id } from '#kernel/ids.ts'
import { Lane, type LeasedLane } from './lane.ts'
import { type EngineSettings, SLOTS_MAX } from './settings.ts'

/** About how many rows one statement returns. All of them stay in memory. */
const BATCH_ROWS = 256

/**
 * In an outage many lanes fail together. A worker whose leases have reached this share of its maximum leases no more
 * failing lanes, so that there is room for healthy lanes.
 */
const CROWDED_AT = 3 / 4

type Limits = Pick<EngineSettings, 'lanesMax' | 'sharedSlots'>

/** How many deliveries a lane may take now. */
export type Wanted = { readonly lane: Lane; readonly count: number }

/** The lanes of one worker. */
export class LeasedLanes {
  readonly #lanes = new Map<Id<'webhookEndpoint'>, Lane>()
  readonly #limits: Limits

  constructor(limits: Limits) {
    this.#limits = limits
  }

  get size(): number {
    return this.#lanes.size
  }

  /** Whether the worker has reached `CROWDED_AT` of its maximum. Then it leases no failing lanes. */
  isCrowded(): boolean {
    return this.size >= this.#forAll()
  }

  /** How many more lanes may be leased. */
  room(): number {
    return (this.isCrowded() ? this.#limits.lanesMax : this.#forAll()) - this.size
  }

  #forAll(): number {
    return Math.ceil(this.#limits.lanesMax * CROWDED_AT)
  }

  add(leased: LeasedLane, nowMs: number): void {
    const lane = this.#lanes.get(leased.endpoint_id)
    if (lane === undefined) this.#lanes.set(leased.endpoint_id, new Lane(leased, nowMs))
    else lane.leasedAgain(leased)
  }

  get(endpoint: Id<'webhookEndpoint'>): Lane | undefined {
    return this.#lanes.get(endpoint)
  }

  all(): readonly Lane[] {
    return [...this.#lanes.values()]
  }

  drop(lane: Lane): void {
    this.#lanes.delete(lane.endpoint)
  }

  /** Makes every lane look for new deliveries. */
  expectMore(): void {
    for (const lane of this.#lanes.values()) lane.expectMore()
  }

  underWay(): number {
    return this.all().reduce((sum, { underWay }) => sum + underWay, 0)
  }

  /**
   * If the worker leases more than `CROWDED_AT` of its maximum, marks slow lanes for release until the rest is within
   * that share.
   */
  thinOut(): void {
    const staying = this.all().filter(({ isLeaving }) => !isLeaving)
    const tooMany = staying.length - this.#forAll()
    if (tooMany <= 0) return
    for (const lane of staying.filter(({ pace }) => pace === 'slow').slice(0, tooMany)) lane.isLeaving = true
  }

  /**
   * How many deliveries each lane may take now: one if its own slot is free, plus its share of the pool. Lanes without
   * requests in progress come first. A statement that reads a few rows for many lanes is better than one that reads
   * many rows for a few. A lane moves to the end after it was served, so that the first lanes do not use up the pool.
   */
  wanted(): Wanted[] {
    const shared = new SharedSlots(this.#limits.sharedSlots, this.all())
    const line = this.#line(shared)
    const each = Math.max(1, Math.floor(BATCH_ROWS / Math.max(1, line.length)))
    const wanted: Wanted[] = []
    for (const lane of line) {
      const own = ownSlot(lane)
      const count = own + shared.take(lane, Math.min(lane.freeSlots(), each) - own)
      if (count === 0) continue
      wanted.push({ lane, count })
      this.#lanes.delete(lane.endpoint)
      this.#lanes.set(lane.endpoint, lane)
    }
    return wanted
  }

  /** Only lanes that can get a slot now. */
  #line(shared: SharedSlots): readonly Lane[] {
    const ready = this.all().filter((lane) => lane.freeSlots() > 0)
    const resting = ready.filter((lane) => ownSlot(lane) > 0)
    const working = ready.filter((lane) => ownSlot(lane) === 0 && shared.for(lane) > 0)
    return [...resting, ...working].slice(0, BATCH_ROWS)
  }
}

function ownSlot({ underWay }: Lane): number {
  return underWay === 0 ? 1 : 0
}

/** One lane takes at most this fraction (1/PARTS) of the free slots. */
const PARTS = SLOTS_MAX

/**
 * "One slow or dead endpoint never delays another": every lane has one slot of its own; further slots come from a
 * shared pool. Half of the pool is only for lanes whose last answer was a quick success, because any other lane may be
 * about to hang. One lane takes only a fraction of the free slots, so that some are left for the next lane.
 */
class SharedSlots {
  #left: number
  #leftForOthers: number

  constructor(slots: number, lanes: readonly Lane[]) {
    this.#left = slots
    this.#leftForOthers = Math.floor(slots / 2)
    for (const lane of lanes) this.#took(lane, lane.shared())
  }

  /** How many slots of the pool this lane could get. */
  for(lane: Lane): number {
    const left = lane.pace === 'quick' ? this.#left : Math.min(this.#left, this.#leftForOthers)
    return Math.max(0, Math.ceil(left / PARTS) - lane.shared())
  }

  /** Takes at most `most` slots and returns how many. */
  take(lane: Lane, most: number): number {
    const count = Math.min(most, this.for(lane))
    this.#took(lane, count)
    return count
  }

  #took(lane: Lane, count: number): void {
    this.#left -= count
    if (lane.pace !== 'quick') this.#leftForOthers -= count
  }
}
