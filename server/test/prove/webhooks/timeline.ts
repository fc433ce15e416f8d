/** A moment that is not known exactly. It was between these two times, in milliseconds. */
export type Between = { readonly begin: number; readonly end: number }

/** Runs the work and returns its result with the time span in which it took effect. */
export async function timed<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly between: Between }> {
  const begin = Date.now()
  const result = await work()
  return { result, between: { begin, end: Date.now() } }
}

const ALWAYS: Between = { begin: Number.NEGATIVE_INFINITY, end: Number.NEGATIVE_INFINITY }

/** A value that changes over time. During a change it may be the old or the new value. */
export class Timeline<T> {
  readonly #changes: { readonly between: Between; readonly value: T }[]

  constructor(value: T) {
    this.#changes = [{ between: ALWAYS, value }]
  }

  set(value: T, between: Between): this {
    this.#changes.push({ between, value })
    return this
  }

  get latest(): T {
    return this.#last().value
  }

  /** Returns the time since which the current value is certain. */
  get settledAt(): number {
    return this.#last().between.end
  }

  /** Returns all values that may have been current between these two times. */
  possible(from: number, to: number): T[] {
    return this.#changes
      .filter(({ between }, at) => between.begin <= to && (this.#changes[at + 1]?.between.end ?? Infinity) >= from)
      .map(({ value }) => value)
  }

  ever(is: (value: T) => boolean): boolean {
    return this.#changes.some(({ value }) => is(value))
  }

  #last() {
    const last = this.#changes.at(-1)
    if (last === undefined) throw new Error('a timeline must begin with a value')
    return last
  }
}
