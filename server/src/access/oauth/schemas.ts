import { type Static, Type } from 'typebox'
import { SCOPE_CATALOGUE, SCOPE_NAMES, type ScopeName } from '#access/scopes/index.ts'

/** The parameters and responses of RFC 6749, 7009 and 7662. */

const text = (description: string) => Type.Optional(Type.String({ description }))

/** Sent in the body by clients that do not use HTTP Basic. */
const CLIENT = {
  client_id: text('The key’s id. Leave it out with HTTP Basic.'),
  client_secret: text('The secret of a confidential key. Leave it out with HTTP Basic, and with a public key.'),
}

const EXAMPLE_CLIENT = { client_id: 'pk_test_your_key', client_secret: 'sk_test_your_secret' }

/** Only for the API reference: the server reads the body as text, by the RFC's rules. */
export const TokenBody = Type.Unsafe<string>(
  Type.Object(
    {
      grant_type: Type.Enum(['authorization_code', 'refresh_token', 'client_credentials']),
      ...CLIENT,
      code: text('authorization_code: the code.'),
      redirect_uri: text('authorization_code: the `redirect_uri` of the authorize URL.'),
      code_verifier: text('authorization_code: the verifier whose SHA-256 is code_challenge.'),
      refresh_token: text('refresh_token: the newest refresh token.'),
      scope: text(
        'Space-separated. client_credentials: the scopes you want; refresh_token: a subset of the granted scopes.',
      ),
    },
    { title: 'TokenRequest', examples: [{ grant_type: 'client_credentials', ...EXAMPLE_CLIENT }] },
  ),
)

export const PresentedTokenBody = Type.Unsafe<string>(
  Type.Object(
    {
      token: Type.String({ description: 'An access token or a refresh token.' }),
      token_type_hint: text('access_token or refresh_token. Ignored, because the token’s prefix shows its type.'),
      ...CLIENT,
    },
    { title: 'PresentedToken', examples: [{ token: 'at_test_some_token', ...EXAMPLE_CLIENT }] },
  ),
)

export const TokenResponse = Type.Object(
  {
    access_token: Type.String(),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer({ description: 'Seconds.' }),
    scope: Type.String({ description: 'The granted scopes, space-separated.' }),
    refresh_token: Type.Optional(
      Type.String({ description: 'Only in the user flow. Replaces the previous refresh token.' }),
    ),
    created_at: Type.Integer({ description: 'Unix time, in seconds.' }),
  },
  { title: 'TokenResponse', additionalProperties: false },
)
export type TokenResponse = Static<typeof TokenResponse>

export const Introspection = Type.Object(
  {
    active: Type.Boolean(),
    scope: Type.Optional(Type.String()),
    client_id: Type.Optional(Type.String()),
    token_type: Type.Optional(Type.Literal('Bearer')),
    exp: Type.Optional(Type.Integer({ description: 'Unix time, in seconds. Absent if the token never expires.' })),
    iat: Type.Optional(Type.Integer()),
    sub: Type.Optional(Type.String({ description: 'The user the token acts for. Absent if it acts for no user.' })),
    iss: Type.Optional(Type.String()),
    installation_id: Type.Optional(Type.String()),
  },
  { title: 'Introspection', additionalProperties: false },
)
export type Introspection = Static<typeof Introspection>

export const Revoked = Type.Object({}, { title: 'RevocationAnswer', additionalProperties: false })

const WITH_SECRET = ['client_secret_basic', 'client_secret_post']
const ANY_CLIENT = [...WITH_SECRET, 'none']

const Names = Type.Array(Type.String())

/** RFC 8414, section 2, with RFC 7636, 7009, 7662 and 9207. */
export const Metadata = Type.Object(
  {
    issuer: Type.String(),
    authorization_endpoint: Type.String(),
    token_endpoint: Type.String(),
    revocation_endpoint: Type.String(),
    introspection_endpoint: Type.String(),
    scopes_supported: Names,
    response_types_supported: Names,
    response_modes_supported: Names,
    grant_types_supported: Names,
    token_endpoint_auth_methods_supported: Names,
    revocation_endpoint_auth_methods_supported: Names,
    introspection_endpoint_auth_methods_supported: Names,
    code_challenge_methods_supported: Names,
    authorization_response_iss_parameter_supported: Type.Boolean(),
    request_parameter_supported: Type.Boolean(),
    request_uri_parameter_supported: Type.Boolean(),
    service_documentation: Type.String(),
    ui_locales_supported: Names,
  },
  { title: 'AuthorizationServerMetadata', additionalProperties: false },
)
export type Metadata = Static<typeof Metadata>

/** The metadata that a standard client needs. `issuer` is our public address without a trailing slash. */
export function metadata(issuer: string): Metadata {
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    introspection_endpoint: `${issuer}/oauth/introspect`,
    scopes_supported: [...OFFERED],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
    token_endpoint_auth_methods_supported: [...ANY_CLIENT],
    revocation_endpoint_auth_methods_supported: [...ANY_CLIENT],
    introspection_endpoint_auth_methods_supported: [...WITH_SECRET],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    service_documentation: `${issuer}/docs`,
    ui_locales_supported: ['en'],
  }
}

/**
 * The scopes that a new app can obtain and use. Excludes retired and internal scopes, those of the platform's assistant, and those that no
 * operation accepts.
 */
const OFFERED: readonly ScopeName[] = SCOPE_NAMES.filter((name) => {
  const { obtained, idle } = SCOPE_CATALOGUE[name]
  return !idle && obtained !== 'kept' && obtained !== 'assistant' && obtained !== 'never'
})
