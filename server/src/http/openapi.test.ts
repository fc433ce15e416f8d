import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { liveOperator, open, operator, publicRead, signedIn, user, visitor } from './access.ts'
import { OAuthError } from './oauth-error.ts'
import { openApiDocument } from './openapi.ts'
import { UNKNOWN_IS_404 } from './openapi-schemas.ts'
import type { JsonSchema, Operation } from './openapi-types.ts'
import { route } from './route.ts'
import { NEWEST, VERSIONS } from './versions.ts'

const Company = Type.Object({ id: Type.String(), name: Type.String() }, { title: 'Company', description: 'A company' })
const CompanyParam = Type.Object({ company_id: Type.String({ pattern: '^co_', description: 'Whose' }) })

const getCompany = route({
  operation: 'getCompany',
  method: 'GET',
  path: '/companies/:company_id',
  summary: 'Read a company',
  tag: 'Companies',
  access: publicRead('read:public', 'read:explore'),
  schema: {
    params: CompanyParam,
    query: Type.Object({ per_page: Type.Optional(Type.Integer({ maximum: 100 })), q: Type.String() }),
    response: { 200: Type.Object({ data: Company }) },
  },
  handler: async () => ({ status: 200, body: { data: { id: 'co_1', name: 'One' } } }),
})

const createNote = route({
  operation: 'createNote',
  method: 'POST',
  path: '/companies/:company_id/notes',
  summary: 'Write a note',
  tag: 'Notes',
  access: user('write:notes'),
  schema: {
    params: CompanyParam,
    body: Type.Object({ text: Type.String() }, { title: 'NewNote' }),
    response: {
      201: Type.Object({ data: Type.Object({ company: Company }) }),
      409: Type.Object({ own: Type.String() }),
    },
  },
  transaction: async () => ({ status: 201 as const, body: { data: { company: { id: 'co_1', name: 'One' } } } }),
})

const touch = route({
  operation: 'touch',
  method: 'POST',
  path: '/platform/touch',
  summary: 'Touch',
  tag: 'Platform',
  access: operator('viewer', 'platform'),
  accepts: ['application/json', 'application/x-www-form-urlencoded'],
  schema: { body: Type.Object({ note: Type.Optional(Type.String()) }), response: { 204: Type.Null() } },
  handler: async () => ({ status: 204, body: null }),
})

const placeOrder = route({
  operation: 'placeOrder',
  method: 'POST',
  path: '/orders',
  summary: 'Place an order',
  tag: 'Notes',
  access: user('write:orders'),
  schema: { body: Type.Object({ company_id: Type.String() }), response: { 204: Type.Null() } },
  transaction: async () => ({ status: 204, body: null }),
})

const health = route({
  operation: 'health',
  method: 'GET',
  path: '/healthz',
  summary: 'Alive',
  tag: 'Operations',
  access: open('A load balancer has no credential.'),
  schema: { response: { 200: Type.String() } },
  contentType: 'text/plain; charset=utf-8',
  handler: async () => ({ status: 200, body: 'ok' }),
})

const page = route({
  operation: 'page',
  method: 'GET',
  path: '/docs',
  summary: 'A page',
  tag: 'Pages',
  access: open('For people.'),
  schema: { response: { 200: Type.String() } },
  contentType: 'text/html; charset=utf-8',
  handler: async () => ({ status: 200, body: '<p>' }),
})

const authorize = route({
  operation: 'authorize',
  method: 'GET',
  path: '/oauth/authorize',
  summary: 'Ask a person',
  tag: 'OAuth',
  documented: true,
  access: visitor('Signing in comes after the request was checked.'),
  errorsAs: 'page',
  queryAs: 'raw',
  schema: { query: Type.Object({ client_id: Type.String() }), response: { 200: Type.String(), 303: Type.Null() } },
  contentType: 'text/html; charset=utf-8',
  handler: async () => ({ status: 303, body: null }),
})

const issueToken = route({
  operation: 'issueToken',
  method: 'POST',
  path: '/oauth/token',
  summary: 'Obtain a token',
  tag: 'OAuth',
  access: open('The client authenticates in the request itself.'),
  errorsAs: 'oauth',
  accepts: ['application/x-www-form-urlencoded'],
  schema: { body: Type.Object({ grant_type: Type.String() }), response: { 200: Type.Object({}), 401: OAuthError } },
  handler: async () => ({ status: 200, body: {} }),
})

const renameMine = route({
  operation: 'renameMine',
  method: 'POST',
  path: '/portal/name',
  summary: 'Rename something of one’s own',
  tag: 'Portal',
  access: signedIn(),
  schema: { body: Type.Object({ name: Type.String() }), response: { 200: Type.Object({}) } },
  platform: async () => ({ status: 200 as const, body: {} }),
})

