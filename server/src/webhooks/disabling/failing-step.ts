const DAY_SECONDS = 24 * 60 * 60
/**
 * Long enough for three attempts: at once, after five seconds and after five minutes. Failures that end sooner cause no
 * notice.
 */
export const NOTICE_AFTER_SECONDS = 10 * 60
/** An endpoint that fails and recovers again and again causes at most one notice per day. */
export const NOTICE_EVERY_SECONDS = DAY_SECONDS
export const DISABLED_AFTER_SECONDS = 5 * DAY_SECONDS
/** "A day before" the endpoint is disabled, its owner is warned. */
export const WARNED_AFTER_SECONDS = DISABLED_AFTER_SECONDS - DAY_SECONDS

/** An endpoint without a success since its first failure. All times are world time. */
export type Failing = {
  /** From the first failure until now. */
  readonly forSeconds: number
  /** From the first failure until the last one. */
  readonly lastFailureAfterSeconds: number
  /** How many of the three notices were sent. */
  readonly notices: number
  /** Seconds since the last `started` notice, also one before the last success; null if none was sent. */
  readonly sinceNoticeSeconds: number | null
}

/**
 * started   notice: the endpoint fails
 * warned    notice: the endpoint will be disabled in a day
 * disabled  the endpoint is disabled, with a notice
 */
export type FailingStep = 'started' | 'warned' | 'disabled'

/**
 * "An endpoint that has failed without one success for 5 days is disabled; its owner is told when failures start, a day
 * before, and when it happens." Five days alone do not disable the endpoint: only a failed attempt after them does,
 * because the endpoint may work again. The first notice is sent after ten minutes without a success. If a sandbox's
 * clock jumps by days, the endpoint may be disabled without a warning.
 */
export function failingStep(failing: Failing): FailingStep | null {
  const { forSeconds, lastFailureAfterSeconds, notices } = failing
  if (notices === 0) return mayNotify(failing) ? 'started' : null
  if (lastFailureAfterSeconds >= DISABLED_AFTER_SECONDS) return 'disabled'
  return notices < 2 && forSeconds >= WARNED_AFTER_SECONDS ? 'warned' : null
}

function mayNotify({ forSeconds, sinceNoticeSeconds }: Failing): boolean {
  return (
    forSeconds >= NOTICE_AFTER_SECONDS && (sinceNoticeSeconds === null || sinceNoticeSeconds >= NOTICE_EVERY_SECONDS)
  )
}
