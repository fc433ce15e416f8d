/**
 * What the endpoints that apps call directly may refuse with, and its status (RFC 6749, section 5.2). Whatever else can
 * go wrong is the edge's to say, in the same form.
 */
const STATUS_OF = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
  invalid_scope: 400,
} as const

export type OAuthErrorCode = keyof typeof STATUS_OF

/** `description` is for the app's developers, in plain ASCII without quotation marks (RFC 6749, section 5.2). */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode
  readonly status: 400 | 401
  readonly description: string

  constructor(code: OAuthErrorCode, description: string) {
    super(description)
    this.name = 'OAuthError'
    this.code = code
    this.status = STATUS_OF[code]
    this.description = description
  }
}
