import type { Outcome } from '#system/outbound/outcome.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE

/**
 * "At once, then after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h (10 attempts, about 3 days)": how long each
 * attempt waits for the one before it, in seconds.
 */
export const ATTEMPT_AFTER_SECONDS: readonly number[] = [
  ...[0, 5, 5 * MINUTE, 30 * MINUTE],
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR),
]

/** "Each with ±20 % jitter", or all that failed together would come back together. */
export const JITTER = 0.2

export type Verdict =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'again'; readonly afterSeconds: number }
  | { readonly kind: 'exhausted' }

/** From 0 up to, not including, 1. */
export type Random = () => number

/** What follows from the outcome of the so-many-th attempt, the first being 1. "2xx is success", and nothing else is. */
export function verdictOf(outcome: Outcome, attempt: number, random: Random): Verdict {
  if (isSuccess(outcome)) return { kind: 'delivered' }
  const step = ATTEMPT_AFTER_SECONDS[attempt]
  if (step === undefined) return { kind: 'exhausted' }
  const asked = outcome.kind === 'answered' ? (outcome.retryAfterSeconds ?? 0) : 0
  return { kind: 'again', afterSeconds: Math.max(jittered(step, random), Math.min(asked, oneStepLater(attempt))) }
}

export function isSuccess(outcome: Outcome): boolean {
  return outcome.kind === 'answered' && outcome.status >= 200 && outcome.status < 300
}

/** "410 disables": the receiver says that nothing is there any more and nothing will be. */
export function isGone(outcome: Outcome): boolean {
  return outcome.kind === 'answered' && outcome.status === 410
}

/**
 * "Retry-After is honoured within one step": it can put an attempt off until the next one would have been due, and never
 * brings it forward. After the last step comes none, so that one stays as it is.
 */
function oneStepLater(attempt: number): number {
  return ATTEMPT_AFTER_SECONDS[attempt + 1] ?? ATTEMPT_AFTER_SECONDS[attempt] ?? 0
}

function jittered(seconds: number, random: Random): number {
  return seconds * (1 - JITTER + 2 * JITTER * random())
}
