/** At most `max` hits of a key in each window of `periodSeconds`; windows begin at multiples of it since 1970. */
export type WindowLimit = { readonly name: string; readonly max: number; readonly periodSeconds: number }

/** One of the things that a request counts on. `look`: it may reject the request, and is not used up by it. */
export type Hit = { readonly limit: WindowLimit; readonly key: string; readonly look?: true }

export type Refused = {
  readonly limit: WindowLimit
  readonly retryAfterSeconds: number
  /** Unix seconds at which the window ends. */
  readonly resetAt: number
}

/** One request that was counted, or rejected. */
export type Count = {
  /** Until then there is no verdict; null where there is one at once. Never rejects: it is counted in any case. */
  readonly answered: Promise<void> | null
  /** The verdict. Null: it was counted. */
  readonly refused: Refused | null
  /** Takes back what came to nothing: where it was counted, and only in the windows it was counted in. */
  giveBack(): void
}

/** Where counts are kept: in this process at once, or in a store that several processes share, after a moment. */
export type WindowCounter = {
  /**
   * Counts one request on all of these, all or nothing: what one of them rejects counts on none, so that a client that
   * waits out one limit does not use up another. Of several that reject, the longest wait is reported.
   */
  count(hits: readonly Hit[]): Count
  /** How much of each is used in the present window, in their order. */
  used(hits: readonly Hit[]): readonly number[] | Promise<readonly number[]>
}
