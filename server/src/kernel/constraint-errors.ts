import { type ApiError, type FieldError, validationError } from './errors.ts'

const alreadyExists = (what: string): FieldError => ({
  field: 'id',
  code: 'already_exists',
  message: `is already ${what}`,
})
const taken = (field: string, message: string): FieldError => ({ field, code: 'taken', message })
const tooEarly: FieldError = { field: 'expires_at', code: 'too_early', message: 'must lie after the creation' }

/**
 * What a database constraint's refusal means to a caller, by the constraint's name: the one place where these names
 * are given words. Only what a correct request can run into belongs here (of two at once who take one name, the second
 * waits and is rejected); a constraint that is not listed was broken by our own code, and that is a bug.
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
  // Below itself: the parent is there, so the id is taken; the check merely speaks before the key does.
  ['comments_parent_other', alreadyExists('a question or comment')],
  ['company_updates_pkey', alreadyExists('an update')],
  ['offerings_pkey', alreadyExists('an offering')],
  [
    'investor_total_whole_units',
    {
      field: 'amount_cents',
      code: 'too_large',
      message: 'brings what this investor has in the raise beyond 2^53 - 1 cents',
    },
  ],
  ['valuations_pkey', { field: 'valued_at', code: 'already_exists', message: 'already has a valuation' }],
  ['exits_pkey', { field: 'offering', code: 'already_exists', message: 'has had its exit' }],
  ['secondary_sales_pkey', { field: 'investment', code: 'already_exists', message: 'was sold before' }],
  ['syndicates_pkey', alreadyExists('a syndicate')],
  ['syndicates_slug_key', taken('slug', 'is the slug of another syndicate')],
  ['join_sessions_pkey', alreadyExists('a join session')],
  ['join_sessions_expires_after_creation', tooEarly],
  ['referral_codes_code_key', taken('code', 'is taken; case does not count')],
  ['investment_sessions_pkey', alreadyExists('an investment session')],
  ['investment_sessions_expires_after_creation', tooEarly],
])

/** Null for a constraint that no correct request can break. */
export function constraintError(constraint: string): ApiError | null {
  const field = FIELD_OF_CONSTRAINT.get(constraint)
  return field === undefined ? null : validationError([field])
}

export const EXPLAINED_CONSTRAINTS: readonly string[] = [...FIELD_OF_CONSTRAINT.keys()]
