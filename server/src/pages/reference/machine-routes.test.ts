import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { OpenApiDocument } from '#http/openapi-types.ts'
import { type ProbeApp, serveProbes } from '#http/testing/probe-app.ts'
import { describedRoutes } from '#main/generated-documents.ts'
import { describeApi } from '#main/routes.ts'
import { feedRoutes, yamlOf } from './machine-routes.ts'
import type { OpenDemo } from './page.ts'
import type { PostmanCollection } from './postman.ts'
import { referenceRoutes } from './routes.ts'

const DOCUMENT: OpenApiDocument = describeApi(describedRoutes(), {
  brand: 'wefunder',
  baseUrl: 'https://api.example',
})
const DEMO: OpenDemo = {
  publishableKey: 'pk_test_demo',
  clientId: 'pk_test_public',
  scopes: [],
  ids: { co_: 'co_demo', ofr_: 'ofr_demo' },
  people: { founder: 'f@example.com', investor: 'i@example.com', manager: 'm@example.com', developer: 'd@example.com' },
  users: [],
}

let app: ProbeApp
beforeAll(async () => {
  app = await serveProbes([
    ...referenceRoutes(
      () => DOCUMENT,
      () => DEMO,
    ),
    ...feedRoutes({ scopes: [{ name: 'read:public' }], events: [{ name: 'offering.opened' }] }),
  ])
})
afterAll(() => app.close())

const get = (path: string) => fetch(app.url + path)

describe('GET /openapi.yaml', () => {
  test('200: the same document as the JSON', async () => {
    const response = await get('/openapi.yaml')
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/yaml'])
    const text = await response.text()
    expect(parse(text)).toEqual(await (await get('/openapi.json')).json())
    expect(text).toContain('\npaths:\n  "/.well-known/oauth-authorization-server":\n    get:\n')
  })

  test('304 for a client whose copy is current', async () => {
    const etag = (await get('/openapi.yaml')).headers.get('etag') ?? ''
    expect((await fetch(`${app.url}/openapi.yaml`, { headers: { 'If-None-Match': etag } })).status).toBe(304)
  })

  test.each([
    [{ no: 'no', on: null, '2026': [[], {}, [[1, 'a: b'], { c: [] }]], 'x-y': 'line\nbreak # no comment' }],
    ['text'],
    [[{ a: 1, b: [{ c: 2 }] }, [], 'é "quoted" \\ \u2028']],
  ])('%j has the same value when a YAML reader reads it', (value) => {
    expect(parse(yamlOf(value))).toEqual(value)
  })
})

test('the parent of the topics’ addresses redirects to the start of the reference', async () => {
  const answer = await fetch(`${app.url}/docs/api`, { redirect: 'manual' })
  expect([answer.status, answer.headers.get('location')]).toEqual([308, '/docs'])
  expect((await get('/docs/api')).status).toBe(200)
})

