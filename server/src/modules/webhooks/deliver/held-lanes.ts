import type { Id } from '#kernel/ids.ts'
import type { Wanted } from './due-store.ts'
import { Lane, type LeasedLane } from './lane.ts'

/** Rows that one statement brings, about: more at once are not faster, and are held in memory. */
const BATCH_ROWS = 128

/** The lanes of one worker. */
export class HeldLanes {
  readonly #lanes = new Map<Id<'webhookEndpoint'>, Lane>()
  readonly #sharedSlots: number

  constructor(sharedSlots: number) {
    this.#sharedSlots = sharedSlots
  }

  get size(): number {
    return this.#lanes.size
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
    for (const lane of this.#lanes.values()) lane.isHungry = true
  }

  underWay(): number {
    return this.all().reduce((sum, { underWay }) => sum + underWay, 0)
  }

  /**
   * What each may take now: its own first slot, always, and what is left of those that all share. A statement is for as
   * many lanes as possible, a few rows each, rather than for many rows of a few. Whoever was served goes to the end of the
   * line, so that those in front do not have the shared slots for ever.
   */
  wanted(): Wanted[] {
    const lanes = this.all()
    const hungry = lanes.filter((lane) => lane.freeSlots() > 0).slice(0, BATCH_ROWS)
    const each = Math.max(1, Math.floor(BATCH_ROWS / Math.max(1, hungry.length)))
    let shared = this.#sharedSlots - lanes.reduce((sum, lane) => sum + lane.shared(), 0)
    const wanted: Wanted[] = []
    for (const lane of hungry) {
      const own = lane.underWay === 0 ? 1 : 0
      const count = Math.min(lane.freeSlots(), own + Math.max(0, shared), each)
      if (count === 0) continue
      shared -= count - own
      wanted.push(wantedBy(lane, count))
      this.#lanes.delete(lane.endpoint)
      this.#lanes.set(lane.endpoint, lane)
    }
    return wanted
  }
}

function wantedBy({ endpoint, isSweeping, sweptTo, busy }: Lane, count: number): Wanted {
  return { endpoint, count, sweeping: isSweeping, after: sweptTo, busy: [...busy] }
}
