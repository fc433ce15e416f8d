/** At most `max` hits of a key in each window of `periodSeconds`; windows begin at multiples of it since 1970. */
export type WindowLimit = { readonly name: string; readonly max: number; readonly periodSeconds: number }

/** One of the things that a request counts on. */
export type Hit = { readonly limit: WindowLimit; readonly key: string }

export type Refused = {
  readonly limit: WindowLimit
  readonly retryAfterSeconds: number
  /** Unix seconds at which the window ends. */
  readonly resetAt: number
}

/** Where counts are kept: in this process at once, or in a store that several processes share, after a moment. */
export type WindowCounter = {
  /**
   * Counts one request on all of these, all or nothing: what one of them refuses counts on none, so that a client that
   * waits out one limit does not use up another. Of several that refuse, it is told of the longest wait. Null: counted.
   */
  hit(hits: readonly Hit[]): Refused | null | Promise<Refused | null>
  /** Takes back what was counted in the present window and came to nothing. */
  giveBack(hits: readonly Hit[]): void
  /** How much of each is used in the present window, in their order. */
  used(hits: readonly Hit[]): readonly number[] | Promise<readonly number[]>
}
