/** How many of the keys are looked at, at most, for one that can be forgotten. */
const LOOKED_AT_MAX = 64

/**
 * Counts by key, for so many keys at most. When there is no room for another, a hand goes round and forgets the next one
 * that has not counted more than the average: an attacker with millions of addresses pushes out addresses that were
 * seen once, and hardly ever one that has used up a limit.
 *
 * The hand is one iterator that is kept. A new one for every key would have to step over all the places of the forgotten.
 */
export class BoundedCounts {
  readonly #counts = new Map<string, number>()
  readonly #keysMax: number
  #hand = this.#counts.keys()
  #total = 0

  constructor(keysMax: number) {
    this.#keysMax = keysMax
  }

  get size(): number {
    return this.#counts.size
  }

  get(key: string): number {
    return this.#counts.get(key) ?? 0
  }

  add(key: string): void {
    this.set(key, this.get(key) + 1)
  }

  set(key: string, count: number): void {
    const before = this.#counts.get(key)
    if (before === undefined && this.#counts.size >= this.#keysMax) this.#forgetOne()
    this.#counts.set(key, count)
    this.#total += count - (before ?? 0)
  }

  takeBack(key: string): void {
    const before = this.get(key)
    if (before === 0) return
    this.#counts.set(key, before - 1)
    this.#total--
  }

  #forgetOne(): void {
    const average = this.#total / this.#counts.size
    let least = this.#nextKey()
    for (let looked = 1; looked < LOOKED_AT_MAX && this.get(least) > average; looked++) {
      const key = this.#nextKey()
      if (this.get(key) < this.get(least)) least = key
    }
    this.#total -= this.get(least)
    this.#counts.delete(least)
  }

  #nextKey(): string {
    const { done, value } = this.#hand.next()
    if (done !== true) return value
    this.#hand = this.#counts.keys()
    return this.#hand.next().value ?? ''
  }
}
