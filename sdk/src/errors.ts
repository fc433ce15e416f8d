/**
 * The base class of the SDK's own errors, so that one `catch` can distinguish them from other errors. Some mistakes in a call,
 * such as a missing path parameter, throw a TypeError instead, and an abort throws the reason of its signal.
 */
export class PorticoError extends Error {
  override name = 'PorticoError'
}

/** The content of an error response. */
export type ApiErrorFields = {
  readonly status: number
  /** The error type, such as `insufficient_scope`. Let your code depend on it, not on the message. */
  readonly type: string
  readonly message: string
  /** Identifies the request in the logs of the service. Quote it when you ask for help. */
  readonly requestId: string | undefined
  /** A sentence that says what to do next. */
  readonly remediation: string | undefined
  readonly details: Readonly<Record<string, unknown>>
}

/**
 * The service rejected the request, or failed to serve it. Each subclass stands for one status, except ServerError, which stands
 * for all statuses from 500 on.
 */
export class ApiError extends PorticoError {
  override name = 'ApiError'
  readonly status: number
  readonly type: string
  readonly requestId: string | undefined
  readonly remediation: string | undefined
  readonly details: Readonly<Record<string, unknown>>

  constructor({ status, type, message, requestId, remediation, details }: ApiErrorFields) {
    super(remediation === undefined || message.includes(remediation) ? message : `${message} ${remediation}`)
    this.status = status
    this.type = type
    this.requestId = requestId
    this.remediation = remediation
    this.details = details
  }
}

/** 400: the request cannot be read. */
export class InvalidRequestError extends ApiError {
  override name = 'InvalidRequestError'
}

/** 401: the credential is not valid, or no longer valid. */
export class AuthenticationError extends ApiError {
  override name = 'AuthenticationError'
}

/** 403: the credential lacks the scope, or may not use this resource. */
export class PermissionError extends ApiError {
  override name = 'PermissionError'
}

/** 404: the resource does not exist, or this credential may not see it. */
export class NotFoundError extends ApiError {
  override name = 'NotFoundError'
}

/** 409: the state of the resource forbids this, or an Idempotency-Key was used with another body. */
export class ConflictError extends ApiError {
  override name = 'ConflictError'
}

/** 410: the service cannot continue from this cursor, no longer stores the event, or has removed the operation from the API. */
export class GoneError extends ApiError {
  override name = 'GoneError'
}

/** 422: the body can be read, but some fields are not acceptable. */
export class ValidationError extends ApiError {
  override name = 'ValidationError'
}

/**
 * 429, after the retries, or at once if the wait is longer than `maxWaitMs`: the rate limit is used up. `retryAfterSeconds` is
 * the wait that the service requests.
 */
export class RateLimitError extends ApiError {
  override name = 'RateLimitError'

  get retryAfterSeconds(): number | undefined {
    const seconds = this.details['retry_after']
    return typeof seconds === 'number' ? seconds : undefined
  }
}

/** 5xx: the service failed. After 502, 503 and 504 the client first repeats a request that may run twice. */
export class ServerError extends ApiError {
  override name = 'ServerError'
}

/** An error of the OAuth endpoints: `code` is `invalid_grant`, `access_denied` and so on. */
export class OAuthError extends PorticoError {
  override name = 'OAuthError'
  readonly code: string
  readonly status: number | undefined

  constructor(code: string, description: string, status?: number) {
    super(`${code}: ${description}`)
    this.code = code
    this.status = status
  }
}

/** There was no response: the connection could not be opened, or it broke. `cause` is the error of `fetch`. */
export class ConnectionError extends PorticoError {
  override name = 'ConnectionError'
}

/** There was no response within `timeoutMs`, or an event stream received nothing for `silenceMs`. */
export class TimeoutError extends ConnectionError {
  override name = 'TimeoutError'
}

const BY_STATUS: Readonly<Record<number, new (fields: ApiErrorFields) => ApiError>> = {
  400: InvalidRequestError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  410: GoneError,
  422: ValidationError,
  429: RateLimitError,
}

/**
 * Converts a response that is not a success to an error. A gateway may send its own text, which need not be JSON.
 */
export function errorOf(status: number, body: unknown, requestId: string | undefined): PorticoError {
  const error = isRecord(body) ? body['error'] : undefined
  if (typeof error === 'string') return new OAuthError(error, textOf(body, 'error_description') ?? '', status)
  const details = isRecord(error) ? error['details'] : undefined
  const fields: ApiErrorFields = {
    status,
    type: textOf(error, 'type') ?? (status >= 500 ? 'unavailable' : 'unknown'),
    message: textOf(error, 'message') ?? `The service answered with status ${status}.`,
    requestId: textOf(error, 'request_id') ?? requestId,
    remediation: textOf(error, 'remediation'),
    details: isRecord(details) ? details : {},
  }
  const Kind = BY_STATUS[status] ?? (status >= 500 ? ServerError : ApiError)
  return new Kind(fields)
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function textOf(value: unknown, key: string): string | undefined {
  const text = isRecord(value) ? value[key] : undefined
  return typeof text === 'string' ? text : undefined
}
