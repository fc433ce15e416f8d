import { CLIENT_STEPS } from '../client/client-steps.ts'
import { OAuthError } from '../oauth-error.ts'
import type { Parameters } from '../request/read-parameters.ts'
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
  const { grant } = request
  return { token: await grant(request) }
}

/** POST /oauth/token, in order. */
export const TOKEN_STEPS = CLIENT_STEPS.step(chooseGrant).step(issue)
