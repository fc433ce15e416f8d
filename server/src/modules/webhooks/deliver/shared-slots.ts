import type { Lane } from './lane.ts'
import { SLOTS_MAX } from './ramp.ts'

/** Nobody has more than one part of so many of what is left. */
const PARTS = SLOTS_MAX

/**
 * "One slow or dead endpoint never delays another": every lane has one slot of its own; those beyond come out of what all
 * lanes share. Half of that is for lanes alone whose last answer was a quick success: whoever has not shown so much may be
 * about to hang. And nobody has more than a part of what is left, so that something is left for who comes next.
 */
export class SharedSlots {
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
