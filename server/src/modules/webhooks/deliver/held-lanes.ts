import type { Id } from '#kernel/ids.ts'
import { Lane, type LeasedLane } from './lane.ts'
import { type EngineSettings, SLOTS_MAX } from './settings.ts'

/** Rows that one statement brings, about: all of them are held in memory. */
const BATCH_ROWS = 256

/** The places beyond are for lanes that do not fail: whoever has been failing for days has many companions. */
const CROWDED_AT = 3 / 4

type Limits = Pick<EngineSettings, 'lanesMax' | 'sharedSlots'>

/** What a lane wants now. */
export type Wanted = { readonly lane: Lane; readonly count: number }

/** The lanes of one worker. */
export class HeldLanes {
  readonly #lanes = new Map<Id<'webhookEndpoint'>, Lane>()
  readonly #limits: Limits

  constructor(limits: Limits) {
    this.#limits = limits
  }

  get size(): number {
    return this.#lanes.size
  }

  /** Those that fail get no more of the places. */
  isCrowded(): boolean {
    return this.size >= this.#forAll()
  }

  /** How many more there may be, of those that may join at all. */
  room(): number {
    return (this.isCrowded() ? this.#limits.lanesMax : this.#forAll()) - this.size
  }

  #forAll(): number {
    return Math.ceil(this.#limits.lanesMax * CROWDED_AT)
  }

  add(leased: LeasedLane, nowMs: number): void {
    const lane = this.#lanes.get(leased.endpoint_id)
    if (lane === undefined) this.#lanes.set(leased.endpoint_id, new Lane(leased, nowMs))
    else lane.heldAgain(leased)
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

  /** There may be something new in each of them. */
  makeHungry(): void {
    for (const lane of this.#lanes.values()) lane.makeHungry()
  }

  underWay(): number {
    return this.all().reduce((sum, { underWay }) => sum + underWay, 0)
  }

  /** Slow ones beyond the places that are for everybody give theirs up, and wait for another with the rest. */
  thinOut(): void {
    const staying = this.all().filter(({ isLeaving }) => !isLeaving)
    const tooMany = staying.length - this.#forAll()
    if (tooMany <= 0) return
    for (const lane of staying.filter(({ pace }) => pace === 'slow').slice(0, tooMany)) lane.isLeaving = true
  }

  /**
   * What each may take now: its own first slot, always, and its part of those that all share. Those with nothing under
   * way come first. A statement is for as many lanes as possible, a few rows each, rather than for many rows of a few.
   * Whoever was served goes to the end of the line, so that those in front do not have the shared slots for ever.
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

  /** Those that can have something: whoever waits for a slot is not in the way of those that have one. */
  #line(shared: SharedSlots): readonly Lane[] {
    const hungry = this.all().filter((lane) => lane.freeSlots() > 0)
    const resting = hungry.filter((lane) => ownSlot(lane) > 0)
    const working = hungry.filter((lane) => ownSlot(lane) === 0 && shared.for(lane) > 0)
    return [...resting, ...working].slice(0, BATCH_ROWS)
  }
}

function ownSlot({ underWay }: Lane): number {
  return underWay === 0 ? 1 : 0
}

/** Nobody has more than one part of so many of what is left. */
const PARTS = SLOTS_MAX

/**
 * "One slow or dead endpoint never delays another": every lane has one slot of its own; those beyond come out of what all
 * lanes share. Half of that is for lanes alone whose last answer was a quick success: whoever has not shown so much may be
 * about to hang. And nobody has more than a part of what is left, so that something is left for who comes next.
 */
class SharedSlots {
  #left: number
  #leftForOthers: number

  /** Of so many, what these lanes have not taken. */
  constructor(slots: number, lanes: readonly Lane[]) {
    this.#left = slots
    this.#leftForOthers = Math.floor(slots / 2)
    for (const lane of lanes) this.#took(lane, lane.shared())
  }

  /** How many this lane could have. */
  for(lane: Lane): number {
    const left = lane.pace === 'quick' ? this.#left : Math.min(this.#left, this.#leftForOthers)
    return Math.max(0, Math.ceil(left / PARTS) - lane.shared())
  }

  /** Takes so many at most, and says how many. */
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
