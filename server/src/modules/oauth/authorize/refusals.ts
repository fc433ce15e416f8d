/**
 * Refused before it is known that the redirect URI is the app's: sending the browser there could send it to anybody, so
 * a person reads this on a page of ours (RFC 6749, section 4.1.2.1). `detail` is for the app's developers.
 */
export class PageRefusal extends Error {
  readonly reason: PageReason
  readonly detail: string

  constructor(reason: PageReason, detail: string) {
    super(detail)
    this.name = 'PageRefusal'
    this.reason = reason
    this.detail = detail
  }
}

export type PageReason = 'unreadable_request' | 'too_long' | 'unknown_app' | 'app_unavailable' | 'wrong_redirect_uri'

/** RFC 6749, section 4.1.2.1, and RFC 9101, section 7.6, whose request objects we do not read. */
export type AuthorizeErrorCode =
  | 'invalid_request'
  | 'access_denied'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'request_not_supported'
  | 'request_uri_not_supported'

/** Refused once client and redirect URI are trusted: the app is told, in plain ASCII without quotation marks. */
export class AuthorizeError extends Error {
  readonly code: AuthorizeErrorCode
  readonly description: string

  constructor(code: AuthorizeErrorCode, description: string) {
    super(description)
    this.name = 'AuthorizeError'
    this.code = code
    this.description = description
  }
}
