/**
 * A copy of the specification's "Scope catalog" and "Scope form and implications". The matrix must not read its
 * expectations from the service's own catalogue.
 */
const PUBLIC = ['read:public']

const SELF_SERVE = [
  ...['read:explore', 'read:profile', 'write:profile', 'write:follows', 'write:comments', 'read:investments'],
  ...['read:companies', 'read:webhooks', 'write:webhooks', 'read:referral_codes', 'write:referral_codes'],
  ...['read:installations', 'write:installations', 'read:investors:pii', 'read:syndicates', 'write:syndicates'],
  ...['read:invite_links', 'write:invite_links', 'read:investment_sessions', 'write:investment_sessions'],
  'write:syndicate_members',
]

const DECLARED_NOT_SELECTABLE = [
  ...['write:investments', 'read:contracts', 'write:contracts', 'read:perks', 'write:perks', 'read:tax_documents'],
]

const AVAILABLE_NOT_SELECTABLE = [
  ...['write:companies', 'read:files', 'write:files', 'read:investors:contacts', 'read:profile:follows'],
]

const PROGRAM_GATED = [
  ...['read:attribution:aggregate', 'read:attribution:anonymized', 'read:attribution:full', 'write:attribution'],
]

const RETIRED = ['read:offerings', 'write:offerings', 'read:follows', 'read:campaigns']
const RESERVED = ['read:mcp', 'admin:read', 'admin:write', 'admin:attribution']

/** Every scope that a stored token may have, including retired scopes. */
export const EVERY_SCOPE: readonly string[] = [
  ...PUBLIC,
  ...SELF_SERVE,
  ...DECLARED_NOT_SELECTABLE,
  ...AVAILABLE_NOT_SELECTABLE,
  ...PROGRAM_GATED,
  ...RETIRED,
  ...RESERVED,
]

/** "Client credentials: read:public plus read:referral_codes and write:referral_codes when declared." */
export const CLIENT_SCOPES = ['read:public', 'read:referral_codes', 'write:referral_codes']

/** For each scope that an operation checks: the scopes that satisfy it, including implying and retired scopes. */
const OPENED_BY = {
  'read:public': ['read:public'],
  'read:explore': ['read:explore', 'read:mcp'],
  'read:profile': ['read:profile', 'write:profile', 'read:mcp'],
  'write:profile': ['write:profile'],
  'read:profile:follows': [
    ...['read:profile:follows', 'read:profile', 'write:profile', 'write:follows'],
    ...['read:follows', 'read:mcp'],
  ],
  'write:follows': ['write:follows'],
  'write:comments': ['write:comments'],
  'read:investments': ['read:investments', 'write:investments'],
  'read:companies': ['read:companies', 'write:companies', 'read:offerings', 'write:offerings', 'read:mcp'],
  // This scope is only for apps that are pinned to an older version. The apps of the matrix use the newest version.
  'read:campaigns': [],
  'read:webhooks': ['read:webhooks', 'write:webhooks'],
  'write:webhooks': ['write:webhooks'],
  'read:referral_codes': ['read:referral_codes', 'write:referral_codes'],
  'write:referral_codes': ['write:referral_codes'],
  'read:installations': ['read:installations', 'write:installations'],
  'write:installations': ['write:installations'],
  'read:syndicates': ['read:syndicates', 'write:syndicates', 'read:mcp'],
  'write:syndicates': ['write:syndicates'],
  'read:invite_links': ['read:invite_links', 'write:invite_links'],
  'write:invite_links': ['write:invite_links'],
  'read:investment_sessions': ['read:investment_sessions', 'write:investment_sessions'],
  'write:investment_sessions': ['write:investment_sessions'],
  'write:syndicate_members': ['write:syndicate_members', 'write:syndicates'],
} as const satisfies Readonly<Record<string, readonly string[]>>

/** The scopes that operations check. */
export type Needed = keyof typeof OPENED_BY

export function opens(granted: readonly string[], needed: Needed): boolean {
  // The service adds this scope to every token of an app, even if the grant does not list it.
  if (needed === 'read:public') return true
  const openers: readonly string[] = OPENED_BY[needed]
  return granted.some((scope) => openers.includes(scope))
}
