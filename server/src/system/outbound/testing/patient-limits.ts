/** Limits for tests that are not about time. Each limit is longer than any stall of a machine. */
const LONG_MS = 600_000

export const PATIENT_LIMITS = {
  connectMs: LONG_MS,
  totalMs: LONG_MS,
  bodyMs: LONG_MS,
  keepAliveMs: LONG_MS,
  connectionLifeMs: LONG_MS,
  unusedConnectionMs: LONG_MS,
}
