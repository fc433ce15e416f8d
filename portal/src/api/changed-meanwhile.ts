/** Another member of the team made a change first. The page already shows the current state, so the person can decide again. */
class ChangedMeanwhile extends Error {}

/**
 * Throws if the server's current value is not the value that the person saw when they decided. Without this check the
 * action could overwrite every change since the dialog was opened. With it, only a change between this check and the request can
 * be lost.
 */
export function requireUnchanged(what: string, seen: unknown, current: unknown): void {
  if (JSON.stringify(seen) === JSON.stringify(current)) return
  throw new ChangedMeanwhile(
    `Nothing was saved: another person of your team changed ${what} while you were looking at it. ` +
      'The page now shows the current state. Check it, then try again.',
  )
}
