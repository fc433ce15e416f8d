import type { ScopeName } from '#access/scopes/index.ts'

/** The result of a grant. Only this value contains the token texts; the database has their digests. */
export type IssuedToken = {
  readonly accessToken: string
  /** Null for a token that never expires. */
  readonly expiresInSeconds: number | null
  /** The granted scopes, in the catalogue's order. Implied scopes are computed on each request. */
  readonly scopes: readonly ScopeName[]
  /** Unix seconds, wall time. */
  readonly createdAt: number
}

/** The tokens of a user grant: an access token and a refresh token. */
export type UserToken = IssuedToken & { readonly expiresInSeconds: number; readonly refreshToken: string }

/**
 * Why a code or a refresh token was rejected.
 *
 * unknown           not issued by this server, or issued to another client
 * expired           its lifetime has ended
 * revoked           it was revoked, or issued before the app was disabled
 * reused            it was used before; every token issued from it is now revoked
 * redirect_uri      not the redirect URI of the code; `no_…` if the request has none
 * verifier          wrong PKCE verifier; `no_…` if the request has none
 * client            the app is suspended, disabled or ended, or the key is revoked
 * installation      the user disconnected the app, or connected it again
 * user              the user is deactivated
 * account_disabled  the user's account is disabled; the code or token stays valid
 * scopes            no scope is left that the app may have
 * scope             the request names scopes that the user did not grant
 */
export type GrantRefusal =
  | 'unknown'
  | 'expired'
  | 'revoked'
  | 'reused'
  | 'redirect_uri'
  | 'no_redirect_uri'
  | 'verifier'
  | 'no_verifier'
  | 'client'
  | 'installation'
  | 'user'
  | 'account_disabled'
  | 'scopes'
  | 'scope'

/** A rejection is returned and never thrown, because it may revoke tokens, and the revocation must be committed. */
export type GrantOutcome =
  | { readonly outcome: 'issued'; readonly token: UserToken }
  | { readonly outcome: 'refused'; readonly why: GrantRefusal }

export const rejectedGrant = (why: GrantRefusal): GrantOutcome => ({ outcome: 'refused', why })

/** The operation and request for the audit. Contains no IP address, because that would have to be erased later. */
export type Sighting = { readonly operation: string; readonly requestId: string }

/**
 * "Client-credentials token: lifetime 24 hours"; "user token: lifetime 2 hours". An installation token that expires lives 2 hours,
 * too. Codes live one minute, refresh tokens 60 days from each rotation. All lifetimes are in world time.
 */
export const LIFETIME_SECONDS = {
  client: 86_400,
  user: 7_200,
  installation: 7_200,
  code: 60,
  refresh: 60 * 86_400,
} as const

/** For this long a client that lost the response may repeat the last rotation. Wall time, not world time. */
export const REPEAT_SECONDS = 30
