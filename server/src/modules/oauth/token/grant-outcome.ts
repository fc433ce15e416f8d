import type { GrantOutcome, GrantRefusal, UserToken } from '#modules/tokens/index.ts'
import { OAuthError, type OAuthErrorCode } from '../oauth-error.ts'

/** RFC 6749, section 5.2: whatever is wrong with what was granted is invalid_grant. */
const ERROR_OF: Readonly<Record<GrantRefusal, readonly [OAuthErrorCode, string]>> = {
  unknown: ['invalid_grant', 'It is not known, or was issued to another client.'],
  expired: ['invalid_grant', 'It has expired.'],
  revoked: ['invalid_grant', 'It was revoked.'],
  reused: ['invalid_grant', 'It was used before. For safety, what it gave is revoked: ask the user to connect again.'],
  redirect_uri: ['invalid_grant', 'redirect_uri is not the one the code was sent to.'],
  no_redirect_uri: ['invalid_request', 'redirect_uri is missing.'],
  verifier: ['invalid_grant', 'code_verifier does not fit the code_challenge.'],
  no_verifier: ['invalid_request', 'code_verifier is missing.'],
  client: ['invalid_client', 'The app may not obtain tokens at the moment.'],
  installation: ['invalid_grant', 'The user has disconnected the app, or connected it anew.'],
  user: ['invalid_grant', 'The user is deactivated.'],
  account_disabled: ['invalid_grant', 'The user’s account is disabled. Try again when it is enabled.'],
  scopes: ['invalid_grant', 'The app declares none of the granted scopes any more.'],
  scope: ['invalid_scope', 'scope asks for more than the user granted, or is no list of scopes.'],
}

export function tokenOf(outcome: GrantOutcome): UserToken {
  if (outcome.outcome === 'issued') return outcome.token
  const [code, description] = ERROR_OF[outcome.why]
  throw outcome.why === 'unknown' ? new OAuthError(code, description) : new OwnGrantRefused(code, description)
}

/** What was presented is the client's own, and good for nothing all the same. */
export class OwnGrantRefused extends OAuthError {}
