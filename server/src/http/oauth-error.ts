import { type Static, Type } from 'typebox'
import type { ApiError, ErrorType, FieldError } from '#kernel/errors.ts'
import { asEnvelope, type PresentedError } from './render-error.ts'

/** The body of RFC 6749, section 5.2. */
export const OAuthError = Type.Object(
  {
    error: Type.String({ description: 'The OAuth error code. Branch on this.' }),
    error_description: Type.Optional(Type.String({ description: 'The reason, for a developer to read.' })),
  },
  { title: 'OAuthError', description: 'The OAuth error format.' },
)

type OAuthStatus = { readonly status: number; readonly error: string }

/** The error types whose status is not 400; some have their own OAuth code. Every other error is `invalid_request` with 400. */
const OAUTH_ERRORS: Partial<Readonly<Record<ErrorType, OAuthStatus>>> = {
  invalid_token: { status: 401, error: 'invalid_token' },
  insufficient_scope: { status: 403, error: 'insufficient_scope' },
  forbidden: { status: 403, error: 'access_denied' },
  not_found: { status: 404, error: 'invalid_request' },
  method_not_allowed: { status: 405, error: 'invalid_request' },
  payload_too_large: { status: 413, error: 'invalid_request' },
  unsupported_media_type: { status: 415, error: 'invalid_request' },
  misdirected_request: { status: 421, error: 'invalid_request' },
  internal_error: { status: 500, error: 'server_error' },
  unavailable: { status: 503, error: 'temporarily_unavailable' },
}

/** An error in the OAuth format, except 429, which has the usual envelope. */
export function asOAuthError(thrown: ApiError, requestId: string): PresentedError {
  if (thrown.type === 'rate_limit_exceeded') return asEnvelope(thrown, requestId)
  const { status, error } = OAUTH_ERRORS[thrown.type] ?? { status: 400, error: 'invalid_request' }
  const body: Static<typeof OAuthError> = { error, error_description: descriptionOf(thrown) }
  return { status, contentType: 'application/json; charset=utf-8', body: JSON.stringify(body) }
}

/** OAuth errors have no `details`, so the description lists the fields and their errors. */
function descriptionOf({ public: message, details }: ApiError): string {
  const fields = details?.['fields'] as readonly FieldError[] | undefined
  const named = fields?.map((each) => `${each.field} ${each.message}`).join('; ')
  return oauthText(named === undefined ? message : `${named}.`)
}

/**
 * RFC 6749 allows only visible ASCII and spaces, without quotation mark and backslash. Our texts and the names from clients may
 * contain other characters, which are replaced.
 */
export function oauthText(text: string): string {
  return text
    .replaceAll(/[’‘“”"]/g, "'")
    .replaceAll('…', '...')
    .replaceAll(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '?')
}
