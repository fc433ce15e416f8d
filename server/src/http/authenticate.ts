import type { IncomingHttpHeaders } from 'node:http'
import type { Caller } from '#kernel/caller.ts'
import { ApiError } from '#kernel/errors.ts'
import { hexDigestOf } from '#system/crypto/secret.ts'
import type { SentCredential } from './rate-limit.ts'

/** The form of a token in RFC 6750 (b64token). A text that is longer than any of our credentials is rejected without a lookup. */
const BEARER = /^Bearer +([A-Za-z0-9._~+/-]{1,512}=*)$/i

/** The bearer token; null if there is none or it is malformed. */
export function sentBearer(authorization: string | undefined): string | null {
  return authorization === undefined ? null : (BEARER.exec(authorization)?.[1] ?? null)
}

/** Computes the digest once, for rate limits and for the lookup. */
export function sentCredential(bearer: string): SentCredential {
  return { digest: hexDigestOf(bearer), publishable: bearer.startsWith('pk_') }
}

const BASIC = /^Basic(?: |$)/i

/** An Authorization header with HTTP Basic. Its content is checked only on routes that serve server keys. */
export function sentBasic(authorization: string | undefined): string | null {
  return authorization !== undefined && BASIC.test(authorization) ? authorization : null
}

/**
 * Browsers send these headers and servers do not. A request with one of these headers may not use HTTP Basic, so that no page
 * can make a browser use a server key that a person once typed into that browser.
 */
export function isFromBrowser(headers: IncomingHttpHeaders): boolean {
  return headers.origin !== undefined || headers['sec-fetch-site'] !== undefined
}

/**
 * Every problem with HTTP Basic gets the same response, and never `WWW-Authenticate: Basic`, which would make a browser ask its
 * user for a password.
 */
export function refusedBasic(): ApiError {
  return new ApiError('invalid_token', {
    public: 'HTTP Basic is not accepted for this request.',
    remediation:
      'Send the client id and secret of a confidential key whose app is active, from a server, to an operation that takes a server key. For all other operations, send Authorization: Bearer followed by an access token.',
  })
}

export function requireCaller(caller: Caller | null, sent: boolean): Caller {
  if (caller !== null) return caller
  throw new ApiError('invalid_token', {
    public: sent ? 'The access token is invalid, expired or revoked.' : 'No access token was sent.',
    remediation: sent
      ? 'Obtain a new token, then send the request again.'
      : 'Send the header Authorization: Bearer followed by an access token, or a publishable key for public reads.',
  })
}
