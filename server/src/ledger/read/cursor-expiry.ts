import { ApiError } from '#kernel/errors.ts'

const RETENTION_DAYS = 90
export const RETENTION_MS = RETENTION_DAYS * 24 * 60 * 60 * 1_000

/**
 * "Retention window is 90 days; a cursor or updated_since older than that gives 410." The age counts from the time up
 * to which the reader has seen everything. So the cursor of a reader that syncs regularly never gets too old, even if
 * the ledger does not change.
 */
export function rejectOld(asOf: number, now: number): void {
  if (now - asOf <= RETENTION_MS) return
  throw gone(
    'too_old',
    `The cursor or updated_since is older than the ${RETENTION_DAYS} days for which changes are stored.`,
  )
}

/**
 * "When the caller has become or ceased to be an editor of a company since a cursor was given, sync with it answers
 * 410." Otherwise the reader's copy would never get the earlier records of a company that the caller edits now, or
 * would keep the records of a company that the caller no longer edits.
 */
export function rejectChangedAccess(access: number, changedAt: number | null): void {
  if (changedAt !== null && changedAt > access) throw gone('access_changed', 'Your access changed: list again.')
}

/** Why a cursor is rejected, for the page that inspects cursors. The API responds with a type and a message. */
export const CURSOR_PROBLEMS = ['malformed', 'other_reader', 'identities_added', 'too_old', 'access_changed'] as const
export type CursorProblem = (typeof CURSOR_PROBLEMS)[number]

export class RejectedCursor extends ApiError {
  readonly problem: CursorProblem

  constructor(problem: CursorProblem, ...error: ConstructorParameters<typeof ApiError>) {
    super(...error)
    this.problem = problem
  }
}

/** The error for a reader whose copy a sync can no longer update: the reader must replace the whole copy. */
export function gone(problem: CursorProblem, message: string): ApiError {
  return new RejectedCursor(problem, 'gone', {
    public: message,
    remediation: 'List again without `cursor` and `updated_since`, and replace all stored records by the result.',
  })
}
