import type { Presented } from '#modules/apps/index.ts'
import type { IssuedToken, UserToken } from '#modules/tokens/index.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import type { Attempt } from '../client/client-limit.ts'
import type { DirectRequest } from '../client/client-steps.ts'
import type { Credentials } from '../client/read-credentials.ts'
import { OAuthError } from '../oauth-error.ts'
import type { Parameters } from '../request/read-parameters.ts'

/** A token request of a client that is known. */
export type TokenRequest = DirectRequest & {
  readonly parameters: Parameters
  readonly credentials: Credentials
  readonly db: WorldDatabase
  readonly client: Presented
  readonly attempt: Attempt
}

/** One way to a token. */
export type Grant = (request: TokenRequest) => Promise<IssuedToken | UserToken>

export function required(parameters: Parameters, name: keyof Parameters): string {
  const value = parameters[name]
  if (value === undefined) throw new OAuthError('invalid_request', `${name} is missing.`)
  return value
}
