import type { RawQuery } from '#http/input/query-text.ts'
import { sentValue } from './query.ts'
import { AuthorizeError } from './refusals.ts'

/** The SHA-256 of a verifier, in base64url. */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/

/**
 * "PKCE S256 always required." A challenge without a method would be `plain` (RFC 7636, section 4.3), which whoever
 * sees the address can answer, so it is refused like `plain` itself.
 */
export function checkPkce({ query }: { readonly query: RawQuery }): { readonly codeChallenge: string } {
  const codeChallenge = sentValue(query, 'code_challenge')
  if (codeChallenge === undefined) {
    throw new AuthorizeError('invalid_request', 'code_challenge is missing: PKCE is required.')
  }
  if (sentValue(query, 'code_challenge_method') !== 'S256') {
    throw new AuthorizeError('invalid_request', 'code_challenge_method must be S256.')
  }
  if (!CHALLENGE.test(codeChallenge)) {
    throw new AuthorizeError('invalid_request', 'code_challenge must be a SHA-256 in base64url without padding.')
  }
  return { codeChallenge }
}
