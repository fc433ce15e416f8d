import type { Refused, WindowLimit } from './window-counter.ts'

/**
 * The wait for a caller whose window ends then: a whole number of seconds, after which it has. Never more than one period:
 * only a clock that was set back can be further from the end, and then a whole window lies in between.
 */
export function refusedUntil(limit: WindowLimit, endsAt: number, nowMs: number): Refused {
  const resetAt = Math.min(endsAt, Math.floor(nowMs / 1_000) + limit.periodSeconds)
  return { limit, resetAt, retryAfterSeconds: Math.max(1, Math.ceil(resetAt - nowMs / 1_000)) }
}

/** "The longest wait when several refuse": after a shorter one they would be refused again. */
export function longest(one: Refused | null, other: Refused): Refused {
  return one === null || other.resetAt > one.resetAt ? other : one
}
