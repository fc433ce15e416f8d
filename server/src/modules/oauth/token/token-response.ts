import { printScopes } from '#modules/scopes/index.ts'
import type { IssuedToken, UserToken } from '#modules/tokens/index.ts'
import type { TokenResponse } from '../schemas.ts'

/** RFC 6749, section 5.1. "The token response echoes the granted set in scope", and `created_at` says since when. */
export function tokenResponse(token: IssuedToken | UserToken): TokenResponse {
  const { accessToken, expiresInSeconds, scopes, createdAt } = token
  if (expiresInSeconds === null) throw new Error('what /oauth/token gives expires')
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: expiresInSeconds,
    scope: printScopes(scopes),
    ...('refreshToken' in token ? { refresh_token: token.refreshToken } : {}),
    created_at: createdAt,
  }
}
