import { matchesRedirectUri } from '#access/apps/index.ts'
import type { RawQuery } from '#http/input/read-query.ts'
import { withAnswer } from '#pages/return-place.ts'

/** `iss` on every response, so that an app with several authorization servers can tell them apart (RFC 9207). */
export type ResponseParameters = { readonly iss: string; readonly state: string | null } & (
  | { readonly code: string }
  | { readonly error: AuthorizeErrorCode; readonly error_description: string }
)

/**
 * The address for the redirect. The redirect URI's own query "MUST be retained" (RFC 6749, section 3.1.2).
 */
export function authorizationResponse(redirectUri: string, { state, ...parameters }: ResponseParameters): string {
  const answer = new URLSearchParams(parameters)
  if (state !== null) answer.set('state', state)
  return withAnswer(redirectUri, answer)
}

/**
 * Rejected before the redirect URI is trusted, so the error is shown on our own page instead of redirecting (RFC 6749,
 * section 4.1.2.1). `detail` is for the app's developers.
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

/** Rejected after client and redirect URI are trusted: redirected to the app. ASCII without quotation marks. */
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

export const AUTHORIZE_PATH = '/oauth/authorize'

/**
 * The address of this request: the target of the consent form, and where a person returns after signing in. The server
 * stores nothing about the request, so everything is checked again each time.
 */
export function authorizeAddress({ values }: RawQuery): string {
  const query = new URLSearchParams()
  for (const [name, all] of values) for (const value of all) query.append(name, value)
  return `${AUTHORIZE_PATH}?${query}`
}

/** "Exact redirect URIs, any port on loopback." */
export function isRegistered(uri: string, registered: readonly string[]): boolean {
  return registered.some((known) => matchesRedirectUri(known, uri))
}

/**
 * RFC 6749, section 3.1.2.3: a client with one registered redirect URI may leave it out. The registered URI is used as it
 * is, so exact matching (RFC 9700, section 2.1) is not weakened. Not for loopback (plain http), where the port varies.
 */
export function impliedUri(registered: readonly string[]): string | null {
  const [only, ...others] = registered
  return only === undefined || others.length > 0 || only.startsWith('http://') ? null : only
}
