import { type AccessNote, isRef, type OpenApiDocument, type Parameter } from '#http/openapi-types.ts'
import { type Endpoint, endpointsOf } from './endpoints.ts'
import { exampleOf } from './example.ts'
import type { OpenDemo } from './page.ts'

/** The part of https://schema.postman.com/collection/json/v2.1.0/ that is used here. */
export type PostmanCollection = {
  readonly info: { readonly name: string; readonly description: string; readonly schema: string }
  readonly auth: Auth
  readonly event: readonly Script[]
  readonly variable: readonly Variable[]
  readonly item: readonly Folder[]
}

type Folder = { readonly name: string; readonly description: string; readonly item: readonly Item[] }
type Item = { readonly name: string; readonly request: PostmanRequest; readonly event?: readonly Script[] }
type Variable = { readonly key: string; readonly value: string; readonly description?: string }
type Auth = { readonly type: string; readonly [scheme: string]: string | readonly Variable[] }
type Script = { readonly listen: 'test'; readonly script: { readonly type: string; readonly exec: readonly string[] } }
type Query = { readonly key: string; readonly value: string; readonly description: string; readonly disabled: boolean }

type PostmanRequest = {
  readonly method: string
  readonly description: string
  readonly header: readonly Variable[]
  readonly auth?: Auth
  readonly url: {
    readonly raw: string
    readonly host: readonly string[]
    readonly path: readonly string[]
    readonly query?: readonly Query[]
    readonly variable?: readonly Variable[]
  }
  readonly body?: object
}

/** The values of the collection's variables: this server's address, and public values of its demo if it has one. */
export type CollectionParts = { readonly baseUrl: string; readonly demo: OpenDemo | null }

/**
 * A request for every operation that needs no person's sign-in. Pages and the portal's backend are left out, because they are
 * for a person's browser or command line. Removed operations are left out too.
 */
