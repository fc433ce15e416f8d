import { validationError } from '#kernel/errors.ts'

/**
 * "These apply to every app, sandbox and live, and acceptance is recorded at app creation." The conditions themselves
 * are in docs/usage-conditions.md. Whoever changes what they ask for changes this date, and asks for the new ones.
 */
export const CONDITIONS_VERSION = '2026-11-01'

/** Only the conditions in force can be accepted: who read older ones has to read these. */
export function refuseOtherConditions(accepted: string): void {
  if (accepted === CONDITIONS_VERSION) return
  const message = `must be ${CONDITIONS_VERSION}, the version of the usage conditions in force`
  throw validationError([{ field: 'accepted_conditions', code: 'outdated', message }])
}
