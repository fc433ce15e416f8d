import { validationError } from '#kernel/errors.ts'
import { EVENT_CATALOGUE, type EventName } from '#modules/events/index.ts'

/**
 * "installation.revoked: app-wide endpoints only (a bound endpoint stops with its installation)";
 * "referral_cohorts.published reaches app-wide endpoints only". Refused rather than kept: who subscribes to what can
 * never come would wait for it.
 */
export function refuseAppWideEvents(events: readonly EventName[]): void {
  const never = events.filter((name) => EVENT_CATALOGUE[name].reach === 'app_wide')
  if (never.length === 0) return
  const message = `of an endpoint for one installation cannot include ${never.join(' or ')}, which only endpoints of the whole app receive`
  throw validationError([{ field: 'events', code: 'app_wide_only', message }])
}

/** Each once, in the order given: the first is what a test sends. */
export function withoutRepeats(events: readonly EventName[]): readonly EventName[] {
  return [...new Set(events)]
}
