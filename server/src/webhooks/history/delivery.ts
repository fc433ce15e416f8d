import type { Id } from '#kernel/ids.ts'
import type { Outcome } from '#system/outbound/outcome.ts'

/**
 * pending    not sent yet, or failed and waiting for a retry
 * delivered  the endpoint responded 2xx
 * exhausted  the last attempt failed too
 * canceled   not sent any more; `reason` says why
 */
export const DELIVERY_STATES = ['pending', 'delivered', 'exhausted', 'canceled'] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]

/** One event to one endpoint for one installation. */
export type Delivery = {
  readonly id: Id<'delivery'>
  readonly event_id: Id<'event'>
  /** Null if the event was deleted. */
  readonly event: string | null
  readonly installation_id: Id<'installation'> | null
  readonly api_version: string
  readonly state: DeliveryState
  readonly reason: string | null
  /** World time, like all times here. */
  readonly created_at: string
  /** Null once the delivery has ended. */
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
  /** timeout, blocked_url, tls_error, connection_failed or internal; null if there was a response. */
  readonly error: string | null
  readonly duration_ms: number
  /** The beginning of the response body. */
  readonly response: string | null
}

/** The outcome of a delivery. */
export type Recorded = {
  readonly id: Id<'delivery'>
  readonly state: 'delivered' | 'exhausted' | 'canceled' | 'again'
  /** Why the delivery was canceled; null for every other outcome. */
  readonly reason: string | null
  /** In how many seconds the delivery is tried again; null if it has ended. */
  readonly afterSeconds: number | null
  /** Null if the delivery was canceled without an attempt. */
  readonly attempt: Attempt | null
}

export function attemptOf(outcome: Outcome, at: string): Attempt {
  const duration_ms = Math.round(outcome.durationMs)
  if (outcome.kind === 'failed') return { at, response_code: null, error: outcome.why, duration_ms, response: null }
  const response = storable(outcome.bodyStart)
  return { at, response_code: outcome.status, error: null, duration_ms, response: response === '' ? null : response }
}

/** An internal error prevented the request; details are only in the log. */
export function internalAttempt(at: string): Attempt {
  return { at, response_code: null, error: 'internal', duration_ms: 0, response: null }
}

/** A JSON list with this attempt. */
export function attemptsText(attempt: Attempt): string {
  return `[${JSON.stringify(attempt)}]`
}

/** "last_delivery_status = HTTP code as a string or one of the four failure words." */
export function statusWordOf(outcome: Outcome): string {
  return outcome.kind === 'answered' ? String(outcome.status) : outcome.why
}

/** PostgreSQL cannot store NUL or lone surrogates, and a response body may contain them. */
function storable(text: string): string {
  return text.replaceAll('\0', '\u{fffd}').toWellFormed()
}
