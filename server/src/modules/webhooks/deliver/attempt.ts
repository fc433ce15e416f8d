import type { Outcome } from '#system/outbound/outcome.ts'

/** One attempt as the history shows it. */
export type Attempt = {
  /** World time. */
  readonly at: string
  readonly response_code: number | null
  /** timeout, blocked_url, tls_error or connection_failed, or internal; null where there was an answer. */
  readonly error: string | null
  readonly duration_ms: number
  /** The beginning of what was answered. */
  readonly response: string | null
}

export function attemptOf(outcome: Outcome, at: string): Attempt {
  const duration_ms = Math.round(outcome.durationMs)
  if (outcome.kind === 'failed') return { at, response_code: null, error: outcome.why, duration_ms, response: null }
  const response = storable(outcome.bodyStart)
  return { at, response_code: outcome.status, error: null, duration_ms, response: response === '' ? null : response }
}

/** Something of ours kept it from being sent. What that was is in the log, and nobody else's business. */
export function internalAttempt(at: string): Attempt {
  return { at, response_code: null, error: 'internal', duration_ms: 0, response: null }
}

/** A list of this one, as JSON. */
export function attemptsText(attempt: Attempt): string {
  return `[${JSON.stringify(attempt)}]`
}

/** "last_delivery_status = HTTP code as a string or one of the four failure words." */
export function statusWordOf(outcome: Outcome): string {
  return outcome.kind === 'answered' ? String(outcome.status) : outcome.why
}

/** PostgreSQL keeps neither zero bytes nor halves of characters, and a receiver must not choose what we can record. */
function storable(text: string): string {
  return text.replaceAll('\0', '\u{fffd}').toWellFormed()
}
