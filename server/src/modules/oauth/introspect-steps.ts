import type { Presented } from '#modules/apps/index.ts'
import { printScopes } from '#modules/scopes/index.ts'
import { type Introspected, introspectToken } from '#modules/tokens/index.ts'
import { CLIENT_STEPS } from './client/client-steps.ts'
import { OAuthError } from './oauth-error.ts'
import type { Introspection } from './schemas.ts'
import { required, type TokenRequest } from './token/token-request.ts'

/** RFC 7662, section 2.1: the endpoint "MUST require some form of authorization", which a public key is none of. */
function requireConfidential({ client }: { readonly client: Presented }): void {
  if (client.clientType === 'confidential') return
  throw new OAuthError('invalid_client', 'A public key cannot introspect tokens: use a confidential one.')
}

/** "Own tokens only": what belongs to another client looks like what does not exist (RFC 7662, section 4). */
async function introspect({ parameters, client, db, origin }: TokenRequest) {
  const token = required(parameters, 'token')
  const found = await introspectToken(db, { token, keyId: client.keyId })
  return { introspection: found === null ? INACTIVE : describe(found, client, origin()) }
}

/** "SHOULD NOT include any additional information about an inactive token, including why" (section 2.2). */
const INACTIVE: Introspection = { active: false }

/** No `aud`: there is one resource server, and every token is for it. A refresh token is not presented as anything. */
function describe(token: Introspected, { keyId }: Presented, iss: string): Introspection {
  const { type, scopes, userId, installationId, createdAt, expiresAt } = token
  return {
    active: true,
    scope: printScopes(scopes),
    client_id: keyId,
    ...(type === 'access' ? { token_type: 'Bearer' as const } : {}),
    ...(expiresAt === null ? {} : { exp: expiresAt }),
    iat: createdAt,
    ...(userId === null ? {} : { sub: userId }),
    iss,
    ...(installationId === null ? {} : { installation_id: installationId }),
  }
}

/** POST /oauth/introspect, in order. */
export const INTROSPECT_STEPS = CLIENT_STEPS.step(requireConfidential).step(introspect)
