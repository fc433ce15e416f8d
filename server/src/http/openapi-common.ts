import type { CallerKind } from '#kernel/caller.ts'
import { brandHeaders } from './brand-headers.ts'
import { cookieName } from './browser/cookie.ts'
import type { Header, JsonSchema, OrRef, Parameter, Ref, SecurityScheme } from './openapi-types.ts'
import type { Route } from './route.ts'
import { VERSIONS } from './versions.ts'

export function commonParameters(brand: string): Record<string, Parameter> {
  return {
    ApiVersion: {
      name: brandHeaders(brand).version,
      in: 'header',
      required: false,
      description:
        "The dated version of the API to speak. Without it, the app's pinned version; without that, the newest.",
      schema: { type: 'string', enum: VERSIONS },
    },
    IdempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description:
        'Visible ASCII characters without spaces. Makes a repeat harmless: within 24 hours the same key, caller and body get the first answer again, with Idempotent-Replayed: true. Another body under the same key is refused with 409.',
      schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
    },
    IfNoneMatch: {
      name: 'If-None-Match',
      in: 'header',
      required: false,
      description:
        'The ETag of the answer you have, or several with commas between: 304 while it is still what there is.',
      schema: { type: 'string' },
    },
  }
}

const text: JsonSchema = { type: 'string' }

export const COMMON_HEADERS: Readonly<Record<string, Header>> = {
  ApiVersion: { description: 'The version this answer is in.', schema: text },
  ApiVersionLatest: { description: 'The newest version there is.', schema: text },
  RequestId: { description: 'Names this request in our logs; quote it when you ask for help.', schema: text },
  IdempotentReplayed: {
    description: 'Present when this is the stored answer to an earlier request with the same Idempotency-Key.',
    schema: { type: 'string', const: 'true' },
  },
  ETag: { description: 'Names this answer: send it back as If-None-Match.', schema: text },
  WwwAuthenticate: { description: 'What is wrong with the credential, in the words of RFC 6750.', schema: text },
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

/** One bearer scheme per kind of credential, so that `security` can say who may call. */
const CREDENTIALS: Readonly<
  Record<CallerKind, { readonly name: string; readonly format: string; readonly is: string }>
> = {
  publishable: {
    name: 'publishableKey',
    format: 'pk_test_… or pk_live_…',
    is: 'An app’s publishable key: the anonymous public view, safe in a browser.',
  },
  client: {
    name: 'clientToken',
    format: 'at_test_… or at_live_…',
    is: 'An access token from the client-credentials grant: the app itself, no user.',
  },
  user: {
    name: 'userToken',
    format: 'at_test_… or at_live_…',
    is: 'An access token from the authorization-code grant: a user who connected the app.',
  },
  installation: {
    name: 'installationToken',
    format: 'at_test_… or at_live_…',
    is: 'An installation’s access token: the app on a company, syndicate or user it is installed on.',
  },
  operator: {
    name: 'operatorKey',
    format: 'ok_test_… or ok_live_…',
    is: 'A key of the host platform’s own systems. Never given to partners.',
  },
}

export function credentialScheme(kind: CallerKind): string {
  return CREDENTIALS[kind].name
}

export function securitySchemes(): Record<string, SecurityScheme> {
  const schemes = Object.values(CREDENTIALS).map(({ name, format, is }): [string, SecurityScheme] => [
    name,
    { type: 'http', scheme: 'bearer', bearerFormat: format, description: is },
  ])
  return { ...Object.fromEntries(schemes), [SESSION_SCHEME]: SESSION }
}

export const SESSION_SCHEME = 'signedInBrowser'

const SESSION: SecurityScheme = {
  type: 'apiKey',
  in: 'cookie',
  name: cookieName({ https: true }),
  description: 'A person who signed in with this browser. Programs use a token instead.',
}

/** A route that can say that nothing has changed says by what it is asked so. */
export function isConditional({ method, schema }: Route): boolean {
  return method === 'GET' && schema.response[304] !== undefined
}

/** As the edge does it: a POST that changes something inside a transaction. */
export function takesIdempotencyKey({ method, work }: Route): boolean {
  return method === 'POST' && work !== 'handler'
}
