import { redeemCode, type UserToken } from '#modules/tokens/index.ts'
import { impliedUri } from '../authorize/redirect-uri.ts'
import { OAuthError } from '../oauth-error.ts'
import { tokenOf } from './grant-outcome.ts'
import { required, type TokenRequest } from './token-request.ts'

/** RFC 7636, section 4.1. */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/

/**
 * A code becomes tokens, once. What it was issued with is compared under its lock, in the transaction that uses it up;
 * what a second use takes away is committed too, which is why a refusal is returned from it and thrown here.
 */
export async function grantAuthorizationCode({ parameters, client, db, requestId }: TokenRequest): Promise<UserToken> {
  const code = required(parameters, 'code')
  const redirectUri = parameters.redirect_uri ?? impliedUri(client.redirectUris)
  if (redirectUri === null) throw new OAuthError('invalid_request', 'redirect_uri is missing.')
  const verifier = required(parameters, 'code_verifier')
  // One of another form cannot be the right one; the code stays for who has that.
  if (!VERIFIER.test(verifier)) throw new OAuthError('invalid_grant', 'code_verifier is not of the form of RFC 7636.')
  const { keyId } = client
  const seen = { operation: 'createToken', requestId }
  return tokenOf(await db.transaction((tx) => redeemCode(tx, { code, keyId, redirectUri, verifier, seen })))
}
