import { authenticateClient } from '../client/authenticate-client.ts'
import { countAttempt } from '../client/client-limit.ts'
import type { DirectRequest } from '../client/client-steps.ts'
import { readCredentials } from '../client/read-credentials.ts'
import { OAuthError } from '../oauth-error.ts'
import { type Parameters, readParameters } from '../request/read-parameters.ts'
import { inOrder } from '../steps.ts'
import { countProved, whileProving } from './count-request.ts'
import { grantAuthorizationCode } from './grant-authorization-code.ts'
import { grantClientCredentials } from './grant-client-credentials.ts'
import { grantRefreshToken } from './grant-refresh-token.ts'
import { type Grant, required, type TokenRequest } from './token-request.ts'

const GRANTS: ReadonlyMap<string, Grant> = new Map([
  ['authorization_code', grantAuthorizationCode],
  ['refresh_token', grantRefreshToken],
  ['client_credentials', grantClientCredentials],
])

function chooseGrant({ parameters }: { readonly parameters: Parameters }): { readonly grant: Grant } {
  const grant = GRANTS.get(required(parameters, 'grant_type'))
  if (grant !== undefined) return { grant }
  throw new OAuthError('unsupported_grant_type', `grant_type must be one of ${[...GRANTS.keys()].join(', ')}.`)
}

async function issue(request: TokenRequest & { readonly grant: Grant }) {
  const { grant, counted } = request
  const token = await whileProving(request, () => grant(request))
  counted?.issued(token.accessToken)
  return { token }
}

/** POST /oauth/token, in order. */
export const TOKEN_STEPS = inOrder<DirectRequest>()
  .step(readParameters)
  .step(readCredentials)
  .step(countAttempt)
  .step(authenticateClient)
  .step(countProved)
  .step(chooseGrant)
  .step(issue)
