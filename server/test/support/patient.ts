import type { DatabaseTimes } from '#system/postgres/open.ts'

/** More than a busy machine stalls for. The service's own limits are for the tests that are about them. */
export const PATIENT: DatabaseTimes = {
  connectMs: 90_000,
  statementMs: 90_000,
  shortMs: 90_000,
  lockMs: 90_000,
  idleInTransactionMs: 90_000,
}
