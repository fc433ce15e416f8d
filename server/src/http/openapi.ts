import type { TSchema } from 'typebox'
import { COMMON_HEADERS, commonParameters, type OAuthScopes, securitySchemes } from './openapi-common.ts'
import { ERROR_SCHEMA, errorResponses } from './openapi-errors.ts'
import { type ApiExamples, NO_EXAMPLES } from './openapi-examples.ts'
import { type Describing, operationOf } from './openapi-operation.ts'
import { type SchemaComponents, schemaComponents } from './openapi-schemas.ts'
import {
  type EventReceiver,
  HTTP_METHODS,
  type HttpMethod,
  type OpenApiDocument,
  type Operation,
  type PathItem,
  type Tag,
} from './openapi-types.ts'
import type { Route } from './route.ts'
import { brandHeaders } from './security-headers.ts'
import { NEWEST, VERSIONS } from './versions.ts'

export type WebhookDescription = {
  /** The event's name in the API, such as `investment.changed`. */
  readonly event: string
  /** When the event is sent. */
  readonly description: string
  readonly tag: string
  readonly payload: TSchema
  readonly receivers?: readonly EventReceiver[]
}

export type ApiDescription = {
  readonly title: string
  readonly brand: string
  /** Absolute and without a trailing slash: clients use it unchanged. */
  readonly baseUrl: string
  readonly scopes?: OAuthScopes
  /** Tags with a description, in reading order. All other tags follow, sorted by name. */
  readonly tags?: readonly Tag[]
  readonly webhooks?: readonly WebhookDescription[]
  readonly examples?: ApiExamples
}

const NO_SCOPES: OAuthScopes = { authorizationCode: {}, clientCredentials: {} }

/**
 * The document is computed from the routes, which are data, so no server has to run. The same routes in any order give the same
 * bytes, so that the committed copy can be compared.
 */
export function openApiDocument(routes: readonly Route[], api: ApiDescription): OpenApiDocument {
  const operations = routes.filter(isOperation)
  const webhooks = [...(api.webhooks ?? [])].sort((a, b) => compare(a.event, b.event))
  const schemas = schemaComponents()
  schemas.place(ERROR_SCHEMA)
  const { brand, examples = NO_EXAMPLES } = api
  const paths = pathItems(operations, { brand, schemas, examples })
  const responses = referredTo(errorResponses(operations, api.brand, schemas), paths)
  const hooks = Object.fromEntries(
    webhooks.map((webhook) => [webhook.event, { post: receive(webhook, schemas, examples) }]),
  )
  return {
    openapi: '3.1.1',
    info: {
      title: api.title,
      version: NEWEST,
      description: introduction(api.brand),
      license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: api.baseUrl, description: 'The API in both worlds' }],
    tags: tagsOf([...operations, ...webhooks], api.tags ?? []),
    paths,
    webhooks: hooks,
    components: {
      schemas: schemas.all(),
      responses,
      parameters: commonParameters(api.brand),
      headers: COMMON_HEADERS,
      securitySchemes: securitySchemes(api.baseUrl, api.scopes ?? NO_SCOPES),
    },
  }
}

/** Pages and their assets are for browsers and not documented, except pages that apps link to. */
function isOperation({ contentType, documented }: Route): boolean {
  return documented === true || contentType === undefined || /^text\/(plain|event-stream)/.test(contentType)
}

function introduction(brand: string): string {
  return [
    'Send the credential as `Authorization: Bearer …`; its prefix (`_test_` or `_live_`) picks the world.',
    `Versions are dated and requested with \`${brandHeaders(brand).version}\`: ${VERSIONS.map((version) => `\`${version}\``).join(', ')}. This document describes the newest.`,
    'Every path of the partner API also answers under `/api/v2`.',
  ].join('\n\n')
}

function pathItems(routes: readonly Route[], describing: Describing): Record<string, PathItem> {
  const items: Record<string, PathItem> = {}
  for (const route of [...routes].sort(byPathAndMethod)) {
    const path = openApiPath(route.path)
    const method = methodOf(route)
    const item = items[path] ?? {}
    if (item[method] !== undefined) throw new Error(`two routes answer ${route.method} ${route.path}`)
    items[path] = { ...item, [method]: operationOf(route, describing) }
  }
  return items
}

/** Leaves out the common form of an error if no operation refers to it, because every route declares that error itself. */
function referredTo<T>(responses: Record<string, T>, paths: Record<string, PathItem>): Record<string, T> {
  const text = JSON.stringify(paths)
  const used = Object.entries(responses).filter(([name]) => text.includes(`"#/components/responses/${name}"`))
  return Object.fromEntries(used)
}

function receive(webhook: WebhookDescription, schemas: SchemaComponents, { webhooks }: ApiExamples): Operation {
  const payload = webhooks[webhook.event]
  const example = payload === undefined ? {} : { example: payload }
  return {
    operationId: `receive${webhook.event.split(/[._]/).map(capitalised).join('')}`,
    summary: `Receive ${webhook.event}`,
    description: webhook.description,
    tags: [webhook.tag],
    security: [],
    ...(webhook.receivers === undefined ? {} : { 'x-receivers': webhook.receivers }),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: schemas.place(webhook.payload), ...example } },
    },
    responses: { '2XX': { description: 'Received. Any other status is retried.', headers: {} } },
  }
}

function tagsOf(used: readonly { readonly tag: string }[], described: readonly Tag[]): Tag[] {
  const names = new Set(used.map(({ tag }) => tag))
  const first = described.filter(({ name }) => names.has(name))
  const rest = [...names].filter((name) => !described.some((tag) => tag.name === name)).sort(compare)
  return [...first, ...rest.map((name) => ({ name }))]
}

function openApiPath(path: string): string {
  return path.replace(/:([A-Za-z0-9_]+)/g, '{$1}')
}

function methodOf({ method }: Route): HttpMethod {
  return method.toLowerCase() as HttpMethod
}

function byPathAndMethod(a: Route, b: Route): number {
  return compare(a.path, b.path) || HTTP_METHODS.indexOf(methodOf(a)) - HTTP_METHODS.indexOf(methodOf(b))
}

/** Compares code units, because the order of a locale differs between machines. */
function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}

function capitalised(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`
}
