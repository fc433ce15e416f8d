const SECONDS_MAX = 10 ** 9

/**
 * "Retry-After = HTTP-date / delay-seconds" (RFC 9110, 10.2.3) as whole seconds from now, never negative; undefined for
 * anything else.
 */
export function retryAfterSeconds(value: string | readonly string[] | undefined, nowMs: number): number | undefined {
  const text = typeof value === 'string' ? value.trim() : ''
  if (/^\d{1,20}$/.test(text)) return Math.min(Number(text), SECONDS_MAX)
  // Date.parse reads far more than HTTP allows, such as "1": a date of HTTP names its day and GMT.
  const at = /^[A-Z][a-z]+,? .+ GMT$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.min(Math.max(0, Math.ceil((at - nowMs) / 1_000)), SECONDS_MAX)
}
