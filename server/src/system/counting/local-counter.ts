import type { WallClock } from '#kernel/clock.ts'

/** At most `max` hits of a key in each window of `periodSeconds`; windows start at multiples of the period since 1970. */
export type WindowLimit = { readonly name: string; readonly max: number; readonly periodSeconds: number }

/**
 * One limit and key that a request counts toward. `look`: the limit may reject the request, but the request does not count
 * toward it.
 */
export type Hit = { readonly limit: WindowLimit; readonly key: string; readonly look?: true }

export type Refused = {
  readonly limit: WindowLimit
  readonly retryAfterSeconds: number
  /** Unix seconds at which the window ends. */
  readonly resetAt: number
}

/** One request that was counted or rejected. */
export type Count = {
  /** Resolves when the result is known; null if it is known at once. Never rejects. */
  readonly answered: Promise<void> | null
  /** Null if the request was counted. */
  readonly refused: Refused | null
  /** Takes the count back, but only in windows that have not ended. */
  giveBack(): void
}

/**
 * Counts requests: in this process, with the result at once, or in a store that several processes share, with the result later.
 */
export type WindowCounter = {
  /**
   * Counts one request toward all these limits, or toward no limit. If one limit rejects the request, it counts toward no limit,
   * so that a client that waits for one limit does not use up another. If several limits reject it, the longest wait is reported.
   */
  count(hits: readonly Hit[]): Count
  /** How much of each limit is used in the current window, in the order of `hits`. */
  used(hits: readonly Hit[]): readonly number[] | Promise<readonly number[]>
}

type Window = {
  readonly number: number
  readonly counts: BoundedCounts
  /** For each key, the last count that this process received from the store that all nodes share. */
  readonly shared: BoundedCounts
  /** The turn number at which the window began. */
  readonly beganIn: number
}

/** The maximum number of keys in a window of a limit: about ten megabytes of addresses. */
const KEYS_MAX = 100_000

/** A `WindowCounter` whose results are available at once. */
export type LocalCounter = Omit<WindowCounter, 'count' | 'used'> & {
  count(hits: readonly Hit[]): Count & { readonly answered: null; readonly turn: number }
  used(hits: readonly Hit[]): readonly number[]
  /** Stores the count of all nodes together at `atMs`. If Redis is lost, this process continues from this count. */
  storeShared(count: {
    readonly limit: WindowLimit
    readonly key: string
    readonly count: number
    readonly atMs: number
  }): void
  /** Takes back a request that was counted here for another process. `turn` is the turn number of that request. */
  giveBack(hits: readonly Hit[], turn: number): void
  /** Subtracts one request from the stored shared count, because the request was taken back. */
  takeBackShared(hits: readonly Hit[], atMs: number): void
}

/**
 * Counts in this process. Windows are aligned to the clock, so all keys of a limit change windows together: the old
 * counts are dropped in one step, without a clean-up job.
 */
export function localCounter(clock: WallClock, keysMax: number = KEYS_MAX): LocalCounter {
  const windows = new Windows(keysMax)
  return {
    count: (hits) => new LocalCount(windows, hits, clock.now()),
    used: (hits) => hits.map(({ limit, key }) => usedIn(windows.at(limit, clock.now()), key)),
    storeShared({ limit, key, count, atMs }) {
      windows.sharedAt(limit, clock.now(), atMs)?.set(key, count)
    },
    giveBack: (hits, turn) => windows.giveBack(hits, turn),
    takeBackShared(hits, atMs) {
      for (const { limit, key, look } of hits) {
        if (look === undefined) windows.sharedAt(limit, clock.now(), atMs)?.takeBack(key)
      }
    },
  }
}

function usedIn({ counts, shared }: Window, key: string): number {
  return counts.get(key) + shared.get(key)
}

class Windows {
  readonly #keysMax: number
  readonly #windows = new Map<string, Window>()
  /**
   * The turn number increases with every request and every new window. It shows whether a request was counted in the current
   * window or before it.
   */
  turn = 0

  constructor(keysMax: number) {
    this.#keysMax = keysMax
  }

