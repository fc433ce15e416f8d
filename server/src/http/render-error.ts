import { type Static, Type } from 'typebox'
import { ApiError, type ErrorType, type FieldError } from '#kernel/errors.ts'
import { DatabaseUnavailable } from '#system/postgres/errors.ts'

/** What the log may contain about a failure; the caller sees only the type. */
export type Failure = {
  /** One of our error types, or the error code of another protocol on that route. */
  readonly type: string
  readonly internal?: string
  readonly error?: ErrorDescription
}

type PresentedError = {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly contentType: string
  readonly body: string
}
/** One of the error formats. */
export type Presentation = (error: ApiError, requestId: string) => PresentedError

export type RenderedError = Required<PresentedError> & { readonly failure: Failure }

/** The only place where a thrown error becomes HTTP. */
export function renderError(thrown: unknown, requestId: string, present: Presentation = asEnvelope): RenderedError {
  const error = asApiError(thrown)
  const { type, status, internal } = error
  const failure = {
    type,
    ...(internal === undefined ? {} : { internal }),
    ...(status >= 500 ? { error: describeError(error.cause ?? thrown) } : {}),
  }
  const presented = present(error, requestId)
  return { ...presented, headers: { ...presented.headers, ...challenge(type), ...error.headers }, failure }
}

/** The format of the contract, for every client of the API. */
export function asEnvelope(error: ApiError, requestId: string): PresentedError {
  const { type, status, remediation, details } = error
  const body = JSON.stringify({
    error: {
      type,
      message: error.public,
      request_id: requestId,
      ...(details === undefined ? {} : { details }),
      ...(remediation === undefined ? {} : { remediation }),
    },
  })
  return { status, contentType: 'application/json; charset=utf-8', body }
}

function asApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown
  if (thrown instanceof DatabaseUnavailable) {
    return new ApiError('unavailable', {
      public: 'The service cannot answer right now.',
      remediation: 'Try again in a moment, with the same Idempotency-Key if the request creates something.',
      cause: thrown,
    })
  }
  return new ApiError('internal_error', {
    public: 'Something went wrong on our side.',
    remediation: 'Try again. If the error persists, tell us the request id.',
    cause: thrown,
  })
}

/** RFC 6750: every 401 names its scheme. For a missing scope, `authorize` adds the challenge. */
function challenge(type: ErrorType): Record<string, string> {
  return type === 'invalid_token' ? { 'WWW-Authenticate': 'Bearer error="invalid_token"' } : {}
}

/** What a log line may contain of an unexpected error. */
type ErrorDescription = {
  readonly name: string
  readonly message?: string
  readonly code?: string
  readonly constraint?: string
  readonly table?: string
  readonly frames?: readonly string[]
  readonly cause?: ErrorDescription
}

const CAUSES_MAX = 3
const FRAMES_MAX = 12
const MESSAGE_CHARS_MAX = 500

/**
 * Picks known fields instead of logging the whole error: PostgreSQL puts row values into `detail` and, for data exceptions
 * (SQLSTATE class 22), into the message itself, and a row may contain an email or a secret.
 */
export function describeError(thrown: unknown, depth = 0): ErrorDescription {
  if (!(thrown instanceof Error)) return { name: typeof thrown }
  const code = text(thrown, 'code')
  const constraint = text(thrown, 'constraint')
  const table = text(thrown, 'table')
  const frames = (thrown.stack ?? '').split('\n').filter((line) => line.startsWith('    at '))
  return {
    name: thrown.name,
    ...(code?.startsWith('22') ? {} : { message: thrown.message.slice(0, MESSAGE_CHARS_MAX) }),
    ...(code === undefined ? {} : { code }),
    ...(constraint === undefined ? {} : { constraint }),
    ...(table === undefined ? {} : { table }),
    frames: frames.slice(0, FRAMES_MAX).map((line) => line.trim()),
    ...(thrown.cause instanceof Error && depth < CAUSES_MAX ? { cause: describeError(thrown.cause, depth + 1) } : {}),
  }
}

function text(error: Error, property: string): string | undefined {
  const value: unknown = Reflect.get(error, property)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The body of RFC 6749, section 5.2. */
export const OAuthError = Type.Object(
  {
    error: Type.String({ description: 'The OAuth error code. Branch on this.' }),
    error_description: Type.Optional(Type.String({ description: 'The reason, for a developer to read.' })),
  },
  { title: 'OAuthError', description: 'The OAuth error format.' },
)

type OAuthForm = { readonly status: number; readonly error: string }

/**
 * Errors with their own status, most of them with their own OAuth code. Every other error is `invalid_request` with
 * 400.
 */
const OAUTH_FORMS: Partial<Readonly<Record<ErrorType, OAuthForm>>> = {
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

/** An error in the OAuth format. 429 has the same form on all routes. */
export function asOAuthError(thrown: ApiError, requestId: string): PresentedError {
  if (thrown.type === 'rate_limit_exceeded') return asEnvelope(thrown, requestId)
  const { status, error } = OAUTH_FORMS[thrown.type] ?? { status: 400, error: 'invalid_request' }
  const body: Static<typeof OAuthError> = { error, error_description: descriptionOf(thrown) }
  return { status, contentType: 'application/json; charset=utf-8', body: JSON.stringify(body) }
}

/** OAuth errors have no `details`, so the description lists the fields and their errors. */
function descriptionOf({ public: message, details }: ApiError): string {
  const fields = details?.['fields'] as readonly FieldError[] | undefined
  const named = fields?.map((each) => `${each.field} ${each.message}`).join('; ')
  return oauthText(named === undefined ? message : `${named}.`)
}

/** RFC 6749 allows visible ASCII without quotation mark and backslash; our texts and a client's names may contain others. */
export function oauthText(text: string): string {
  return text
    .replaceAll(/[’‘“”"]/g, "'")
    .replaceAll('…', '...')
    .replaceAll(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '?')
}