const approve = route({
  operation: 'approve',
  method: 'POST',
  path: '/platform/approve',
  summary: 'Approve',
  tag: 'Platform',
  access: liveOperator('compliance', 'platform'),
  schema: { response: { 200: Type.Object({}) } },
  platform: async () => ({ status: 200 as const, body: {} }),
})

const ROUTES = [getCompany, createNote, placeOrder, touch, health, page]
const SCOPES = {
  authorizationCode: { 'read:public': 'Read what is public', 'read:notes': 'Read your notes' },
  clientCredentials: { 'read:public': 'Read what is public' },
}
const API = { title: 'Test API', brand: 'wefunder', baseUrl: 'https://api.example', scopes: SCOPES }

function operationAt(path: string, method: 'get' | 'post'): Operation {
  const operation = openApiDocument(ROUTES, API).paths[path]?.[method]
  if (operation === undefined) throw new Error(`no ${method} ${path}`)
  return operation
}

describe('the document', () => {
  test('is the same for the same routes in any order', () => {
    const text = JSON.stringify(openApiDocument(ROUTES, API))
    expect(JSON.stringify(openApiDocument([...ROUTES].reverse(), API))).toBe(text)
  })

  test('describes the newest version and names all versions', () => {
    const { info, components } = openApiDocument(ROUTES, API)
    expect(info.version).toBe(NEWEST)
    expect(components.parameters['ApiVersion']).toMatchObject({
      name: 'Wefunder-Version',
      in: 'header',
      schema: { enum: VERSIONS },
    })
  })

  test('takes its header names from the brand', () => {
    const document = openApiDocument([getCompany], { ...API, brand: 'acme' })
    expect(document.components.parameters['ApiVersion']?.name).toBe('Acme-Version')
    expect(document.paths['/companies/{company_id}']?.get?.responses['200']).toMatchObject({
      headers: { 'Acme-Version': {}, 'Acme-Version-Latest': {}, 'X-Request-Id': {}, 'X-Wf-Request-Id': {} },
    })
  })

  test('lists operations, not pages for people', () => {
    expect(Object.keys(openApiDocument(ROUTES, API).paths)).toEqual([
      '/companies/{company_id}',
      '/companies/{company_id}/notes',
      '/healthz',
      '/orders',
      '/platform/touch',
    ])
  })

  test('lists described tags first, in the given order, and leaves out unused ones', () => {
    const tags = [{ name: 'Notes', description: 'Words' }, { name: 'Unused' }]
    expect(openApiDocument(ROUTES, { ...API, tags }).tags.map(({ name }) => name)).toEqual([
      'Notes',
      'Companies',
      'Operations',
      'Platform',
    ])
  })

  test('rejects two routes on one method and path', () => {
    expect(() => openApiDocument([getCompany, getCompany], API)).toThrow('two routes answer GET /companies/:company_id')
  })

  test('has a webhooks section, empty until events are described', () => {
    expect(openApiDocument(ROUTES, API).webhooks).toEqual({})
    const event = { event: 'investment.amount_changed', description: 'It changed', tag: 'Events', payload: Company }
    expect(openApiDocument([], { ...API, webhooks: [event] })).toMatchObject({
      tags: [{ name: 'Events' }],
      webhooks: {
        'investment.amount_changed': {
          post: {
            operationId: 'receiveInvestmentAmountChanged',
            summary: 'Receive investment.amount_changed',
            description: 'It changed',
            requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Company' } } } },
          },
        },
      },
    })
  })
})

describe('the data that a tool needs to call the API', () => {
  const { servers, components } = openApiDocument(ROUTES, API)

  test('the address of the server is absolute', () => {
    expect(servers).toEqual([{ url: 'https://api.example', description: 'The API in both worlds' }])
  })

  test('one OAuth scheme has both flows, each with its scopes', () => {
    expect(components.securitySchemes['oauth2']).toMatchObject({
      type: 'oauth2',
      flows: {
        authorizationCode: {
          authorizationUrl: 'https://api.example/oauth/authorize',
          tokenUrl: 'https://api.example/oauth/token',
          refreshUrl: 'https://api.example/oauth/token',
          scopes: SCOPES.authorizationCode,
        },
        clientCredentials: { tokenUrl: 'https://api.example/oauth/token', scopes: SCOPES.clientCredentials },
      },
    })
  })

  test('keys and installation tokens are schemes of their own', () => {
    const bearer = { type: 'http', scheme: 'bearer' }
    expect(components.securitySchemes).toMatchObject({
      publishableKey: bearer,
      operatorKey: bearer,
      installationToken: bearer,
    })
  })
})

