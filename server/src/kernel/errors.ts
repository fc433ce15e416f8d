/** Every error type of the API and its HTTP status. Only the OAuth routes have other errors: those of their RFCs. */
export const ERROR_STATUS = {
  invalid_request: 400,
  invalid_token: 401,
  insufficient_scope: 403,
  forbidden: 403,
  sandbox_only: 403,
  app_suspended: 403,
  not_found: 404,
  no_disclosures: 404,
  method_not_allowed: 405,
  already_installed: 409,
  installation_revoked: 409,
  idempotency_conflict: 409,
  scope_change_blocked: 409,
  illegal_transition: 409,
  gone: 410,
  endpoint_removed: 410,
  payload_too_large: 413,
  unsupported_media_type: 415,
  misdirected_request: 421,
  validation_error: 422,
  invalid_scopes: 422,
  use_intents: 422,
  still_implied: 422,
  nothing_grantable: 422,
  scope_missing: 422,
  session_not_cancelable: 422,
  rate_limit_exceeded: 429,
  internal_error: 500,
  unavailable: 503,
} as const

export type ErrorType = keyof typeof ERROR_STATUS

export type FieldError = { readonly field: string; readonly code: string; readonly message: string }

type Details = { readonly [key: string]: unknown }

type ErrorParts = {
  /** The message for the caller: what is wrong. */
  readonly public: string
  /** What to do next, shown to the caller. */
  readonly remediation?: string
  readonly details?: Details
  /** For the log only: details that the caller must not see. */
  readonly internal?: string
  /** Response headers that belong to this error (WWW-Authenticate, X-RateLimit-…). */
  readonly headers?: Readonly<Record<string, string>>
  readonly cause?: unknown
}

export class ApiError extends Error {
  readonly type: ErrorType
  readonly status: number
  readonly public: string
  readonly remediation: string | undefined
  readonly details: Details | undefined
  readonly internal: string | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(type: ErrorType, parts: ErrorParts) {
    super(parts.internal ?? parts.public, { cause: parts.cause })
    this.name = 'ApiError'
    this.type = type
    this.status = ERROR_STATUS[type]
    this.public = parts.public
    this.remediation = parts.remediation
    this.details = parts.details
    this.internal = parts.internal
    this.headers = parts.headers ?? {}
  }
}

/**
 * One response for a record that does not exist and for a record that the caller may not see: the caller cannot distinguish
 * them.
 */
export function notFound(internal?: string): ApiError {
  return new ApiError('not_found', {
    public: 'There is nothing here for this credential.',
    remediation: 'Check the id and that the credential belongs to the same world (test or live).',
    ...(internal === undefined ? {} : { internal }),
  })
}

/**
 * A field names a record that does not exist, or that the caller may not see. A partner gets an ordinary 404; the fact feed,
 * whose caller is the host platform itself, also gets the field and the id.
 */
export class UnknownReference extends ApiError {
  readonly field: string
  readonly id: string

  constructor(field: string, id: string) {
    const { public: text, remediation } = notFound()
    super('not_found', {
      public: text,
      ...(remediation === undefined ? {} : { remediation }),
      internal: `${field} ${id} is unknown`,
    })
    this.name = 'UnknownReference'
    this.field = field
    this.id = id
  }
}

export function validationError(fields: readonly FieldError[]): ApiError {
  const names = [...new Set(fields.map(({ field }) => field))].join(', ')
  return new ApiError('validation_error', {
    public: `Some fields are not acceptable: ${names}.`,
    remediation: 'Correct the fields listed in details.fields and send the request again.',
    details: { fields },
  })
}
