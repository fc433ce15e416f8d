import type { DatabaseTimes } from '#system/postgres/open.ts'

/** Time limits longer than a stall of a busy machine. The service's own limits have their own tests. */
export const PATIENT: DatabaseTimes = {
  connectMs: 90_000,
  statementMs: 90_000,
  shortMs: 90_000,
  lockMs: 90_000,
  idleInTransactionMs: 90_000,
}
