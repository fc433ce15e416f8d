import { OAuthError } from '../oauth-error.ts'
import type { Parameters } from '../request/read-parameters.ts'
import { parseBasic } from './basic-credentials.ts'

/** Who the client says it is, and how it proves it: `none` is for those who cannot keep a secret. */
export type Credentials =
  | {
      readonly method: 'client_secret_basic' | 'client_secret_post'
      readonly clientId: string
      readonly secret: string
    }
  | { readonly method: 'none'; readonly clientId: string; readonly secret: null }

type Sent = { readonly authorization: string | undefined; readonly parameters: Parameters }

/** "The client MUST NOT use more than one authentication method in each request" (RFC 6749, section 2.3). */
export function readCredentials({ authorization, parameters }: Sent): { readonly credentials: Credentials } {
  const { client_id: clientId, client_secret: secret } = parameters
  if (authorization !== undefined) return { credentials: fromHeader(authorization, parameters) }
  if (clientId === undefined) {
    throw new OAuthError('invalid_request', 'client_id is missing: send it in the body, or use HTTP Basic.')
  }
  if (secret === undefined) return { credentials: { method: 'none', clientId, secret: null } }
  return { credentials: { method: 'client_secret_post', clientId, secret } }
}

function fromHeader(authorization: string, parameters: Parameters): Credentials {
  if (!/^Basic(\s|$)/i.test(authorization)) {
    throw new OAuthError('invalid_client', 'The only scheme of the Authorization header that is known here is Basic.')
  }
  const pair = parseBasic(authorization)
  if (pair === null) throw new OAuthError('invalid_request', 'The Authorization header is malformed.')
  if (pair.id === '') throw new OAuthError('invalid_request', 'The Authorization header names no client.')
  if (parameters.client_secret !== undefined) {
    throw new OAuthError('invalid_request', 'The client authenticates twice: in the header and in the body.')
  }
  if (parameters.client_id !== undefined && parameters.client_id !== pair.id) {
    throw new OAuthError('invalid_request', 'client_id is not the one of the Authorization header.')
  }
  return { method: 'client_secret_basic', clientId: pair.id, secret: pair.secret }
}
