/** Of a batch that takes ten times as long nothing is published. */
const AIM_MS = 1_500
const [FIRST, LEAST, MOST] = [1_000, 250, 4_000] as const

/**
 * How many changes the next batch takes. Many, because what is waited for once a batch, the disk above all, is waited for on
 * behalf of all of them; but no more than are published in a while on this machine, at this hour: a batch that takes too long
 * is rejected as a whole, and would be again.
 */
export class BatchSize {
  #limit: number = FIRST

  get limit(): number {
    return this.#limit
  }

  /** A batch that was not full says nothing of how many more there was time for. */
  published(taken: number, ms: number): void {
    const fitting = this.#limit * Math.min(2, AIM_MS / Math.max(1, ms))
    if (fitting < this.#limit || taken >= this.#limit) this.#set(fitting)
  }

  /** Whatever it was, a row or the machine: what is tried next is small, and soon grows again. */
  failed(): void {
    this.#set(LEAST)
  }

  #set(limit: number): void {
    this.#limit = Math.round(Math.min(MOST, Math.max(LEAST, limit)))
  }
}
