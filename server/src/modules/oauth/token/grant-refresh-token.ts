import { parseScopes } from '#modules/scopes/index.ts'
import { rotateFamily, type UserToken } from '#modules/tokens/index.ts'
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
  // What is no list of scopes is the name of none, and refused as such: after it is known whether the token is a used one.
  const scopes = parseScopes(text) ?? [text]
  return scopes.length === 0 ? null : scopes
}
