import { isRecord } from './errors.ts'

const FIRST_WAIT_MS = 1_000
const LONGEST_BACKOFF_MS = 60_000

/** A failed request. `status` is undefined if there was no response. */
export type Failure = {
  readonly status: number | undefined
  readonly body: unknown
  /** `X-RateLimit-Reset`, in Unix seconds. */
  readonly resetAt: string | null
  /** How many attempts have failed, at least 1. */
  readonly attempts: number
}

/**
 * Whether to repeat the failed request. A 429 changed nothing, so every request can be repeated after it. Without a
 * response, and after 502, 503 and 504, the service may have done the work, so only requests that may run twice are repeated.
 */
export function isWorthRepeating(status: number | undefined, isRepeatable: boolean): boolean {
  if (status === 429) return true
  return isRepeatable && (status === undefined || status === 502 || status === 503 || status === 504)
}

/**
 * Returns how long to wait: `details.retry_after` seconds, or until `X-RateLimit-Reset`, or else 1 second, doubled after each
 * further failure up to a minute. Adds a random part, because the rate limit windows of all clients end at the same moment.
 * The maximum of the random part is a tenth of the wait, but not less than 1 second and not more than 1 minute.
 */
export function waitMs({ body, resetAt, attempts }: Failure, nowMs: number, random: number): number {
  const requestedMs = requestedWaitMs(body, resetAt, nowMs)
  const minimumMs = requestedMs ?? Math.min(FIRST_WAIT_MS * 2 ** (attempts - 1), LONGEST_BACKOFF_MS)
  return Math.ceil(minimumMs + random * Math.min(Math.max(minimumMs / 10, FIRST_WAIT_MS), LONGEST_BACKOFF_MS))
}

function requestedWaitMs(body: unknown, resetAt: string | null, nowMs: number): number | undefined {
  const error = isRecord(body) ? body['error'] : undefined
  const details = isRecord(error) ? error['details'] : undefined
  const seconds = isRecord(details) ? details['retry_after'] : undefined
  if (typeof seconds === 'number' && seconds >= 0) return seconds * 1_000
  if (resetAt === null || !/^\d+$/.test(resetAt)) return undefined
  return Math.max(Number(resetAt) * 1_000 - nowMs, 0)
}

/** Resolves after the time. Rejects with the reason of the signal when the signal aborts. */
export function sleep(ms: number, signal?: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason)
    const end = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end)
      resolve()
    }, ms)
    signal?.addEventListener('abort', end, { once: true })
  })
}
