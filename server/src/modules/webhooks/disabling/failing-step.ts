const DAY_SECONDS = 24 * 60 * 60
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
 * knows whether it would have failed. When a sandbox's clock jumps past the warning, there is no day left to warn of.
 */
export function failingStep({ forSeconds, lastFailureAfterSeconds, told }: Failing): FailingStep | null {
  if (told === 0) return 'started'
  if (lastFailureAfterSeconds >= DISABLED_AFTER_SECONDS) return 'disabled'
  return told < 2 && forSeconds >= WARNED_AFTER_SECONDS ? 'warned' : null
}
