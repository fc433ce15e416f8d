import { DatabaseError } from 'pg'
import { type ApiError, type FieldError, validationError } from '#kernel/errors.ts'

/** PostgreSQL is unreachable, is restarting, or is overloaded: the request may be retried later. */
export class DatabaseUnavailable extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause })
    this.name = 'DatabaseUnavailable'
  }
}

/** A violated constraint that `FIELD_OF_CONSTRAINT` does not list: no correct request can cause it. */
export class ConstraintViolation extends Error {
  readonly constraint: string
  /** Null for the constraint of a domain, which PostgreSQL checks before there is a row. */
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

/** Every error that this folder throws is an error of the API, one of these classes, or a plain error that means a bug. */
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

const alreadyExists = (what: string): FieldError => ({
  field: 'id',
  code: 'already_exists',
  message: `is already ${what}`,
})
const taken = (field: string, message: string): FieldError => ({ field, code: 'taken', message })
const tooEarly: FieldError = { field: 'expires_at', code: 'too_early', message: 'must be after the creation time' }

/**
 * Converts the violation of a database constraint to a field error, by the constraint's name. Only constraints that a correct
 * request can violate are listed (for example, two requests at once take the same name and the second is rejected). A violation
 * of any other constraint is our bug.
 */
const FIELD_OF_CONSTRAINT: ReadonlyMap<string, FieldError> = new Map([
  ['users_pkey', alreadyExists('a user')],
  ['users_email_key', taken('email', 'is the address of another user')],
  ['users_username_key', taken('username', 'is the name of another user')],
  ['accounts_pkey', alreadyExists('an account')],
  ['accounts_email_key', taken('email', 'is the address of another account')],
  ['account_users_user_key', { field: 'user', code: 'already_linked', message: 'is the user of another account' }],
  ['organizations_pkey', alreadyExists('an organization')],
  ['organization_members_pkey', { field: 'account', code: 'already_exists', message: 'is already on this team' }],
  ['companies_pkey', alreadyExists('a company')],
  ['companies_slug_key', taken('slug', 'is the slug of another company')],
  ['comments_pkey', alreadyExists('a question or comment')],
  // A fact names an existing comment as the parent of a new comment with the same id. The id is taken, but PostgreSQL evaluates
  // this check before the primary key.
  ['comments_parent_other', alreadyExists('a question or comment')],
  ['company_updates_pkey', alreadyExists('an update')],
  ['offerings_pkey', alreadyExists('an offering')],
  [
    'investor_total_whole_units',
    {
      field: 'amount_cents',
      code: 'too_large',
      message: 'brings this investor’s total in the raise above 2^53 - 1 cents',
    },
  ],
  ['valuations_pkey', { field: 'valued_at', code: 'already_exists', message: 'already has a valuation' }],
  ['exits_pkey', { field: 'offering', code: 'already_exists', message: 'already has an exit' }],
  ['secondary_sales_pkey', { field: 'investment', code: 'already_exists', message: 'was already sold' }],
  ['syndicates_pkey', alreadyExists('a syndicate')],
  ['syndicates_slug_key', taken('slug', 'is the slug of another syndicate')],
  ['join_sessions_pkey', alreadyExists('a join session')],
  ['join_sessions_expires_after_creation', tooEarly],
  ['referral_codes_code_key', taken('code', 'is taken; upper and lower case count as the same')],
  ['investment_sessions_pkey', alreadyExists('an investment session')],
  ['investment_sessions_expires_after_creation', tooEarly],
])

/** Null for a constraint that a correct request cannot violate. */
export function constraintError(constraint: string): ApiError | null {
  const field = FIELD_OF_CONSTRAINT.get(constraint)
  return field === undefined ? null : validationError([field])
}

export const EXPLAINED_CONSTRAINTS: readonly string[] = [...FIELD_OF_CONSTRAINT.keys()]