  at({ name, periodSeconds }: WindowLimit, nowMs: number): Window {
    const number = Math.floor(nowMs / (periodSeconds * 1_000))
    const current = this.#windows.get(name)
    // If the clock is set back into the previous window, the current window stays: a new one would give every key its
    // whole limit again. If the clock is set back further, it was wrong before, and the current window would end far in
    // the future, so a new window begins.
    if (current !== undefined && (current.number === number || current.number === number + 1)) return current
    const [counts, shared] = [new BoundedCounts(this.#keysMax), new BoundedCounts(this.#keysMax)]
    const fresh = { number, counts, shared, beganIn: ++this.turn }
    this.#windows.set(name, fresh)
    return fresh
  }

  /** Null if the shared count is from another window than this process's current one. */
  sharedAt(limit: WindowLimit, nowMs: number, atMs: number): BoundedCounts | null {
    const { number, shared } = this.at(limit, nowMs)
    return number === Math.floor(atMs / (limit.periodSeconds * 1_000)) ? shared : null
  }

  /** Takes the count back only in windows that had begun when the request of this turn was counted. */
  giveBack(hits: readonly Hit[], turn: number): void {
    for (const { limit, key, look } of hits) {
      const current = this.#windows.get(limit.name)
      if (look === undefined && current !== undefined && current.beganIn < turn) current.counts.takeBack(key)
    }
  }
}

class LocalCount implements Count {
  readonly answered = null
  readonly refused: Refused | null
  readonly #windows: Windows
  readonly #hits: readonly Hit[]
  readonly turn: number
  #isGivenBack = false

  constructor(windows: Windows, hits: readonly Hit[], nowMs: number) {
    this.#windows = windows
    this.#hits = hits
    let refused: Refused | null = null
    for (const { limit, key } of hits) {
      const window = windows.at(limit, nowMs)
      if (usedIn(window, key) < limit.max) continue
      refused = longest(refused, refusedUntil(limit, (window.number + 1) * limit.periodSeconds, nowMs))
    }
    this.refused = refused
    this.turn = ++windows.turn
    if (refused !== null) return
    for (const { limit, key, look } of hits) if (look === undefined) windows.at(limit, nowMs).counts.add(key)
  }

  giveBack(): void {
    if (this.refused !== null || this.#isGivenBack) return
    this.#isGivenBack = true
    this.#windows.giveBack(this.#hits, this.turn)
  }
}

/** The maximum number of keys that are checked to find one to evict. */
const CHECKED_KEYS_MAX = 64

/**
 * Counts by key, for a bounded number of keys. To make room, an iterator passes over the keys, again and again from the first to
 * the last. The next key whose count is not above the average is evicted. If the counts of the next `CHECKED_KEYS_MAX` keys are
 * all above the average, the key with the smallest of these counts is evicted. So an attacker with millions of addresses evicts
 * addresses that were seen once, and hardly ever one that has used up its limit. All evictions use the same iterator, because a
 * new one would have to step over all deleted places.
 */
export class BoundedCounts {
  readonly #counts = new Map<string, number>()
  readonly #keysMax: number
  #nextKeys = this.#counts.keys()
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
    if (before === undefined && this.#counts.size >= this.#keysMax) this.#evictOne()
    this.#counts.set(key, count)
    this.#total += count - (before ?? 0)
  }

  takeBack(key: string): void {
    const before = this.get(key)
    if (before === 0) return
    this.#counts.set(key, before - 1)
    this.#total--
  }

  #evictOne(): void {
    const average = this.#total / this.#counts.size
    let least = this.#nextKey()
    for (let checked = 1; checked < CHECKED_KEYS_MAX && this.get(least) > average; checked++) {
      const key = this.#nextKey()
      if (this.get(key) < this.get(least)) least = key
    }
    this.#total -= this.get(least)
    this.#counts.delete(least)
  }

  #nextKey(): string {
    const { done, value } = this.#nextKeys.next()
    if (done !== true) return value
    this.#nextKeys = this.#counts.keys()
    return this.#nextKeys.next().value ?? ''
  }
}

/**
 * Whole seconds until the end of the window, rounded up, and never more than one period. The end is further away than one period
 * only if the clock was set back. Then the caller waits for one period.
 */
function refusedUntil(limit: WindowLimit, endsAt: number, nowMs: number): Refused {
  const resetAt = Math.min(endsAt, Math.floor(nowMs / 1_000) + limit.periodSeconds)
  return { limit, resetAt, retryAfterSeconds: Math.max(1, Math.ceil(resetAt - nowMs / 1_000)) }
}

/** "The longest wait when several refuse": after a shorter wait the request would be rejected again. */
function longest(one: Refused | null, other: Refused): Refused {
  return one === null || other.resetAt > one.resetAt ? other : one
}
