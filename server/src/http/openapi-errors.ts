import { ApiError, ERROR_STATUS, type ErrorType } from '#kernel/errors.ts'
import { servesStaff } from './access.ts'
import { acceptsAnyHost } from './browser/own-form.ts'
import { asOAuthError, OAuthError } from './oauth-error.ts'
import { everyResponseHeaders, header, type ResponseHeaders, takesIdempotencyKey } from './openapi-common.ts'
import { PAGE } from './openapi-examples.ts'
import { namesSomething, type SchemaComponents } from './openapi-schemas.ts'
import type { Content, JsonSchema, Ref, Response } from './openapi-types.ts'
import type { ErrorStyle, Route } from './route.ts'

export const ERROR_SCHEMA: JsonSchema = {
  title: 'Error',
  type: 'object',
  description: 'The format of every error.',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['type', 'message', 'request_id'],
      properties: {
        type: { type: 'string', description: 'The error type. Branch on this.', enum: Object.keys(ERROR_STATUS) },
        message: { type: 'string', description: 'What is wrong, for a person to read.' },
        request_id: { type: 'string', description: 'The id of this request in our logs.' },
        details: { type: 'object', description: 'More data, depending on the type.', additionalProperties: true },
        remediation: { type: 'string', description: 'What to do next.' },
      },
    },
  },
}

type ErrorResponse = {
  readonly component: string
  readonly description: string
  readonly possible: (route: Route) => boolean
  readonly headers?: ResponseHeaders
  readonly example: { readonly type: ErrorType; readonly message: string; readonly [more: string]: unknown }
}

const needsToken = ({ access }: Route) => access.kind === 'token'
/** On pages, a visitor who has not signed in is redirected to sign in. */
const needsPerson = ({ access, errorsAs }: Route) => access.kind === 'session' && access.required && errorsAs !== 'page'
const takesForms = ({ access, method }: Route) => access.kind === 'session' && method !== 'GET'
/** A body is read and checked also on routes that declare no body. */
const takesBody = ({ method }: Route) => method !== 'GET'
/**
 * A field such as `organization_id` or `offering` names a record, which may be unknown. The client id of OAuth is excluded,
 * because it is a credential.
 */
const bodyNamesSomething = (route: Route) =>
  outsideOAuth(route) && namesIn(route.schema.body).some((name) => name.endsWith('_id') || RECORDS.has(name))
/** Fields of a body that contain an id and are named after the record. */
const RECORDS: ReadonlySet<string> = new Set(['company', 'investor', 'offering', 'syndicate', 'user', 'users'])
const always = () => true
/**
 * These limits do not apply to pages for people. Requests with valid operator keys are not limited, but guesses of operator keys
 * are.
 */
const isLimited = ({ access, errorsAs }: Route) => errorsAs === 'oauth' || access.kind === 'token'
/** OAuth has the same status for every invalid request. */
const outsideOAuth = ({ errorsAs }: Route) => errorsAs !== 'oauth'

/** The names of the fields, including those inside a nested object, as in `{"investment_session": {"spv_id": …}}`. */
function namesIn(schema: (object & JsonSchema) | undefined): readonly string[] {
  return Object.entries(schema?.properties ?? {}).flatMap(([name, { properties = {} }]) => [
    name,
    ...Object.keys(properties),
  ])
}

/** The errors that follow from a route's declaration. The route declares all other errors itself. */
const ERROR_ANSWERS: Readonly<Record<number, ErrorResponse>> = {
  400: {
    component: 'BadRequest',
    description: 'The request cannot be read: its query, a cursor, its JSON or the requested version.',
    possible: (route) => needsToken(route) || takesBody(route) || route.schema.query !== undefined,
    example: { type: 'invalid_request', message: 'per_page is not a whole number.' },
  },
  401: {
    component: 'Unauthorized',
    description: 'No credential, or an invalid one. Obtain a new token.',
    possible: (route) => needsToken(route) || needsPerson(route),
    headers: { 'WWW-Authenticate': header('WwwAuthenticate') },
    example: { type: 'invalid_token', message: 'This access token is not valid.' },
  },
  403: {
    component: 'Forbidden',
    description: 'The credential is valid but lacks the scope, or may not do this to this resource.',
    possible: (route) => needsToken(route) || takesForms(route),
    headers: { 'WWW-Authenticate': header('WwwAuthenticate') },
    example: { type: 'insufficient_scope', message: 'This token does not hold the scope this operation needs.' },
  },
  404: {
    component: 'NotFound',
    description: 'The record does not exist, or this credential may not see it.',
    possible: (route) =>
      route.schema.params !== undefined || bodyNamesSomething(route) || namesSomething(route.schema.query),
    example: { type: 'not_found', message: 'There is nothing here for this credential.' },
  },
  409: {
    component: 'Conflict',
    description: 'The Idempotency-Key was used with another body, or the resource is in a state that forbids this.',
    possible: (route) =>
      takesBody(route) && outsideOAuth(route) && (takesIdempotencyKey(route) || route.work !== 'handler'),
    example: { type: 'idempotency_conflict', message: 'This Idempotency-Key was used for a different request.' },
  },
  410: {
    component: 'Gone',
    description: 'The endpoint was removed, or the cursor is too old to continue from; the message says what to do.',
    possible: () => false,
    example: { type: 'gone', message: 'This cursor is too old. Start again without a cursor.' },
  },
  413: {
    component: 'PayloadTooLarge',
    description: 'The body is larger than this operation accepts; the message has the limit.',
    possible: takesBody,
    example: {
      type: 'payload_too_large',
      message: 'The request body is larger than the 1 MiB that this operation accepts.',
    },
  },
  415: {
    component: 'UnsupportedMediaType',
    description: 'The body is not in a format this operation reads.',
    possible: takesBody,
    example: { type: 'unsupported_media_type', message: 'Send the body as application/json.' },
  },
  421: {
    component: 'MisdirectedRequest',
    description: 'The request was sent to a host name that is not this service’s.',
    possible: ({ path }) => !acceptsAnyHost(path),
    example: {
      type: 'misdirected_request',
      message: 'This service does not answer under the host name of this request.',
    },
  },
  422: {
    component: 'Unprocessable',
    description: 'The body can be read but not accepted; details.fields lists each field, a code and a message.',
    // An operator's reason may be missing, and the mode that a staff member sends may be invalid.
    possible: (route) => (takesBody(route) && outsideOAuth(route)) || servesStaff(route.access),
    example: {
      type: 'validation_error',
      message: 'Some fields are not acceptable: url.',
      details: { fields: [{ field: 'url', code: 'format', message: 'must be an https URL' }] },
    },
  },
  429: {
    component: 'RateLimited',
    description: 'A rate limit is used up. Wait details.retry_after seconds.',
    possible: isLimited,
    headers: {
      'X-RateLimit-Limit': header('RateLimitLimit'),
      'X-RateLimit-Remaining': header('RateLimitRemaining'),
      'X-RateLimit-Reset': header('RateLimitReset'),
    },
    example: {
      type: 'rate_limit_exceeded',
      message: 'Too many requests.',
      details: { limit: 1000, period: 3600, retry_after: 42 },
    },
  },
  500: {
    component: 'InternalError',
    description: 'Our fault. Repeating with the same Idempotency-Key is safe.',
    possible: always,
    example: { type: 'internal_error', message: 'Something went wrong on our side.' },
  },
  503: {
    component: 'Unavailable',
    description: 'The service is temporarily unavailable. Try again after a moment.',
    possible: always,
    example: { type: 'unavailable', message: 'The service cannot answer right now.' },
  },
}

