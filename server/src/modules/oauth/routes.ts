import { type OpenAccess, open } from '#http/access.ts'
import type { Counted } from '#http/counted.ts'
import { OAuthError as Refusal } from '#http/oauth-error.ts'
import { type Route, route } from '#http/route.ts'
import type { World } from '#kernel/world.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { answer } from './answers.ts'
import type { ClientLimit } from './client/client-limit.ts'
import type { DirectRequest } from './client/client-steps.ts'
import { INTROSPECT_STEPS } from './introspect-steps.ts'
import { Metadata, metadata } from './metadata.ts'
import { REVOKE_STEPS } from './revoke-steps.ts'
import { Introspection, PresentedTokenBody, Revoked, TokenBody, TokenResponse } from './schemas.ts'
import { tokenResponse } from './token/token-response.ts'
import { TOKEN_STEPS } from './token/token-steps.ts'

export type OAuthDeps = {
  readonly databases: Readonly<Record<World, WorldDatabase>>
  /** Our public address without a slash at its end: the issuer. Known once the server listens. */
  readonly origin: () => string
  readonly clientLimit: ClientLimit
}

/** Larger than any honest request: a code, a verifier and a redirect URI. */
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
 * What apps call directly. The authorize endpoint is a page, and stands with the pages. A public key may live in a page
 * on another origin, which gets, reads and revokes its own tokens; to introspect takes a secret, which no page has.
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
      answer({
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
    description: 'Revokes an access token. Revoking a refresh token also revokes every token that was issued from it.',
    access: clientProvesItself,
    schema: { body: PresentedTokenBody, response: { 200: Revoked, 400: Refusal, 401: Refusal } },
    handler: (request) =>
      answer({
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
      answer({
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
    access: open('a client reads it before it has any credential; it names endpoints and scopes, and no customer'),
    schema: { response: { 200: Metadata } },
    handler: async () => ({ status: 200, body: metadata(deps.origin()), headers: FOR_EVERYBODY }),
  }),
]

/** The same for all. */
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
