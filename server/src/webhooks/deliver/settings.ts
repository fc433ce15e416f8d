/** Settings of a delivery engine. All times are real time: leases never follow a sandbox's clock. */
export type EngineSettings = {
  /** How long a lease lasts without renewal. If a worker dies, its lanes wait at most this long. */
  readonly leaseSeconds: number
  readonly renewMs: number
  /**
   * How often the engine polls for due lanes: `busyMs` while it leases lanes, `idleMs` while it leases none. A wake-up
   * signal starts a poll at once.
   */
  readonly busyMs: number
  readonly idleMs: number
  /** An idle lane stays leased this long, because the next event often follows soon. */
  readonly lingerMs: number
  /** How many lanes may be leased at once, to limit memory. The last quarter is reserved for lanes that do not fail. */
  readonly lanesMax: number
  /**
   * Every lane has one slot of its own. Further slots come from this pool. Half of the pool is for quick lanes only, so
   * a lane whose requests all hang never blocks another lane.
   */
  readonly sharedSlots: number
  /**
   * After `deliveryBatchSilentMs` without an answer, or at the first answer after `deliveryBatchMs` in progress, a delivery
   * batch is opened and its known outcomes are recorded.
   */
  readonly deliveryBatchSilentMs: number
  readonly deliveryBatchMs: number
  /**
   * When the engine stops, requests in progress have this long to finish. The engine aborts those that do not
   * finish, and the next worker sends their deliveries again.
   */
  readonly drainMs: number
}

export const ENGINE_DEFAULTS: EngineSettings = {
  leaseSeconds: 15,
  renewMs: 5_000,
  busyMs: 100,
  idleMs: 1_000,
  lingerMs: 1_000,
  lanesMax: 2_000,
  sharedSlots: 512,
  deliveryBatchSilentMs: 1_000,
  deliveryBatchMs: 5_000,
  drainMs: 8_000,
}

/** The maximum of requests in progress per lane. More requests would load the receiver, but not speed up the lane. */
export const SLOTS_MAX = 16

/** "Resumes oldest first, ramping up": after failures one at a time, then twice as many with each success. */
export function slotsAfter(slots: number, succeeded: boolean): number {
  return succeeded ? Math.min(slots * 2, SLOTS_MAX) : 1
}

/** Maximum size of a delivery batch: small, so that delivered members are recorded soon. */
export const DELIVERY_BATCH_MAX = 32

/** Minimum size of a delivery batch: for fewer deliveries a delivery batch is hardly faster than single rows. */
export const DELIVERY_BATCH_MIN = 8
