import { validationError } from '#kernel/errors.ts'

/**
 * "These apply to every app, sandbox and live, and acceptance is recorded at app creation." The conditions themselves
 * are pages (access/conditions). Whoever changes what they ask for adds a text and names it here, and the new ones are
 * asked for from then on.
 */
export const CONDITIONS_VERSION = '2026-11-01'

export const CONDITIONS_PATH = '/conditions'

/** Where a version can be read, for good: what an acceptance points to. On this host. */
export function conditionsUrl(version: string): string {
  return `${CONDITIONS_PATH}/${version}`
}

/** Only the conditions in force can be accepted: who read older ones has to read these. */
export function refuseOtherConditions(accepted: string): void {
  if (accepted === CONDITIONS_VERSION) return
  const message = `must be ${CONDITIONS_VERSION}, the version of the usage conditions in force`
  throw validationError([{ field: 'accepted_conditions', code: 'outdated', message }])
}