describe('the reference as Markdown', () => {
  test('200 for every page of the reference', async () => {
    const topics = [...DOCUMENT.tags.map(({ name }) => name), 'errors', 'scopes', 'schemas', 'schemas/Company']
    const paths = topics.map(
      (name) => `/docs/api/${name.replaceAll(' ', '-').replace(/^[A-Z]/, (it) => it.toLowerCase())}`,
    )
    for (const path of ['/docs', ...paths.map((one) => (one.includes('schemas/') ? one : one.toLowerCase()))]) {
      const response = await get(`${path}.md`)
      expect([path, response.status, response.headers.get('content-type')]).toEqual([
        path,
        200,
        'text/markdown; charset=utf-8',
      ])
      const text = await response.text()
      expect(text).toMatch(/^# \S/)
      expect(text.replace(/```.*?```|`[^`]*`/gs, '')).not.toMatch(/<(?:section|p|ul|li|code|a)[ >]/)
    }
  })

  test('has headings, fields, links to other pages as Markdown, and code', async () => {
    const text = await (await get('/docs/api/webhooks.md')).text()
    expect(text).toContain('\n## Create a webhook endpoint\n\nPOST `/webhook_endpoints`\n')
    expect(text).toMatch(/\n- `Idempotency-Key` string · in the header\n {2}/)
    expect(text).toMatch(/\]\(\/docs\/api\/errors\.md\)/)
    expect(text).toMatch(/```json\n\{/)
  })

  test('404 for a page that does not exist', async () => {
    expect((await get('/docs/api/nothing.md')).status).toBe(404)
    expect((await get('/docs/api/schemas/Nothing.md')).status).toBe(404)
  })
})

describe('GET /docs/postman.json', () => {
  const read = async () => (await (await get('/docs/postman.json')).json()) as PostmanCollection
  const operations = Object.values(DOCUMENT.paths).flatMap((item) => Object.values(item))

  test('200: the collection has a request for every operation that a program can call, and is smaller than 1 MB', async () => {
    const response = await get('/docs/postman.json')
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json'])
    expect((await response.text()).length).toBeLessThan(1_000_000)
    const names = (await read()).item.flatMap(({ item }) => item.map(({ name }) => name)).sort()
    const wanted = operations
      .filter(({ 'x-access': access = { open: '' }, tags }) => !('session' in access) && tags[0] !== 'Removed')
      .map(({ summary }) => summary)
      .sort()
    expect(names).toEqual(wanted)
  })

  test('contains the address of the service and the public values of the demo, and no secret', async () => {
    const { variable } = await read()
    const values = Object.fromEntries(variable.map(({ key, value }) => [key, value]))
    expect(values).toMatchObject({
      base_url: 'https://api.example',
      publishable_key: 'pk_test_demo',
      client_secret: '',
      operator_key: '',
      co_id: 'co_demo',
      ofr_id: 'ofr_demo',
    })
  })

  test('every variable that a request uses is defined', async () => {
    const collection = await read()
    const used = new Set([...JSON.stringify(collection.item).matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name))
    const defined = collection.variable.map(({ key }) => key)
    expect([...used].filter((name) => !defined.includes(name ?? ''))).toEqual([])
  })

  test('ids in bodies are the variables that paths use', async () => {
    const items = (await read()).item.flatMap(({ item }) => item)
    const bodyOf = (name: string) => items.find((item) => item.name === name)?.request.body as { raw: string }
    expect(JSON.parse(bodyOf('Create an installation').raw)).toMatchObject({ target_id: '{{co_id}}' })
    for (const { request } of items) expect(JSON.stringify(request)).not.toMatch(/"[a-z]+_[0-9A-Za-z]{24}\\?"/)
  })

  test('public reads are sent with the publishable key, and the token request names the client', async () => {
    const items = (await read()).item.flatMap(({ item }) => item)
    const requestOf = (name: string) => items.find((item) => item.name === name)?.request
    expect(requestOf('List open offerings')?.auth).toMatchObject({ bearer: [{ value: '{{publishable_key}}' }] })
    expect(requestOf('Get a company')?.url).toMatchObject({
      raw: '{{base_url}}/companies/:id',
      variable: [{ key: 'id', value: '{{co_id}}' }],
    })
    expect(requestOf('Create an access token')?.body).toMatchObject({
      mode: 'urlencoded',
      urlencoded: [{ value: 'client_credentials' }, { value: '{{client_id}}' }, { value: '{{client_secret}}' }],
    })
  })
})

describe('the lists of scopes and events', () => {
  test.each([
    ['/docs/scopes.json', 'read:public'],
    ['/docs/events.json', 'offering.opened'],
  ])('%s: 200, also for pages of every origin', async (path, name) => {
    const response = await fetch(app.url + path, { headers: { Origin: 'https://partner.example' } })
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, '*'])
    expect(await response.json()).toEqual({ data: [{ name }] })
  })
})