describe('an operation', () => {
  test('states the access rule and its scopes', () => {
    const operation = operationAt('/companies/{company_id}', 'get')
    expect(operation.security).toEqual([
      { oauth2: ['read:public'] },
      { oauth2: ['read:explore'] },
      { installationToken: [] },
      { publishableKey: [] },
    ])
    expect(operation['x-access']).toEqual({
      holders: ['publishable', 'client', 'user', 'installation'],
      any_scope: ['read:public', 'read:explore'],
    })
    expect(operationAt('/healthz', 'get')).toMatchObject({
      security: [],
      'x-access': { open: 'A load balancer has no credential.' },
    })
  })

  test('lists its path and query parameters with their schemas', () => {
    expect(operationAt('/companies/{company_id}', 'get').parameters).toEqual([
      {
        name: 'company_id',
        in: 'path',
        required: true,
        description: 'Whose',
        schema: { type: 'string', pattern: '^co_' },
        example: 'co_0V3xkQ2b9TzQ4mYcW8sLr7Hp',
      },
      { name: 'per_page', in: 'query', required: false, schema: { type: 'integer', maximum: 100 }, example: 25 },
      { name: 'q', in: 'query', required: true, schema: { type: 'string' } },
      { $ref: '#/components/parameters/ApiVersion' },
    ])
  })

  test('has the Idempotency-Key header only if it is a POST with a transaction', () => {
    const key = { $ref: '#/components/parameters/IdempotencyKey' }
    const create = operationAt('/companies/{company_id}/notes', 'post')
    expect(create.parameters).toContainEqual(key)
    expect(create.responses['201']).toMatchObject({ headers: { 'Idempotent-Replayed': {} } })
    expect(operationAt('/platform/touch', 'post').parameters).not.toContainEqual(key)
  })

  test('requires a body only if the body has a required field', () => {
    expect(operationAt('/companies/{company_id}/notes', 'post').requestBody?.required).toBe(true)
    expect(operationAt('/platform/touch', 'post').requestBody?.required).toBe(false)
  })

  test('lists the accepted body types, JSON by default', () => {
    const kinds = (path: string) => Object.keys(operationAt(path, 'post').requestBody?.content ?? {})
    expect(kinds('/companies/{company_id}/notes')).toEqual(['application/json'])
    expect(kinds('/platform/touch')).toEqual(['application/json', 'application/x-www-form-urlencoded'])
  })

  test('has its own content type, and no body for 204', () => {
    expect(operationAt('/healthz', 'get').responses['200']).toMatchObject({ content: { 'text/plain': {} } })
    expect(operationAt('/platform/touch', 'post').responses['204']).not.toHaveProperty('content')
  })
})

describe('the errors of an operation', () => {
  test.each([
    ['/companies/{company_id}', 'get', ['200', '400', '401', '403', '404', '421', '429', '500', '503']],
    [
      '/companies/{company_id}/notes',
      'post',
      ['201', '400', '401', '403', '404', '409', '413', '415', '421', '422', '429', '500', '503'],
    ],
    ['/orders', 'post', ['204', '400', '401', '403', '404', '409', '413', '415', '421', '422', '429', '500', '503']],
    ['/platform/touch', 'post', ['204', '400', '401', '403', '413', '415', '421', '422', '429', '500', '503']],
    ['/healthz', 'get', ['200', '500', '503']],
  ] as const)('%s %s: %j', (path, method, statuses) => {
    expect(Object.keys(operationAt(path, method).responses)).toEqual(statuses)
  })

  test('have 404 if a filter names a record that may be unknown, and not for other filters', () => {
    const listed = (company: Record<string, unknown>) =>
      openApiDocument(
        [
          route({
            ...{ operation: 'listNotes', method: 'GET', path: '/notes', summary: 'Notes', tag: 'Notes' },
            access: user('read:notes'),
            schema: {
              query: Type.Object({ company: Type.Optional(Type.String(company)) }),
              response: { 200: Type.Object({}) },
            },
            handler: async () => ({ status: 200, body: {} }),
          }),
        ],
        API,
      ).paths['/notes']?.get?.responses
    expect(listed(UNKNOWN_IS_404)?.['404']).toEqual({ $ref: '#/components/responses/NotFound' })
    expect(listed({})).not.toHaveProperty('404')
  })

  test('have 400, 413, 415 and 422 also on routes without a body, because a body is always checked', () => {
    const mark = route({
      ...{ operation: 'mark', method: 'PUT', path: '/marks/:company_id', summary: 'Mark', tag: 'Notes' },
      access: user('write:notes'),
      schema: { params: CompanyParam, response: { 204: Type.Null() } },
      transaction: async () => ({ status: 204, body: null }),
    })
    const { responses } = openApiDocument([mark], API).paths['/marks/{company_id}']?.put ?? {}
    const statuses = ['204', '400', '401', '403', '404', '409', '413', '415', '421', '422', '429', '500', '503']
    expect(Object.keys(responses ?? {})).toEqual(statuses)
  })

  test("refer to the envelope, unless the route declares that status's body itself", () => {
    const { responses } = operationAt('/companies/{company_id}/notes', 'post')
    expect(responses['404']).toEqual({ $ref: '#/components/responses/NotFound' })
    expect(responses['409']).toMatchObject({
      content: { 'application/json': { schema: { properties: { own: { type: 'string' } } } } },
    })
  })

  test('name their types and carry the headers of the contract', () => {
    const { responses } = openApiDocument(ROUTES, API).components
    expect(responses['Unauthorized']?.headers).toHaveProperty('WWW-Authenticate')
    expect(responses['RateLimited']?.headers).toHaveProperty('X-RateLimit-Reset')
    expect(responses['Forbidden']?.description).toContain('`insufficient_scope`, `forbidden`')
  })
})