export function postmanCollection(document: OpenApiDocument, { baseUrl, demo }: CollectionParts): PostmanCollection {
  const folders = document.tags.flatMap(({ name, description = '' }) => {
    const endpoints = endpointsOf(document, name).filter(({ operation }) => isForPrograms(operation['x-access']))
    if (endpoints.length === 0 || name === 'Removed') return []
    return { name, description, item: endpoints.map((endpoint) => itemOf(endpoint, document)) }
  })
  return {
    info: {
      name: document.info.title,
      description: DESCRIPTION,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: bearer('access_token'),
    event: [testScript(COMMON_SCRIPT)],
    variable: [
      { key: 'base_url', value: baseUrl },
      { key: 'publishable_key', value: demo?.publishableKey ?? '', description: 'Reads public data. Safe to show.' },
      { key: 'client_id', value: demo?.publishableKey ?? '', description: 'A confidential key of your app.' },
      { key: 'client_secret', value: '', description: 'The secret of that key.' },
      { key: 'access_token', value: '', description: 'Filled by “Create an access token”.' },
      { key: 'operator_key', value: '', description: 'The host platform’s own key.' },
      ...idVariables(folders, demo),
    ],
    item: folders,
  }
}

const DESCRIPTION = [
  'Requests of the operations that need no person’s sign-in. Begin with “List open offerings”: it needs only `publishable_key`.',
  'Set `client_id` and `client_secret`, then send “Create an access token”: it stores `access_token` for the other requests.',
  'Variables such as `co_id` hold the ids that requests use. A response fills the variables that are still empty.',
].join('\n\n')

function isForPrograms(access: AccessNote | undefined): boolean {
  return access === undefined || !('session' in access)
}

function itemOf({ method, path, operation }: Endpoint, { components }: OpenApiDocument): Item {
  const parameters = (operation.parameters ?? []).flatMap((one): Parameter[] => (isRef(one) ? [] : [one]))
  const shownValue = (one: Parameter) => valueFor(one.example ?? exampleOf(one.schema, components.schemas))
  const own = (place: Parameter['in']) => parameters.filter((parameter) => parameter.in === place)
  const segments = path
    .slice(1)
    .split('/')
    .map((part) => part.replace(/^\{(.+)\}$/, ':$1'))
  const query = own('query').map((one) => ({
    key: one.name,
    value: shownValue(one),
    description: one.description ?? '',
    disabled: !one.required,
  }))
  const inPath = own('path').map((one) => ({ key: one.name, value: shownValue(one) }))
  const auth = authOf(operation['x-access'])
  const body = bodyOf(operation.requestBody?.content ?? {}, components.schemas)
  return {
    name: operation.summary,
    request: {
      method,
      description: operation.description ?? '',
      header: own('header')
        .filter(({ required }) => required)
        .map((one) => ({ key: one.name, value: shownValue(one) })),
      ...(auth === null ? {} : { auth }),
      url: {
        raw: `{{base_url}}/${segments.join('/')}`,
        host: ['{{base_url}}'],
        path: segments,
        ...(query.length === 0 ? {} : { query }),
        ...(inPath.length === 0 ? {} : { variable: inPath }),
      },
      ...(body === null ? {} : { body }),
    },
    ...(operation.operationId === 'createToken' ? { event: [testScript(TOKEN_SCRIPT)] } : {}),
  }
}

/** Null if the request uses the collection's default credential, the access token. */
function authOf(access: AccessNote | undefined): Auth | null {
  if (access === undefined || 'session' in access) return null
  if ('open' in access) return { type: 'noauth' }
  if (access.holders.includes('publishable')) return bearer('publishable_key')
  if (access.holders.includes('operator')) return bearer('operator_key')
  if (!access.holders.includes('server_key')) return null
  const entries = { username: '{{client_id}}', password: '{{client_secret}}' }
  return { type: 'basic', basic: Object.entries(entries).map(([key, value]) => ({ key, value, type: 'string' })) }
}

function bearer(variable: string): Auth {
  return { type: 'bearer', bearer: [{ key: 'token', value: `{{${variable}}}`, ...{ type: 'string' } }] }
}

type Bodies = NonNullable<Endpoint['operation']['requestBody']>['content']

function bodyOf(content: Bodies, schemas: OpenApiDocument['components']['schemas']): object | null {
  const [[type, { schema, example }] = [null, { schema: {}, example: undefined }]] = Object.entries(content)
  if (type === null) return null
  const value = example ?? exampleOf(schema, schemas, { depth: 0, brief: true })
  if (type !== 'application/x-www-form-urlencoded') {
    const raw = typeof value === 'string' ? value : JSON.stringify(value, withVariable, 2)
    return { mode: 'raw', raw, options: { raw: { language: 'json' } } }
  }
  const urlencoded = Object.entries(value as Record<string, unknown>).map(([key, text]) => ({
    key,
    value: FORM_VARIABLES[key] ?? valueFor(text),
    type: 'text',
  }))
  return { mode: 'urlencoded', urlencoded }
}

const FORM_VARIABLES: Readonly<Record<string, string>> = {
  client_id: '{{client_id}}',
  client_secret: '{{client_secret}}',
  token: '{{access_token}}',
}

const ID = /^([a-z]+)_[0-9A-Za-z]{24}$/

/** Ids with the same prefix use one variable, so that one change of the variable changes all requests. */
function valueFor(example: unknown): string {
  const prefix = ID.exec(String(example))?.[1]
  return prefix === undefined ? String(example) : `{{${prefix}_id}}`
}

/** For `JSON.stringify`: an id becomes its variable; all other values stay as they are. */
function withVariable(_name: string, value: unknown): unknown {
  return typeof value === 'string' ? valueFor(value) : value
}

function idVariables(folders: readonly Folder[], demo: OpenDemo | null): readonly Variable[] {
  const used = JSON.stringify(folders).matchAll(/\{\{([a-z]+)_id\}\}/g)
  const prefixes = new Set([...used].map(([, prefix]) => prefix ?? ''))
  prefixes.delete('client')
  return [...prefixes].sort().map((prefix) => ({ key: `${prefix}_id`, value: demo?.ids[`${prefix}_`] ?? '' }))
}

function testScript(lines: readonly string[]): Script {
  return { listen: 'test', script: { type: 'text/javascript', exec: lines } }
}

const COMMON_SCRIPT = [
  "pm.test('The request succeeded', () => pm.expect(pm.response.code).to.be.below(400))",
  'let answered = null',
  'try { answered = pm.response.json().data } catch { /* no JSON */ }',
  'const { id: answeredId } = (Array.isArray(answered) ? answered[0] : answered) || {}',
  "const [, idPrefix] = /^([a-z]+)_/.exec(answeredId || '') || []",
  "const idVariable = idPrefix + '_id'",
  'if (idPrefix && !pm.collectionVariables.get(idVariable)) pm.collectionVariables.set(idVariable, answeredId)',
]

const TOKEN_SCRIPT = [
  "if (pm.response.code === 200) pm.collectionVariables.set('access_token', pm.response.json().access_token)",
]