export function errorReferences(route: Route): Record<string, Ref> {
  return Object.fromEntries(
    possibleOn(route).map((errorCase) => [
      errorCase.status,
      { $ref: `#/components/responses/${componentOf(errorCase)}` },
    ]),
  )
}

/** One component for each error in each format that a route uses. */
export function errorResponses(
  routes: readonly Route[],
  brand: string,
  schemas: SchemaComponents,
): Record<string, Response> {
  const envelopes = Object.keys(ERROR_ANSWERS).map((status) => errorCaseOf('envelope', status))
  const errorCase = [...envelopes, ...routes.flatMap(possibleOn)]
  const responses = new Map(errorCase.map((it) => [componentOf(it), responseOf(it, brand, schemas)]))
  return Object.fromEntries(responses)
}

type ErrorCase = { readonly style: ErrorStyle; readonly status: string; readonly answer: ErrorResponse }

function possibleOn(route: Route): readonly ErrorCase[] {
  const { errorsAs = 'envelope' } = route
  return Object.entries(ERROR_ANSWERS)
    .filter(([status, { possible }]) => isPossible(route, Number(status), possible))
    .map(([status]) => errorCaseOf(errorsAs, status))
}

const OF_REMOVED = [410, 421, 429, 500, 503]

function isPossible(route: Route, status: number, byDeclaration: ErrorResponse['possible']): boolean {
  if (route.removed === true) return OF_REMOVED.includes(status)
  return byDeclaration(route) || route.errors?.includes(status) === true
}

/** 429 has the same form everywhere except on pages. */
function errorCaseOf(style: ErrorStyle, status: string): ErrorCase {
  const answer = ERROR_ANSWERS[Number(status)]
  if (answer === undefined) throw new Error(`no words for ${status}`)
  return { style: style === 'oauth' && status === '429' ? 'envelope' : style, status, answer }
}

const PREFIX: Readonly<Record<ErrorStyle, string>> = { envelope: '', oauth: 'OAuth', page: 'Page' }

function componentOf({ style, answer }: ErrorCase): string {
  return PREFIX[style] + answer.component
}

function responseOf(errorCase: ErrorCase, brand: string, schemas: SchemaComponents): Response {
  const { style, status, answer } = errorCase
  const types = style === 'envelope' ? ` \`error.type\`: ${typesOf(Number(status))}.` : ''
  return {
    description: `${answer.description}${types}`,
    headers: { ...everyResponseHeaders(brand), ...answer.headers },
    content: CONTENT[style](answer, schemas),
  }
}

const CONTENT: Readonly<Record<ErrorStyle, (answer: ErrorResponse, schemas: SchemaComponents) => Content>> = {
  envelope: ({ example }) => ({
    'application/json': {
      schema: { $ref: '#/components/schemas/Error' },
      example: { error: { ...example, request_id: 'req_0V3xkQ2b9TzQ4mYcW8sLr7Hp' } },
    },
  }),
  oauth: ({ example }, schemas) => ({
    'application/json': {
      schema: schemas.place(OAuthError),
      example: JSON.parse(asOAuthError(new ApiError(example.type, { public: example.message }), '').body),
    },
  }),
  page: () => ({ 'text/html': { schema: { type: 'string' }, example: PAGE } }),
}

function typesOf(status: number): string {
  const types = Object.entries(ERROR_STATUS).filter(([, value]) => value === status)
  return types.map(([type]) => `\`${type}\``).join(', ')
}
