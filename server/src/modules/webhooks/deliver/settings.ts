/** How an engine works. The times here are real: leases never follow a sandbox's clock. */
export type EngineSettings = {
  /** A worker that died delays what it had leased by this at most. */
  readonly leaseSeconds: number
  readonly renewMs: number
  /** How often the database is asked for lanes that are due: while there are some, and else. A kick is sooner. */
  readonly busyMs: number
  readonly idleMs: number
  /** A lane without work is kept this long, because the next event is often not far behind. */
  readonly lingerMs: number
  /** Leased at once, for the memory they take. The last quarter of them is for lanes that do not fail. */
  readonly lanesMax: number
  /**
   * Every lane has one slot of its own; those beyond come out of this, half of it for quick lanes alone. So lanes that
   * hang with all their slots take nothing that another needs to go on.
   */
  readonly sharedSlots: number
  /** A parcel of which nothing is heard for so long, or which is under way for so long, is opened: what is known is recorded. */
  readonly parcelSilentMs: number
  readonly parcelMs: number
  /** What is under way at a stop has this long to finish; the rest is cut off and sent again by the next worker. */
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
  parcelSilentMs: 1_000,
  parcelMs: 5_000,
  drainMs: 8_000,
}

/** One lane's deliveries under way at once. More would not be faster for a receiver, and harder on it. */
export const SLOTS_MAX = 16

/** "Resumes oldest first, ramping up": after failures one at a time, then twice as many with each success. */
export function slotsAfter(slots: number, succeeded: boolean): number {
  return succeeded ? Math.min(slots * 2, SLOTS_MAX) : 1
}

/** So many at most: what a lane sends in a moment, so that what was delivered is soon on record. */
export const PARCEL_MAX = 32

/** Fewer cost as rows hardly more than they would together. */
export const PARCEL_MIN = 8
