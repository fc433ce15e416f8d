import type { ScopeName } from '#access/scopes/index.ts'

/** The result of a grant. Only this value holds the token texts; the database holds their digests. */
export type IssuedToken = {
  readonly accessToken: string
  /** Null for a token that never expires. */
  readonly expiresInSeconds: number | null
  /** As granted, in the catalogue's order: what they imply is computed on each request. */
  readonly scopes: readonly ScopeName[]
  /** Unix seconds, real time. */
  readonly createdAt: number
}

/** The tokens of a user grant: an access token and a refresh token. */
export type UserToken = IssuedToken & { readonly expiresInSeconds: number; readonly refreshToken: string }

/**
 * Why a code or a refresh token was rejected.
 *
 * unknown       not one of ours, or another client's
 * expired       its time is over
 * revoked       it was taken back, or issued before the app was disabled
 * reused        it was used before; whatever it gave is revoked now
 * redirect_uri  not where the code was sent; `no_…` where it was not said
 * verifier      not who asked for the code; `no_…` where nothing was sent to tell
 * client        the app may not do anything at the moment
 * installation  the user disconnected the app, or connected it anew
 * user          the user is deactivated
 * account_disabled  the user's account is disabled; nothing was used up
 * scopes        nothing is left that the app may carry
 * scope         more was requested than the user granted
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

/** Returned and never thrown, because a rejection may revoke tokens, which must be committed. */
export type GrantOutcome =
  | { readonly outcome: 'issued'; readonly token: UserToken }
  | { readonly outcome: 'refused'; readonly why: GrantRefusal }

export const refused = (why: GrantRefusal): GrantOutcome => ({ outcome: 'refused', why })

/** The operation and request for the audit. No IP address, because it would have to be erased some day. */
export type Sighting = { readonly operation: string; readonly requestId: string }

/**
 * "Client-credentials token: lifetime 24 hours"; "user token: lifetime 2 hours"; installation tokens too. Codes live a
 * minute, refresh tokens 60 days from each rotation. All of them in the time of their world.
 */
export const LIFETIME_SECONDS = {
  client: 86_400,
  user: 7_200,
  installation: 7_200,
  code: 60,
  refresh: 60 * 86_400,
} as const

/** How long a client that lost the response may repeat the last rotation. Real time, not world time. */
export const REPEAT_SECONDS = 30
