import { parseScopes } from '#modules/scopes/index.ts'
import { rotateFamily, type UserToken } from '#modules/tokens/index.ts'
import { OAuthError } from '../oauth-error.ts'
import { tokenOf } from './grant-outcome.ts'
import { required, type TokenRequest } from './token-request.ts'

/** "A refresh re-issues at most the original token's scopes": fewer for this one access token, if it says which. */
export async function grantRefreshToken({ parameters, client, db, requestId }: TokenRequest): Promise<UserToken> {
  const refreshToken = required(parameters, 'refresh_token')
  const requested = requestedScopes(parameters.scope)
  const { keyId } = client
  const seen = { operation: 'createToken', requestId }
  return tokenOf(await db.transaction((tx) => rotateFamily(tx, { refreshToken, keyId, requested, seen })))
}

function requestedScopes(text: string | undefined): readonly string[] | null {
  if (text === undefined) return null
  const scopes = parseScopes(text)
  if (scopes === null) throw new OAuthError('invalid_scope', 'scope must be a list of scopes, separated by spaces.')
  return scopes.length === 0 ? null : scopes
}
