import type { CallerKind } from '#kernel/caller.ts'
import { WORLDS } from '#kernel/world.ts'
import type { TokenAccess } from './access.ts'
import { MODE_HEADER } from './browser/admit-staff.ts'
import { cookieName } from './browser/cookies.ts'
import type { Header, JsonSchema, OrRef, Parameter, Ref, SecurityRequirement, SecurityScheme } from './openapi-types.ts'
import { REASON_HEADER } from './operator-reason.ts'
import type { Route } from './route.ts'
import { brandHeaders } from './security-headers.ts'
import { NEWEST, VERSIONS } from './versions.ts'

export function commonParameters(brand: string): Record<string, Parameter> {
  return {
    ApiVersion: {
      name: brandHeaders(brand).version,
      in: 'header',
      required: false,
      description:
        "The dated API version to use. If the header is left out, the app's pinned version is used, or the newest version if the app has none.",
      schema: { type: 'string', enum: VERSIONS },
      example: NEWEST,
    },
    IdempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description:
        'Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.',
      schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
      example: '2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40',
    },
    OperatorReason: {
      name: REASON_HEADER,
      in: 'header',
      required: false,
      description:
        'Why you do this, as UTF-8 with percent-encoding: one line of 3 to 500 characters, stored in the audit. Required, unless the operator key has a reason of its own.',
      schema: { type: 'string', maxLength: 4_500 },
      example: 'Ticket%204711:%20the%20person%20lost%20their%20phone',
    },
    OperatorMode: {
      name: MODE_HEADER,
      in: 'header',
      required: false,
      description:
        'The mode in which a signed-in person of the staff works: live, if left out. A key belongs to one mode.',
      schema: { type: 'string', enum: [...WORLDS] },
      example: 'test',
    },
    IfNoneMatch: {
      name: 'If-None-Match',
      in: 'header',
      required: false,
      description:
        'The ETag of the response you have, or several separated by commas. The response is 304 if it has not changed.',
      schema: { type: 'string' },
      example: '"Zm9sbG93LXRoZS1ldGFn"',
    },
  }
}

const text: JsonSchema = { type: 'string' }

export const COMMON_HEADERS: Readonly<Record<string, Header>> = {
  ApiVersion: { description: 'The version of this response.', schema: text },
  ApiVersionLatest: { description: 'The newest version.', schema: text },
  RequestId: { description: 'The id of this request in our logs. Quote it when you ask for help.', schema: text },
  IdempotentReplayed: {
    description: 'Present if this is the stored response to an earlier request with the same Idempotency-Key.',
    schema: { type: 'string', const: 'true' },
  },
  ETag: { description: 'The version tag of this response: send it as If-None-Match.', schema: text },
  WwwAuthenticate: { description: 'What is wrong with the credential (RFC 6750).', schema: text },
  RateLimitLimit: { description: 'Requests allowed in the window.', schema: { type: 'integer' } },
  RateLimitRemaining: { description: 'Requests left in the window.', schema: { type: 'integer' } },
  RateLimitReset: { description: 'When the window ends, in Unix seconds.', schema: { type: 'integer' } },
}

export type ResponseHeaders = Record<string, OrRef<Header>>

export function everyResponseHeaders(brand: string): ResponseHeaders {
  const { version, versionLatest } = brandHeaders(brand)
  return {
    [version]: header('ApiVersion'),
    [versionLatest]: header('ApiVersionLatest'),
    'X-Request-Id': header('RequestId'),
    'X-Wf-Request-Id': header('RequestId'),
  }
}

export function header(component: keyof typeof COMMON_HEADERS & string): Ref {
  return { $ref: `#/components/headers/${component}` }
}

/** OAuth issues client-credentials and user tokens; each other kind of credential has its own scheme. */
const OAUTH_SCHEME = 'oauth2'

type OAuthKind = 'client' | 'user'

const BEARERS: Readonly<
  Record<
    Exclude<CallerKind, OAuthKind | 'server_key'>,
    { readonly name: string; readonly format: string; readonly is: string }
  >
> = {
  publishable: {
    name: 'publishableKey',
    format: 'pk_test_… or pk_live_…',
    is: 'An app’s publishable key. It reads public data only and may be used in a browser.',
  },
  installation: {
    name: 'installationToken',
    format: 'at_test_… or at_live_…',
    is: 'The access token of an installation: the app acts on the company, syndicate or user on which it is installed. `POST /installations` and `POST /installations/{id}/tokens` return such a token.',
  },
  operator: {
    name: 'operatorKey',
    format: 'ok_test_… or ok_live_…',
    is: 'A key of the host platform’s own systems. Never given to partners.',
  },
}

