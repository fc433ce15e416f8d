import { ERROR_STATUS, type ErrorType } from '#kernel/errors.ts'
import { everyResponseHeaders, header, type ResponseHeaders, takesIdempotencyKey } from './openapi-common.ts'
import type { JsonSchema, Ref, Response } from './openapi-types.ts'
import type { Route } from './route.ts'

export const ERROR_SCHEMA: JsonSchema = {
  title: 'Error',
  type: 'object',
  description: 'The one form of every error.',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['type', 'message', 'request_id'],
      properties: {
        type: { type: 'string', description: 'What to branch on.', enum: Object.keys(ERROR_STATUS) },
        message: { type: 'string', description: 'What happened, for a person to read.' },
        request_id: { type: 'string', description: 'Names this request in our logs.' },
        details: { type: 'object', description: 'Facts that depend on the type.', additionalProperties: true },
        remediation: { type: 'string', description: 'What to do next.' },
      },
    },
  },
}

type ErrorAnswer = {
  readonly component: string
  readonly description: string
  readonly possible: (route: Route) => boolean
  readonly headers?: ResponseHeaders
  readonly example: { readonly type: ErrorType; readonly message: string; readonly [more: string]: unknown }
}

const needsToken = ({ access }: Route) => access.kind === 'token'
const hasBody = ({ schema }: Route) => schema.body !== undefined
const always = () => true
/** The host platform's own systems are outside the limits. */
const isLimited = ({ access }: Route) => access.kind === 'token' && access.holders.some((kind) => kind !== 'operator')

/** The errors a route can answer with by its declaration alone; those of its own it lists among its responses. */
const ERROR_ANSWERS: Readonly<Record<number, ErrorAnswer>> = {
  400: {
    component: 'BadRequest',
    description: 'The request cannot be read: its query, a cursor, its JSON or the version it asks for.',
    possible: (route) => needsToken(route) || hasBody(route) || route.schema.query !== undefined,
    example: { type: 'invalid_request', message: 'per_page is not a whole number.' },
  },
  401: {
    component: 'Unauthorized',
    description: 'No credential, or one that is not, or no longer, valid. Obtain a new token.',
    possible: needsToken,
    headers: { 'WWW-Authenticate': header('WwwAuthenticate') },
    example: { type: 'invalid_token', message: 'This access token is not valid.' },
  },
  403: {
    component: 'Forbidden',
    description: 'The credential is valid but lacks the scope, or may not do this to this resource.',
    possible: needsToken,
    headers: { 'WWW-Authenticate': header('WwwAuthenticate') },
    example: { type: 'insufficient_scope', message: 'This token does not hold the scope this operation needs.' },
  },
  404: {
    component: 'NotFound',
    description: 'Nothing here for this credential: it does not exist, or the caller may not know of it.',
    possible: ({ schema }) => schema.params !== undefined,
    example: { type: 'not_found', message: 'There is nothing here for this credential.' },
  },
  409: {
    component: 'Conflict',
    description: 'The Idempotency-Key was used with another body, or the resource is in a state that forbids this.',
    possible: takesIdempotencyKey,
    example: { type: 'idempotency_conflict', message: 'This Idempotency-Key was used for a different request.' },
  },
  413: {
    component: 'PayloadTooLarge',
    description: 'The body is larger than 1 MiB.',
    possible: hasBody,
    example: { type: 'payload_too_large', message: 'The body is larger than 1 MiB.' },
  },
  415: {
    component: 'UnsupportedMediaType',
    description: 'The body is not in a format this operation reads.',
    possible: hasBody,
    example: { type: 'unsupported_media_type', message: 'Send the body as application/json.' },
  },
  422: {
    component: 'Unprocessable',
    description: 'The body can be read but not accepted; details.fields lists each field, a code and a message.',
    possible: hasBody,
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
    description: 'Not able to answer right now. Try again after a moment.',
    possible: always,
    example: { type: 'unavailable', message: 'The service cannot answer right now.' },
  },
}

export function errorReferences(route: Route): Record<string, Ref> {
  const possible = Object.entries(ERROR_ANSWERS).filter(([, answer]) => answer.possible(route))
  return Object.fromEntries(
    possible.map(([status, { component }]) => [status, { $ref: `#/components/responses/${component}` }]),
  )
}

export function errorResponses(brand: string): Record<string, Response> {
  const responses = Object.entries(ERROR_ANSWERS).map(([status, answer]): [string, Response] => [
    answer.component,
    {
      description: `${answer.description} \`error.type\`: ${typesOf(Number(status))}.`,
      headers: { ...everyResponseHeaders(brand), ...answer.headers },
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/Error' },
          example: { error: { ...answer.example, request_id: 'req_0V3xkQ2b9TzQ4mYcW8sLr7Hp' } },
        },
      },
    },
  ])
  return Object.fromEntries(responses)
}

function typesOf(status: number): string {
  const types = Object.entries(ERROR_STATUS).filter(([, value]) => value === status)
  return types.map(([type]) => `\`${type}\``).join(', ')
}
