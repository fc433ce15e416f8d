import { ApiError } from '#kernel/errors.ts'
import { noteLiveToken, type Presented } from '#modules/apps/index.ts'
import { clientCredentialScopes, type Grant as Granted } from '#modules/scopes/index.ts'
import { type IssuedToken, issueClientToken } from '#modules/tokens/index.ts'
import { authenticateClient } from '../client/authenticate-client.ts'
import { OAuthError } from '../oauth-error.ts'
import type { TokenRequest } from './token-request.ts'

/** Nobody changes an app this often in the moment between two statements. */
const TRIES_MAX = 5

/**
 * "The app, no user." One statement issues, and only while the app is still what was read of it, so that a scope
 * removed or a suspension made in between is seen. Then all of it is looked at again.
 */
export async function grantClientCredentials(request: TokenRequest): Promise<IssuedToken> {
  let { client } = request
  for (let tried = 0; tried < TRIES_MAX; tried++) {
    const granted = judge(client, request.parameters.scope)
    if (!client.liveTokenNoted) await noteLiveToken(request.db, client.appId)
    const token = await issueClientToken(request.db, client, granted)
    if (token !== 'stale') return token
    ;({ client } = await authenticateClient(request))
  }
  throw new ApiError('unavailable', {
    public: 'The app is being changed right now.',
    remediation: 'Try again in a moment.',
  })
}

/** A key that cannot prove itself does not speak for the app (RFC 6749, section 4.4). */
function judge({ clientType, scopes }: Presented, requested: string | undefined): Granted {
  if (clientType === 'public') {
    throw new OAuthError('unauthorized_client', 'A public key cannot use client credentials: use a confidential one.')
  }
  const judged = clientCredentialScopes(scopes, requested)
  if (!judged.ok) throw new OAuthError('invalid_scope', judged.description)
  return judged
}
