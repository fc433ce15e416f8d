import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { lintOpenApi } from '../../../scripts/lint-openapi.ts'
import { liveOperator, open, signedIn, user, visitor } from '../../src/http/access.ts'
import { openApiDocument } from '../../src/http/openapi.ts'
import type { OpenApiDocument, Operation } from '../../src/http/openapi-types.ts'
import { route } from '../../src/http/route.ts'

const Company = Type.Object({ id: Type.String() }, { title: 'Company' })
const CLEAN = openApiDocument(
  [
    route({
      operation: 'getCompany',
      method: 'GET',
      path: '/companies/:company_id',
      summary: 'Get a company',
      description: 'Returns a company.',
      tag: 'Companies',
      access: user('read:public'),
      schema: { params: Type.Object({ company_id: Type.String() }), response: { 200: Company } },
      handler: async () => ({ status: 200, body: { id: 'co_1' } }),
    }),
  ],
  {
    title: 'Test API',
    brand: 'wefunder',
    baseUrl: 'https://api.example',
    scopes: { authorizationCode: { 'read:public': 'Read public data' }, clientCredentials: {} },
    webhooks: [{ event: 'a.b', description: 'S', tag: 'Events', payload: Company }],
  },
)

/** Routes for people, OAuth and the platform, which report errors in all existing formats. */
const probe = { summary: 'Test a probe', description: 'Does nothing.', tag: 'Probes', method: 'POST' } as const
const EVERY_KIND = openApiDocument(
  [
    route({
      ...probe,
      operation: 'askPerson',
      method: 'GET',
      path: '/ask',
      documented: true,
      errorsAs: 'page',
      access: visitor('a probe'),
      contentType: 'text/html; charset=utf-8',
      schema: { query: Type.Object({ state: Type.String() }), response: { 200: Type.String(), 303: Type.Null() } },
      handler: async () => ({ status: 200, body: '' }),
    }),
    route({
      ...probe,
      operation: 'changeMine',
      path: '/mine',
      access: signedIn(),
      schema: { response: { 200: Company } },
      platform: async () => ({ status: 200 as const, body: { id: 'co_1' } }),
    }),
    route({
      ...probe,
      operation: 'issueToken',
      path: '/token',
      errorsAs: 'oauth',
      access: open('a probe'),
      schema: { body: Type.Object({ grant_type: Type.String() }), response: { 200: Company } },
      handler: async () => ({ status: 200, body: { id: 'co_1' } }),
    }),
    route({
      ...probe,
      operation: 'approveApp',
      path: '/approve',
      access: liveOperator('compliance', 'platform'),
      schema: { response: { 200: Company } },
      platform: async () => ({ status: 200 as const, body: { id: 'co_1' } }),
    }),
  ],
  { title: 'Test API', brand: 'wefunder', baseUrl: 'https://api.example' },
)

/** Returns the clean document with its only operation changed, or moved to other paths. */
function spoiled(change: Partial<Record<keyof Operation, unknown>>, paths = ['/companies/{company_id}']): object {
  const operation = { ...CLEAN.paths['/companies/{company_id}']?.get, ...change }
  return { ...CLEAN, paths: Object.fromEntries(paths.map((path) => [path, { get: operation }])) }
}

describe('the OpenAPI lint', () => {
  test('finds no problem in the generated document', async () => {
    expect(await lintOpenApi(CLEAN)).toEqual([])
    expect(await lintOpenApi(EVERY_KIND)).toEqual([])
  })

  test('accepts only one operation without a success status: removing a member, which is always rejected', async () => {
    const never = { operationId: 'removeSyndicateMember', responses: { 422: { description: 'No' } } }
    expect(await lintOpenApi(spoiled(never))).not.toContainEqual(expect.stringContaining('no answer of success'))
  })

  test.each<[string, object, string]>([
    ['a document that is not OpenAPI 3.1', { ...CLEAN, info: {} }, "at /info: must have required property 'title'"],
    [
      'a reference to a missing component',
      { ...CLEAN, components: { ...CLEAN.components, schemas: {} } },
      'not OpenAPI 3.1',
    ],
    ['an empty summary', spoiled({ summary: ' ' }), 'GET /companies/{company_id} has no summary'],
    ['a summary of seven words', spoiled({ summary: 'Get a company with all its rounds' }), 'has a summary of 7 words'],
    [
      'a summary that does not begin with a verb of the glossary',
      spoiled({ summary: 'Company of an id' }),
      'first word is not a verb of docs/glossary.md: "Company of an id"',
    ],
    ['no description', spoiled({ description: ' ' }), 'has no description'],
    ['an operationId that is not a name', spoiled({ operationId: 'get-company' }), 'has no operationId in camelCase'],
    ['no tag', spoiled({ tags: [] }), 'does not have exactly one tag'],
    ['a tag that is not listed', spoiled({ tags: ['Elsewhere'] }), 'a tag that is not listed: Elsewhere'],
    ['two operations of one name', spoiled({}, ['/a/{company_id}', '/b/{company_id}']), 'getCompany names GET /a/'],
    ['one path under two names', spoiled({}, ['/a/{x}', '/a/{y}']), 'one path, two names: /a/{x}, /a/{y}'],
    ['no answer of success', spoiled({ responses: { 404: { description: 'No' } } }), 'declares no answer of success'],
    ['an undeclared path parameter', spoiled({ parameters: [] }), 'does not declare {company_id}'],
    ['a declared path parameter that is not in the path', spoiled({}, ['/companies']), 'which its path lacks'],
    ['a missing rule about who may call', spoiled({ 'x-access': undefined }), 'does not say who may call'],
    ['an unknown credential', spoiled({ security: [{ magic: [] }] }), 'wants an unknown credential: magic'],
    [
      'a scope that no flow grants',
      spoiled({ security: [{ oauth2: ['read:ghosts'] }] }),
      'no flow grants: read:ghosts',
    ],
    [
      'a server that is a path',
      { ...CLEAN, servers: [{ url: '/', description: 'Here' }] },
      'the server / is not absolute',
    ],
    ['a schema without a reference to it', unused(CLEAN), 'nothing refers to the schema Ghost'],
  ])('finds %s', async (_what, document, problem) => {
    expect((await lintOpenApi(document)).join('\n')).toContain(problem)
  })
})

function unused(document: OpenApiDocument): object {
  const schemas = { ...document.components.schemas, Ghost: {} }
  return { ...document, components: { ...document.components, schemas } }
}
