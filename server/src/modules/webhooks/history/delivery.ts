import type { Id } from '#kernel/ids.ts'
import type { Outcome } from '#system/outbound/outcome.ts'

/**
 * pending    still to be made, or made without success and tried again
 * delivered  answered with 2xx
 * exhausted  the last attempt failed too
 * canceled   the receiver may not have it any more; `reason` says why
 */
export const DELIVERY_STATES = ['pending', 'delivered', 'exhausted', 'canceled'] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]

/** One event on its way to one endpoint for one installation, waiting or ended. */
export type Delivery = {
  readonly id: Id<'delivery'>
  readonly event_id: Id<'event'>
  /** Null where the event is kept no longer. */
  readonly event: string | null
  readonly installation_id: Id<'installation'> | null
  readonly api_version: string
  readonly state: DeliveryState
  readonly reason: string | null
  /** World time, as all of these and those of attempts. */
  readonly created_at: string
  /** Null once it ended. */
  readonly due_at: string | null
  readonly ended_at: string | null
  readonly redelivery_of: Id<'delivery'> | null
  readonly attempts: readonly Attempt[]
}

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
