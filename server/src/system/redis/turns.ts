const TOGETHER_MAX = 256

/** Requests that share one round trip. */
type Together = { readonly size: number }

/**
 * Requests of the same moment share one round trip, and one is under way at a time: writing to a socket and being
 * woken by it cost more than the asking. Who comes meanwhile goes with the next one.
 */
export class Turns<Batch extends Together> {
  readonly #fresh: () => Batch
  readonly #send: (batch: Batch) => Promise<void>
  readonly #waiting: Batch[] = []
  #isBusy = false

  /** `send` never rejects. */
  constructor(fresh: () => Batch, send: (batch: Batch) => Promise<void>) {
    this.#fresh = fresh
    this.#send = send
  }

  /** The batch to join: a request joins it at once. */
  next(): Batch {
    const last = this.#waiting.at(-1)
    if (last !== undefined && last.size < TOGETHER_MAX) return last
    const fresh = this.#fresh()
    this.#waiting.push(fresh)
    this.#sendSoon()
    return fresh
  }

  #sendSoon(): void {
    if (this.#isBusy) return
    this.#isBusy = true
    this.#sendAfterTurn(1)
  }

  /** When a turn of the event loop brings nobody new: until then those who came at the same moment are still being read. */
  #sendAfterTurn(cameBefore: number): void {
    setImmediate(() => {
      const [first] = this.#waiting
      if (first === undefined) return
      if (first.size > cameBefore && first.size < TOGETHER_MAX) this.#sendAfterTurn(first.size)
      else void this.#sendFirst()
    })
  }

  async #sendFirst(): Promise<void> {
    const batch = this.#waiting.shift()
    if (batch !== undefined) await this.#send(batch)
    this.#isBusy = false
    if (this.#waiting.length > 0) this.#sendSoon()
  }
}
