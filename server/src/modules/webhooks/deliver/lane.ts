import type { Id } from '#kernel/ids.ts'
import { SLOTS_MAX, slotsAfter } from './ramp.ts'

/**
 * An endpoint's lane as its owner knows it. `busy` are the deliveries that nobody may take up again: those under way,
 * and those whose outcome is known here and not yet recorded.
 */
export class Lane {
  readonly endpoint: Id<'webhookEndpoint'>
  readonly busy = new Set<Id<'delivery'>>()
  /** False once somebody else may have it: nothing more is taken from it, what is under way is still recorded. */
  isHeld = true
  /** There may be something to send that was not seen yet. */
  isHungry = true
  /** A lane that was enabled again is read by id once, from the oldest on, whatever time each was due. */
  isSweeping: boolean
  sweptTo = ''
  hasSwept = false
  slots: number
  underWay = 0
  lastWorkMs: number

  constructor(leased: LeasedLane, nowMs: number) {
    this.endpoint = leased.endpoint_id
    this.slots = leased.slots
    this.isSweeping = leased.by_id
    this.lastWorkMs = nowMs
  }

  /** It was leased again by the same worker, which may still have something of it to record. */
  heldAgain(leased: LeasedLane): void {
    this.isHeld = true
    this.isHungry = true
    this.slots = leased.slots
    this.isSweeping = leased.by_id
    this.sweptTo = ''
    this.hasSwept = false
  }

  /** How many it could send now. Outcomes that wait for the database count too, or they would pile up while it is away. */
  freeSlots(): number {
    if (!this.isHeld || !this.isHungry) return 0
    return Math.max(0, Math.min(this.slots - this.underWay, 2 * SLOTS_MAX - this.busy.size))
  }

  began(delivery: Id<'delivery'>, nowMs: number): void {
    this.busy.add(delivery)
    this.underWay += 1
    this.lastWorkMs = nowMs
  }

  /** Null: given up without an outcome, which says nothing about the receiver. */
  answered(succeeded: boolean | null): void {
    this.underWay -= 1
    if (succeeded !== null) this.slots = slotsAfter(this.slots, succeeded)
  }

  /** It wanted so many and got these: fewer means that there was no more. */
  served(wanted: number, got: readonly Id<'delivery'>[]): void {
    this.isHungry = got.length === wanted
    if (!this.isSweeping) return
    this.sweptTo = got.reduce((last, id) => (id > last ? id : last), this.sweptTo)
    if (this.isHungry) return
    // At the end of the queue: what came in with an older id meanwhile is found by the time it is due.
    this.isSweeping = false
    this.hasSwept = true
    this.isHungry = true
  }

  /** What it took beyond the one slot that every lane has. */
  shared(): number {
    return Math.max(0, this.underWay - 1)
  }

  /** Nothing to send, nothing to record. */
  isIdle(): boolean {
    return this.busy.size === 0 && (!this.isHungry || !this.isHeld)
  }
}

export type LeasedLane = {
  readonly endpoint_id: Id<'webhookEndpoint'>
  readonly slots: number
  readonly by_id: boolean
}
