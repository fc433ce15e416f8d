import { type Static, Type } from 'typebox'
import { SCOPE_CATALOGUE, SCOPE_NAMES, type ScopeName } from '#modules/scopes/index.ts'

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

/** All that a standard client needs to know of us. `issuer` is our public address, without a slash at its end. */
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

/** What an app that comes today can obtain and use: not what only its holders keep, nor what no operation accepts. */
const OFFERED: readonly ScopeName[] = SCOPE_NAMES.filter((name) => {
  const { obtained, idle } = SCOPE_CATALOGUE[name]
  return !idle && obtained !== 'kept' && obtained !== 'assistant' && obtained !== 'never'
})
