import { type ApiError, type FieldError, validationError } from './errors.ts'

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
 * of any other constraint is a bug of ours.
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
  // A comment whose parent is itself: the id is taken, because the parent exists. PostgreSQL evaluates this check
  // before the primary key.
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
