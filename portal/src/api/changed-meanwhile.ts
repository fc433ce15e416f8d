/** Another member of the team made a change first. The page already shows the current state, so that the person can decide again. */
class ChangedMeanwhile extends Error {}

/**
 * Compares what the person saw when they decided with what the server has now. It narrows the window of a lost update from the
 * minutes that a page is open to the time of one request.
 */
export function requireUnchanged(what: string, seen: unknown, current: unknown): void {
  if (JSON.stringify(seen) === JSON.stringify(current)) return
  throw new ChangedMeanwhile(
    `Nothing was saved: another person of your team changed ${what} while you were looking at it. ` +
      'The page now shows the current state. Check it, then try again.',
  )
}
