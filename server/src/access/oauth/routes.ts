import type { Presented } from '#access/apps/index.ts'
import { printScopes } from '#access/scopes/index.ts'
import {
  type Introspected,
  type IssuedToken,
  introspectToken,
  revokePresented,
  type UserToken,
} from '#access/tokens/index.ts'
import { type OpenAccess, open } from '#http/access.ts'
import { OAuthError as Refusal } from '#http/oauth-error.ts'
import type { Counted } from '#http/rate-limit.ts'
import { type Route, route } from '#http/route.ts'
import type { World } from '#kernel/world.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { CLIENT_STEPS, type ClientLimit, type DirectRequest } from './client-authentication.ts'
import { OAuthError } from './oauth-protocol.ts'
import { Introspection, Metadata, metadata, PresentedTokenBody, Revoked, TokenBody, TokenResponse } from './schemas.ts'
import { required, TOKEN_STEPS, type TokenRequest } from './token-steps.ts'

export type OAuthDeps = {
  readonly databases: Readonly<Record<World, WorldDatabase>>
  /** Our public address without a trailing slash, which is the issuer. Known after the server has started to listen. */
  readonly origin: () => string
  readonly clientLimit: ClientLimit
}

/** Larger than every valid request. The largest has a code, a verifier and a redirect URI. */
const BODY_BYTES_MAX = 65_536

const METADATA_SECONDS = 300

const DIRECT = {
  method: 'POST',
  accepts: ['application/x-www-form-urlencoded', 'application/json'],
  bodyAs: 'text',
  bodyBytesMax: BODY_BYTES_MAX,
  errorsAs: 'oauth',
  tag: 'OAuth',
} as const

const clientProvesItself: OpenAccess = open(
  'the client authenticates as RFC 6749 says: Basic, in the body, or as a public key',
)

/**
 * The endpoints that apps call directly; the authorize page is in consent/. A public key may be used by a page on another origin, so token
 * and revoke allow CORS; introspection needs a secret, and a page cannot have one.
 */
export const oauthRoutes = (deps: OAuthDeps): Route[] => [
  route({
    ...DIRECT,
    operation: 'createToken',
    path: '/oauth/token',
    cors: 'any',
    summary: 'Create an access token',
    description: 'Exchanges an authorization code, a refresh token or client credentials for an access token.',
    access: clientProvesItself,
    schema: { body: TokenBody, response: { 200: TokenResponse, 400: Refusal, 401: Refusal } },
    handler: (request) =>
      respond({
        request: received(deps, request),
        work: async (direct) => tokenResponse((await TOKEN_STEPS.run(direct)).token),
      }),
  }),
  route({
    ...DIRECT,
    operation: 'revokeToken',
    path: '/oauth/revoke',
    cors: 'any',
    summary: 'Revoke a token',
    description: 'Revokes an access token, or a refresh token together with all tokens of the same authorization code.',
    access: clientProvesItself,
    schema: { body: PresentedTokenBody, response: { 200: Revoked, 400: Refusal, 401: Refusal } },
    handler: (request) =>
      respond({
        request: received(deps, request),
        work: async (direct) => {
          await REVOKE_STEPS.run(direct)
          return {}
        },
      }),
  }),
  route({
    ...DIRECT,
    operation: 'introspectToken',
    path: '/oauth/introspect',
    summary: 'Introspect a token',
    description: 'Returns whether a token of the calling app is active, and its scopes, user and expiry (RFC 7662).',
    access: clientProvesItself,
    schema: { body: PresentedTokenBody, response: { 200: Introspection, 400: Refusal, 401: Refusal } },
    handler: (request) =>
      respond({
        request: received(deps, request),
        work: async (direct) => (await INTROSPECT_STEPS.run(direct)).introspection,
      }),
  }),
  route({
    operation: 'getAuthorizationServerMetadata',
    method: 'GET',
    path: '/.well-known/oauth-authorization-server',
    alias: false,
    cors: 'any',
    errorsAs: 'oauth',
    summary: 'Get the OAuth server metadata',
    description: 'Returns the endpoints, grants and methods that a standard OAuth client needs (RFC 8414).',
    tag: 'OAuth',
    access: open('a client reads it before it has any credential; it lists endpoints and scopes, and no customer data'),
    schema: { response: { 200: Metadata } },
    handler: async () => ({ status: 200, body: metadata(deps.origin()), headers: FOR_EVERYBODY }),
  }),
]

const FOR_EVERYBODY = {
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Cache-Control': `public, max-age=${METADATA_SECONDS}`,
}

