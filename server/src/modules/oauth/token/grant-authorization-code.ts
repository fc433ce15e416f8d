import { redeemCode, type UserToken } from '#modules/tokens/index.ts'
import { impliedUri } from '../authorize/redirect-uri.ts'
import { tokenOf } from './grant-outcome.ts'
import { required, type TokenRequest } from './token-request.ts'

/**
 * A code becomes tokens, once. All that it was issued with is compared there, in the transaction that uses it up, and
 * nothing here: whatever is missing or malformed, that the code was used before is found first. What a second use takes
 * away is committed, which is why a refusal is returned from there and thrown here.
 */
export async function grantAuthorizationCode({ parameters, client, db, requestId }: TokenRequest): Promise<UserToken> {
  const attempt = {
    code: required(parameters, 'code'),
    keyId: client.keyId,
    redirectUri: parameters.redirect_uri ?? impliedUri(client.redirectUris),
    verifier: parameters.code_verifier ?? null,
    seen: { operation: 'createToken', requestId },
  }
  return tokenOf(await db.transaction((tx) => redeemCode(tx, attempt)))
}
