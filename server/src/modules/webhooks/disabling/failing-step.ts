const DAY_SECONDS = 24 * 60 * 60
/** Time for three attempts: at once, after five seconds, after five minutes. What is over by then was a hiccup. */
export const TOLD_AFTER_SECONDS = 10 * 60
/** One that comes and goes does not send a mail each time. */
export const TOLD_EVERY_SECONDS = DAY_SECONDS
export const DISABLED_AFTER_SECONDS = 5 * DAY_SECONDS
/** "A day before." */
export const WARNED_AFTER_SECONDS = DISABLED_AFTER_SECONDS - DAY_SECONDS

/** An endpoint without a success since its first failure. Times of its world. */
export type Failing = {
  /** From the first failure until now. */
  readonly forSeconds: number
  /** From the first failure until the last one. */
  readonly lastFailureAfterSeconds: number
  /** How many of the three notices its owner has had. */
  readonly told: number
  /** Since its owner last heard that it fails, be it of failures that are over; null for never. */
  readonly sinceToldSeconds: number | null
}

/**
 * started   its owner hears that it fails
 * warned    and that it will be disabled in a day
 * disabled  it is, and its owner hears of it
 */
export type FailingStep = 'started' | 'warned' | 'disabled'

/**
 * "An endpoint that has failed without one success for 5 days is disabled; its owner is told when failures start, a day
 * before, and when it happens." It takes an attempt that failed after the five days: where nothing was to be sent, nobody
 * knows whether it would have failed. Failures have started when there was no success for ten minutes. When a sandbox's
 * clock jumps past the warning, there is no day left to warn of.
 */
export function failingStep(failing: Failing): FailingStep | null {
  const { forSeconds, lastFailureAfterSeconds, told } = failing
  if (told === 0) return mayTell(failing) ? 'started' : null
  if (lastFailureAfterSeconds >= DISABLED_AFTER_SECONDS) return 'disabled'
  return told < 2 && forSeconds >= WARNED_AFTER_SECONDS ? 'warned' : null
}

function mayTell({ forSeconds, sinceToldSeconds }: Failing): boolean {
  return forSeconds >= TOLD_AFTER_SECONDS && (sinceToldSeconds === null || sinceToldSeconds >= TOLD_EVERY_SECONDS)
}
