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

/** Counts in this process, with a result at once, or in a store that several processes share, with a result later. */
export type WindowCounter = {
  /**
   * Counts one request toward all of these, or toward none: if one limit rejects it, it counts toward none, so that a client
   * that waits for one limit does not use up another. If several reject it, the longest wait is reported.
   */
  count(hits: readonly Hit[]): Count
  /** How much of each limit is used in the current window, in their order. */
  used(hits: readonly Hit[]): readonly number[] | Promise<readonly number[]>
}
