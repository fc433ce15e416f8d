/** So many at most: what a lane sends in a moment, so that what was delivered is soon on record. */
export const PARCEL_MAX = 32

/** Fewer cost as rows hardly more than they would together. */
export const PARCEL_MIN = 8
