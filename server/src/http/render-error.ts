import { ApiError, type ErrorType } from '#kernel/errors.ts'
import { DatabaseUnavailable } from '#system/postgres/errors.ts'

/** What the log may contain about a failure. Of these fields, the response contains only `type`. */
export type Failure = {
  /** One of our error types, or an error code of the protocol that the route implements, such as OAuth. */
  readonly type: string
  readonly internal?: string
  readonly error?: ErrorDescription
}

export type PresentedError = {
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

/** The error format of the specification, for every client of the API. */
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

/** RFC 6750: every 401 names the authentication scheme. An error about a missing scope brings its own header. */
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
