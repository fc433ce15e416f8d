/** One lane's deliveries under way at once. More would not be faster for a receiver, and harder on it. */
export const SLOTS_MAX = 16

/** "Resumes oldest first, ramping up": after failures one at a time, then twice as many with each success. */
export function slotsAfter(slots: number, succeeded: boolean): number {
  return succeeded ? Math.min(slots * 2, SLOTS_MAX) : 1
}
