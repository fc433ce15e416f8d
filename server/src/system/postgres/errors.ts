import { DatabaseError } from 'pg'
import { constraintError } from '#kernel/constraint-errors.ts'

/** PostgreSQL is unreachable, is restarting, or is overloaded: the request may be retried later. */
export class DatabaseUnavailable extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause })
    this.name = 'DatabaseUnavailable'
  }
}

/** A violated constraint that `kernel/constraint-errors.ts` does not list: no correct request can cause it. */
export class ConstraintViolation extends Error {
  readonly constraint: string
  /** Null for the constraint of a domain, which is checked before there is a row. */
  readonly table: string | null

  constructor(constraint: string, table: string | null, cause: unknown) {
    super(`constraint ${constraint} ${table === null ? 'refused a value' : `on ${table} refused a row`}`, { cause })
    this.name = 'ConstraintViolation'
    this.constraint = constraint
    this.table = table
  }
}

/**
 * SQLSTATE classes that mean "not now" rather than "not this": connection exceptions (08), lack of resources (53),
 * operator intervention such as a restart (57P), our own time and lock limits (57014, 55P03, 25P03, 25P04), deadlocks
 * and serialization failures (40). Also a missing prepared statement (26000): on the pipelined connection an earlier
 * statement should have prepared it but was canceled. Everything else is a bug or a constraint.
 */
const UNAVAILABLE_STATE = /^(08|53|57P|57014|55P03|25P03|25P04|26000|40)/
const CONSTRAINT_STATE = /^23/

/** Error codes of Node and the driver for a failed connection; such errors have no SQLSTATE. */
const CONNECTION_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EACCES'])
const CONNECTION_WORDS = /connection|timeout|not queryable|terminat/i

/**
 * Every error that leaves this folder is an error of the contract, one of these classes, or a plain error that means a
 * bug.
 */
export function translateError(error: unknown): unknown {
  if (error instanceof DatabaseError) {
    const state = error.code ?? ''
    if (CONSTRAINT_STATE.test(state)) {
      const constraint = error.constraint ?? `not_null_${error.column ?? ''}`
      return constraintError(constraint) ?? new ConstraintViolation(constraint, error.table ?? null, error)
    }
    return UNAVAILABLE_STATE.test(state) ? new DatabaseUnavailable(error.message, error) : error
  }
  if (error instanceof Error && isConnectionFailure(error)) return new DatabaseUnavailable(error.message, error)
  return error
}

function isConnectionFailure(error: Error): boolean {
  const code = 'code' in error ? String(error.code) : ''
  // The driver's own failures are plain Errors that can be recognized only by their message.
  return CONNECTION_CODES.has(code) || (error.constructor === Error && CONNECTION_WORDS.test(error.message))
}