type Received = {
  readonly body: string
  readonly requestId: string
  readonly header: (name: string) => string | undefined
  readonly address: string
  readonly counted: Counted | null
}

function received({ databases, origin, clientLimit: limit }: OAuthDeps, request: Received): DirectRequest {
  const { body, requestId, header, address, counted } = request
  const [contentType, authorization] = [header('content-type'), header('authorization')]
  return { databases, origin, body, contentType, authorization, requestId, limit, address, counted }
}

/**
 * RFC 7009, section 2.2: the response is the same for the client's own, another client's and an unknown token.
 * `token_type_hint` is ignored, because the token's prefix says its type.
 */
async function revokeToken({ parameters, client, db }: TokenRequest): Promise<void> {
  const token = required(parameters, 'token')
  await db.transaction((tx) => revokePresented(tx, { token, keyId: client.keyId }))
}

/** Public keys may revoke too, for example after a person has lost their phone. */
const REVOKE_STEPS = CLIENT_STEPS.step(revokeToken)

/** RFC 6749, section 5.1. "The token response echoes the granted set in scope"; `created_at` is the time of issue. */
function tokenResponse(token: IssuedToken | UserToken): TokenResponse {
  const { accessToken, expiresInSeconds, scopes, createdAt } = token
  if (expiresInSeconds === null) throw new Error('every token that /oauth/token issues expires')
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: expiresInSeconds,
    scope: printScopes(scopes),
    ...('refreshToken' in token ? { refresh_token: token.refreshToken } : {}),
    created_at: createdAt,
  }
}

/** RFC 6749, section 5.1, on every response that may contain a token. The edge adds `Cache-Control: no-store`. */
const UNCACHED = { Pragma: 'no-cache' }

/**
 * "If the client attempted to authenticate via the Authorization request header field, the authorization server MUST … include the
 * WWW-Authenticate response header field matching the authentication scheme" (RFC 6749, section 5.2). Other clients get no challenge,
 * because client libraries would report the challenge instead of the error, which says what to correct.
 */
const CHALLENGE = { 'WWW-Authenticate': 'Basic realm="oauth", charset="UTF-8"' }

type Headers = Readonly<Record<string, string>>
type AnswersRefusal = {
  readonly status: 400 | 401
  readonly body: { readonly error: string; readonly error_description: string }
  readonly headers: Headers
  readonly refusal: string
}
type Success<Body> = { readonly status: 200; readonly body: Body; readonly headers: Headers }

type Exchange<Body> = {
  readonly request: DirectRequest
  readonly work: (request: DirectRequest) => Promise<Body>
}

/** Runs an endpoint's steps; an OAuthError becomes the body of RFC 6749, section 5.2. */
async function respond<Body>({ request, work }: Exchange<Body>): Promise<Success<Body> | AnswersRefusal> {
  try {
    return { status: 200, body: await work(request), headers: UNCACHED }
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    const { status, code, description } = error
    const challenge = status === 401 && request.authorization !== undefined ? CHALLENGE : {}
    const body = { error: code, error_description: description }
    return { status, body, headers: { ...UNCACHED, ...challenge }, refusal: code }
  }
}

/** RFC 7662, section 2.1: the endpoint "MUST require some form of authorization", which a public key cannot give. */
function requireConfidential({ client }: { readonly client: Presented }): void {
  if (client.clientType === 'confidential') return
  throw new OAuthError('invalid_client', 'A public key cannot introspect tokens: use a confidential one.')
}

/** "Own tokens only": another client's token gets the same response as an unknown one (RFC 7662, section 4). */
async function introspect({ parameters, client, db, origin }: TokenRequest) {
  const token = required(parameters, 'token')
  const found = await introspectToken(db, { token, keyId: client.keyId })
  return { introspection: found === null ? INACTIVE : describe(found, client, origin()) }
}

/** "SHOULD NOT include any additional information about an inactive token, including why" (section 2.2). */
const INACTIVE: Introspection = { active: false }

/** No `aud`, because there is only one resource server. */
function describe(token: Introspected, { keyId }: Presented, iss: string): Introspection {
  const { type, scopes, userId, installationId, createdAt, expiresAt } = token
  return {
    active: true,
    scope: printScopes(scopes),
    client_id: keyId,
    ...(type === 'access' ? { token_type: 'Bearer' as const } : {}),
    ...(expiresAt === null ? {} : { exp: expiresAt }),
    iat: createdAt,
    ...(userId === null ? {} : { sub: userId }),
    iss,
    ...(installationId === null ? {} : { installation_id: installationId }),
  }
}

const INTROSPECT_STEPS = CLIENT_STEPS.step(requireConfidential).step(introspect)
