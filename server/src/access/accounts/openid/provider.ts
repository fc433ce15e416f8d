import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import { systemClock, type WallClock } from '#kernel/clock.ts'
import { holdsDomain, LINE_PATTERN } from '#kernel/text.ts'
import { EMAIL_CHARS_MAX, MARKS } from '../email-address.ts'
import { isLoopbackHttp, type OpenIdSettings } from '../settings.ts'
import { boundedFetch, ProviderRefusal, RESPONSE_LIMITS, refusalOf } from './provider-fetch.ts'
import type { Ticket } from './ticket.ts'

/** An ID token is issued during the sign-in; the margin allows for clocks that differ. */
const ISSUED_WITHIN_SECONDS = 300
/** A new sign-in at the provider must be at most this old; the time includes consent and other pages there. */
const SIGNED_IN_WITHIN_SECONDS = 300
const SCOPES = 'openid email profile'
/** OpenID Connect Core, 2: at most 255 ASCII characters. */
const SUBJECT = /^[\x20-\x7e]{1,255}$/

export type Departure = { readonly location: string; readonly ticket: Ticket }

export type OpenIdProvider = {
  /** The redirect to the provider, and the ticket to store until the return. Throws `ProviderRefusal`. */
  startSignIn(redirectUri: string, returnTo: string, again?: boolean): Promise<Departure>
  /** Returns the identity. Checks state and nonce against the ticket, and the ID token's issuer, signature, audience and times. */
  finishSignIn(callback: URL, ticket: Ticket): Promise<Identity>
}

export function openIdProvider(settings: OpenIdSettings, clock: WallClock = systemClock): OpenIdProvider {
  const configuration = discovered(settings)
  return {
    startSignIn: (redirectUri, returnTo, again = false) =>
      translated(async () => {
        const ticket = {
          state: randomState(),
          nonce: randomNonce(),
          verifier: randomPKCECodeVerifier(),
          returnTo,
          again,
        }
        const location = buildAuthorizationUrl(await configuration(), {
          redirect_uri: redirectUri,
          scope: SCOPES,
          state: ticket.state,
          nonce: ticket.nonce,
          code_challenge: await calculatePKCECodeChallenge(ticket.verifier),
          code_challenge_method: 'S256',
          ...(again ? { prompt: 'login', max_age: '0' } : {}),
        })
        return { location: location.href, ticket }
      }),
    finishSignIn: (callback, { state, nonce, verifier, again = false }) =>
      translated(async () => {
        const providerConfiguration = await configuration()
        const tokens = await authorizationCodeGrant(providerConfiguration, callback, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
          ...(again ? { maxAge: SIGNED_IN_WITHIN_SECONDS } : {}),
        })
        const claims = tokens.claims()
        if (claims === undefined) throw new ProviderRefusal('broken', 'the response has no ID token')
        if (!SUBJECT.test(claims.sub))
          throw new ProviderRefusal('broken', 'the subject is not a text of 1 to 255 ASCII characters')
        requireFresh(claims.iat, clock)
        return identityOf(claims.iss, claims.sub, await about(providerConfiguration, tokens.access_token, claims))
      }),
  }
}

/**
 * The first use discovers the provider's configuration, so the service starts even if the provider cannot be reached. A failure is
 * not cached: the next request tries again.
 */
function discovered({
  issuer,
  clientId,
  clientSecret,
  responseLimits = RESPONSE_LIMITS,
}: OpenIdSettings): () => Promise<Configuration> {
  const url = new URL(issuer)
  // The ID token's signature is verified even over TLS: it proves that the provider, and not a proxy in front of it, sent the token.
  const execute = [enableNonRepudiationChecks, ...(isLoopbackHttp(url) ? [allowInsecureRequests] : [])]
  let found: Promise<Configuration> | null = null
  return () => {
    found ??= discovery(url, clientId, clientSecret ?? undefined, clientSecret === null ? None() : undefined, {
      execute,
      [customFetch]: boundedFetch(responseLimits),
      timeout: Math.ceil(responseLimits.milliseconds / 1_000),
    }).catch((error: unknown) => {
      found = null
      throw error
    })
    return found
  }
}

function requireFresh(issuedAt: number, clock: WallClock): void {
  const seconds = Math.round(Math.abs(clock.now() / 1_000 - issuedAt))
  if (seconds <= ISSUED_WITHIN_SECONDS) return
  throw new ProviderRefusal('broken', `the ID token’s iat is ${seconds} seconds from now; compare the clocks`)
}

/**
 * Many providers return the email address at the userinfo endpoint and not in the ID token. `email` and `email_verified` are taken
 * from the same response, so that `email_verified` is never about another address. `fetchUserInfo` compares the subjects.
 */
async function about(
  providerConfiguration: Configuration,
  accessToken: string,
  claims: Claims & { sub: string },
): Promise<Claims> {
  const complete = 'email' in claims && 'email_verified' in claims
  if (complete || providerConfiguration.serverMetadata().userinfo_endpoint === undefined) return claims
  return { name: claims['name'], ...(await fetchUserInfo(providerConfiguration, accessToken, claims.sub)) }
}

async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw refusalOf(error)
  }
}

/** The part of a provider’s claims that we use. */
export type Identity = {
  readonly issuer: string
  readonly subject: string
  /** Null if the provider returns no address, or one that is invalid or unverified. */
  readonly verifiedEmail: string | null
  readonly name: string | null
}

type Claims = { readonly [claim: string]: unknown }

const EMAIL = new RegExp(`^[^@\\s${MARKS}]+@[^@\\s${MARKS}]+$`, 'u')
const NAME_CHARS_MAX = 200
const LINE = new RegExp(LINE_PATTERN, 'u')

/**
 * OpenID Connect Core, 5.7: only issuer and subject identify a person. An address may get another owner later, so we use it only if the
 * provider has verified it. (Some providers send the text "true" instead of the boolean.)
 */
export function identityOf(issuer: string, subject: string, claims: Claims): Identity {
  const { email, email_verified, name } = claims
  const verified = email_verified === true || email_verified === 'true'
  return { issuer, subject, verifiedEmail: verified ? emailOf(email) : null, name: nameOf(name) }
}

function emailOf(email: unknown): string | null {
  if (typeof email !== 'string' || [...email].length > EMAIL_CHARS_MAX) return null
  return EMAIL.test(email) && LINE.test(email) ? email : null
}

function nameOf(name: unknown): string | null {
  if (typeof name !== 'string') return null
  const line = name.trim()
  return LINE.test(line) && !holdsDomain(line) && [...line].length <= NAME_CHARS_MAX ? line : null
}