/** The scopes of each flow, with the sentence that a person reads before they consent. */
export type OAuthScopes = {
  readonly authorizationCode: Readonly<Record<string, string>>
  readonly clientCredentials: Readonly<Record<string, string>>
}

/**
 * One alternative per scope, because one of the scopes is enough. OAuth comes first: tools such as Postman take the first
 * alternative, and can obtain an OAuth token by themselves.
 */
export function tokenSecurity({ holders, anyScope }: TokenAccess): SecurityRequirement[] {
  const scopes = anyScope.length === 0 ? [[]] : anyScope.map((scope) => [scope])
  const oauth = holders.some(isOAuth) ? scopes.map((alternative) => ({ [OAUTH_SCHEME]: alternative })) : []
  const bearers = BEARER_ORDER.filter((kind) => holders.includes(kind)).map((kind) => ({ [BEARERS[kind].name]: [] }))
  const serverKey = holders.includes('server_key') ? [{ [SERVER_KEY_SCHEME]: [] }] : []
  return [...oauth, ...bearers, ...serverKey]
}

const SERVER_KEY_SCHEME = 'serverKey'

const SERVER_KEY: SecurityScheme = {
  type: 'http',
  scheme: 'basic',
  description:
    'The client id and secret of a confidential key, for the app’s own server. The app must declare the scope. A request with this credential from a browser is rejected.',
}

const BEARER_ORDER = ['installation', 'publishable', 'operator'] as const

function isOAuth(kind: CallerKind): kind is OAuthKind {
  return kind === 'client' || kind === 'user'
}

export function securitySchemes(baseUrl: string, scopes: OAuthScopes): Record<string, SecurityScheme> {
  const bearers = Object.values(BEARERS).map(({ name, format, is }): [string, SecurityScheme] => [
    name,
    { type: 'http', scheme: 'bearer', bearerFormat: format, description: is },
  ])
  return {
    [OAUTH_SCHEME]: oauthScheme(baseUrl, scopes),
    ...Object.fromEntries(bearers),
    [SERVER_KEY_SCHEME]: SERVER_KEY,
    [SESSION_SCHEME]: SESSION,
    [STAFF_SCHEME]: STAFF,
    [COMMAND_LINE_SCHEME]: COMMAND_LINE,
  }
}

function oauthScheme(baseUrl: string, { authorizationCode, clientCredentials }: OAuthScopes): SecurityScheme {
  const tokenUrl = `${baseUrl}/oauth/token`
  return {
    type: 'oauth2',
    description:
      'Access tokens (`at_test_…` or `at_live_…`). Authorization code with PKCE (S256): a user who connected the app. Client credentials: the app itself, without a user.',
    flows: {
      authorizationCode: {
        authorizationUrl: `${baseUrl}/oauth/authorize`,
        tokenUrl,
        refreshUrl: tokenUrl,
        scopes: authorizationCode,
      },
      clientCredentials: { tokenUrl, scopes: clientCredentials },
    },
  }
}

export const SESSION_SCHEME = 'signedInBrowser'

const SESSION: SecurityScheme = {
  type: 'apiKey',
  in: 'cookie',
  name: cookieName({ https: true }),
  description: 'A person who signed in with this browser. Programs use a token instead.',
}

export const STAFF_SCHEME = 'staffSession'

const STAFF: SecurityScheme = {
  ...SESSION,
  description: `A person of the platform’s staff who signed in with this browser and proved a second factor. A change needs the header X-Portico-Csrf, and ${MODE_HEADER} names the mode.`,
}

export const COMMAND_LINE_SCHEME = 'commandLine'

const COMMAND_LINE: SecurityScheme = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'portico_cli_…',
  description: 'A command line that a person allowed to act for them (`portico login`). It needs no X-Portico-Csrf.',
}

/** Whether a route accepts If-None-Match: it is a GET and declares 304. */
export function isConditional({ method, schema }: Route): boolean {
  return method === 'GET' && schema.response[304] !== undefined
}

/** Whether a route accepts an Idempotency-Key: it is a POST and runs in a transaction. The edge applies the same rule. */
export function takesIdempotencyKey({ method, work }: Route): boolean {
  return method === 'POST' && work !== 'handler'
}