describe('routes for people and of OAuth', () => {
  const document = openApiDocument([authorize, issueToken, renameMine, approve, page], API)
  const { paths, components } = document
  const statuses = (operation: Operation | undefined) => Object.keys(operation?.responses ?? {})

  test('identify people by a cookie; on a route for visitors the cookie is optional', () => {
    expect(components.securitySchemes['signedInBrowser']).toMatchObject({ type: 'apiKey', in: 'cookie' })
    expect(paths['/portal/name']?.post).toMatchObject({
      security: [{ signedInBrowser: [] }],
      'x-access': { session: 'required' },
    })
    expect(paths['/oauth/authorize']?.get).toMatchObject({
      security: [{ signedInBrowser: [] }, {}],
      'x-access': { session: 'optional' },
    })
  })

  test('a page that apps link to is listed, with its redirect; other pages are not', () => {
    expect(Object.keys(paths)).not.toContain('/docs')
    const { responses } = paths['/oauth/authorize']?.get ?? {}
    expect(responses?.['200']).toMatchObject({ content: { 'text/html': {} } })
    expect(responses?.['303']).not.toHaveProperty('content')
    expect(responses?.['500']).toEqual({ $ref: '#/components/responses/PageInternalError' })
    expect(components.responses['PageInternalError']?.content).toHaveProperty('text/html')
  })

  test('OAuth errors have the body and statuses of OAuth, except for 429', () => {
    const { responses } = paths['/oauth/token']?.post ?? {}
    expect(statuses(paths['/oauth/token']?.post)).toEqual([
      '200',
      '400',
      '401',
      '413',
      '415',
      '421',
      '429',
      '500',
      '503',
    ])
    expect(responses?.['400']).toEqual({ $ref: '#/components/responses/OAuthBadRequest' })
    expect(responses?.['429']).toEqual({ $ref: '#/components/responses/RateLimited' })
    expect(components.responses['OAuthBadRequest']?.content?.['application/json']).toEqual({
      schema: { $ref: '#/components/schemas/OAuthError' },
      example: { error: 'invalid_request', error_description: 'per_page is not a whole number.' },
    })
    expect(components.responses).not.toHaveProperty('OAuthUnprocessable')
  })

  test('a route with a form lists 403 for a rejected form and 401 for a missing sign-in', () => {
    expect(statuses(paths['/portal/name']?.post)).toEqual([
      '200',
      '400',
      '401',
      '403',
      '409',
      '413',
      '415',
      '421',
      '422',
      '500',
      '503',
    ])
  })

  test('the schema of Idempotency-Key allows what the edge accepts: 1 to 255 visible characters without spaces', () => {
    const { pattern = '', maxLength } = components.parameters['IdempotencyKey']?.schema ?? {}
    const accepts = (key: string) => new RegExp(pattern, 'u').test(key)
    expect([accepts('9f1c-2'), accepts('!~'), accepts('a b'), accepts('é'), accepts('')]).toEqual([
      ...[true, true],
      ...[false, false, false],
    ])
    expect(maxLength).toBe(255)
  })

  test('a route on platform tables takes an Idempotency-Key', () => {
    const key = { $ref: '#/components/parameters/IdempotencyKey' }
    expect(paths['/platform/approve']?.post?.parameters).toContainEqual(key)
  })
})

describe('named schemas', () => {
  test('are defined once under components, and every operation refers to them', () => {
    const { components, paths } = openApiDocument(ROUTES, API)
    expect(Object.keys(components.schemas)).toEqual(['Company', 'Error', 'NewNote'])
    expect(components.schemas['Company']).toEqual({
      type: 'object',
      description: 'A company',
      required: ['id', 'name'],
      properties: { id: { type: 'string' }, name: { type: 'string' } },
    } satisfies JsonSchema)
    expect(JSON.stringify(paths).match(/#\/components\/schemas\/Company/g)).toHaveLength(2)
  })
})
