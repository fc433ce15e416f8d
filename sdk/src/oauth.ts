import type { TokenResponse } from './api-types.ts'
import { OAuthError } from './errors.ts'
import { Transport, type TransportOptions } from './transport.ts'

/** A key of an app: its client id, and its secret unless the key is public. */
export type OAuthClient = { readonly clientId: string; readonly clientSecret?: string | undefined }

export type Tokens = {
  readonly accessToken: string
  readonly refreshToken?: string | undefined
  /** Unix milliseconds by this machine’s clock. Undefined if the token never expires. */
  readonly expiresAt: number | undefined
  /** The granted scopes, separated by spaces. */
  readonly scope: string
}

export type AuthorizationRequest = {
  readonly url: string
  /** Store `state` and `codeVerifier` with the user’s session: `exchangeCode()` needs them. */
  readonly state: string
  readonly codeVerifier: string
}

/** Creates the address to which you send the user, with PKCE and a random `state`. */
export async function authorizeUrl(options: {
  readonly baseUrl: string
  readonly clientId: string
  readonly redirectUri: string
  /** The requested scopes, separated by spaces. Default: `read:profile`. */
  readonly scope?: string
  readonly state?: string
}): Promise<AuthorizationRequest> {
  const codeVerifier = randomText()
  const state = options.state ?? randomText()
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: options.clientId,
    redirect_uri: options.redirectUri,
    ...(options.scope !== undefined && { scope: options.scope }),
    state,
    code_challenge: await challengeOf(codeVerifier),
    code_challenge_method: 'S256',
  })
  return { url: `${withoutSlash(options.baseUrl)}/oauth/authorize?${query}`, state, codeVerifier }
}

export type CodeExchange = TransportOptions &
  OAuthClient & {
    readonly redirectUri: string
    /** The address to which the service sent the user back, with its query. */
    readonly callbackUrl: string | URL
    readonly state: string
    readonly codeVerifier: string
    /** The `iss` that the service sends. Default: its `baseUrl`. */
    readonly issuer?: string
  }

/** Checks `state` and `iss` of the callback, and exchanges its code for tokens. A code works once. */
export async function exchangeCode(exchange: CodeExchange): Promise<Tokens> {
  const { searchParams } = new URL(exchange.callbackUrl, exchange.redirectUri)
  const error = searchParams.get('error')
  if (searchParams.get('state') !== exchange.state) {
    throw new OAuthError(
      'invalid_state',
      'The callback does not belong to this session. Start again with authorizeUrl().',
    )
  }
  if (error !== null) throw new OAuthError(error, searchParams.get('error_description') ?? '')
  const issuer = withoutSlash(exchange.issuer ?? exchange.baseUrl)
  if (searchParams.get('iss') !== issuer) {
    throw new OAuthError('invalid_issuer', `The callback names the issuer ${searchParams.get('iss')}, not ${issuer}.`)
  }
  return requestToken(new Transport(exchange), exchange, {
    grant_type: 'authorization_code',
    code: searchParams.get('code') ?? '',
    redirect_uri: exchange.redirectUri,
    code_verifier: exchange.codeVerifier,
  })
}

/** Revokes a token. With a refresh token, the access tokens of its connection are revoked too. */
export async function revokeToken(options: TransportOptions & OAuthClient & { readonly token: string }): Promise<void> {
  await sendForm(new Transport(options), '/oauth/revoke', options, { token: options.token })
}

/**
 * Requests a token. If the same client repeats the same refresh within 30 seconds, it gets the same response. So a lost
 * response is harmless.
 */
export async function requestToken(
  transport: Transport,
  client: OAuthClient,
  grant: Readonly<Record<string, string>>,
): Promise<Tokens> {
  const startedMs = Date.now()
  const { body } = await sendForm(transport, '/oauth/token', client, grant)
  const { access_token, refresh_token, expires_in, scope } = body as TokenResponse
  return { accessToken: access_token, refreshToken: refresh_token, expiresAt: startedMs + expires_in * 1_000, scope }
}

/**
 * The secret is in the body and not in a header, because the OAuth endpoints do not accept `Authorization` from pages
 * of other origins.
 */
function sendForm(transport: Transport, path: string, client: OAuthClient, fields: Readonly<Record<string, string>>) {
  const { clientId, clientSecret } = client
  const form = new URLSearchParams({
    ...fields,
    client_id: clientId,
    ...(clientSecret !== undefined && { client_secret: clientSecret }),
  })
  return transport.send({
    method: 'POST',
    path,
    body: form.toString(),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    // A code works once, and its second use revokes the tokens that the first use obtained. So the request is not repeated
    // after a lost response.
    isRepeatable: fields['grant_type'] !== 'authorization_code',
  })
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '')
}

function randomText(): string {
  return base64Url(crypto.getRandomValues(new Uint8Array(32)))
}

async function challengeOf(verifier: string): Promise<string> {
  return base64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))))
}

function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
