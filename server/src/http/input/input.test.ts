import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { idPattern, newId } from '#kernel/ids.ts'
import { open, user } from '../access.ts'
import { pageQuery } from '../pagination.ts'
import { route } from '../route.ts'
import { readError } from '../testing/error-response.ts'
import { type ProbeApp, serveProbes } from '../testing/probe-app.ts'
import { probe, respondsOk } from '../testing/probe-route.ts'
import { parseRaw, sendRaw } from '../testing/raw-http.ts'

const Echo = Type.Object({ echo: Type.String() })
const echo = async (given: { params: unknown; query: unknown; body: unknown }) => {
  const { params, query, body } = given
  return { status: 200 as const, body: { echo: JSON.stringify({ params, query, body }) } }
}
const writes = { ...probe, method: 'POST', access: user('write:things') } as const

const Session = Type.Object({
  email: Type.String({ format: 'email', maxLength: 50 }),
  cents: Type.Integer({ minimum: 100, multipleOf: 100 }),
  kind: Type.Union([Type.Literal('one'), Type.Literal('two')]),
  tier: Type.Optional(Type.Enum(['high', 'low'], { type: 'string' })),
  note: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  tags: Type.Optional(Type.Array(Type.String(), { maxItems: 3, uniqueItems: true })),
  metadata: Type.Optional(Type.Record(Type.String(), Type.String())),
})

let edge: ProbeApp
beforeAll(async () => {
  edge = await serveProbes([
    route({
      ...probe,
      operation: 'search',
      method: 'GET',
      path: '/search/:company_id',
      access: user('read:profile'),
      schema: {
        params: Type.Object({ company_id: Type.String({ pattern: idPattern('company') }) }),
        query: Type.Object({
          ...pageQuery(),
          industry: Type.Optional(Type.Array(Type.Enum(['a', 'b', 'c']))),
          limits: Type.Optional(Type.Array(Type.Integer())),
          followed: Type.Optional(Type.Boolean()),
          price: Type.Optional(Type.Number()),
          sort: Type.Optional(Type.Union([Type.Literal('new'), Type.Literal('old')], { default: 'new' })),
        }),
        response: { 200: Echo },
      },
      handler: echo,
    }),
    route({
      ...writes,
      operation: 'make',
      path: '/make',
      schema: { body: Session, response: { 200: Echo } },
      handler: echo,
    }),
    route({
      ...writes,
      operation: 'mint',
      path: '/mint',
      schema: { body: Type.Object({ scopes: Type.Optional(Type.Array(Type.String())) }), response: { 200: Echo } },
      handler: echo,
    }),
    route({ ...writes, ...respondsOk, operation: 'ping', path: '/ping' }),
    route({
      ...probe,
      ...respondsOk,
      operation: 'remove',
      method: 'DELETE',
      path: '/ping',
      access: user('write:things'),
    }),
    route({
      ...probe,
      operation: 'raw',
      method: 'GET',
      path: '/raw',
      access: open('a probe'),
      queryAs: 'raw',
      schema: { query: Type.Object({ n: Type.Integer() }), response: { 200: Echo } },
      handler: async ({ query: { values, malformed } }) => ({
        status: 200,
        body: { echo: JSON.stringify({ query: [[...values], malformed] }) },
      }),
    }),
    route({
      ...probe,
      operation: 'form',
      method: 'POST',
      path: '/form',
      access: open('a probe'),
      accepts: ['application/x-www-form-urlencoded', 'application/json'],
      schema: { body: Type.Object({ grant_type: Type.String() }), response: { 200: Echo } },
      handler: echo,
    }),
  ])
})
afterAll(() => edge.close())

const USER = { authorization: 'Bearer at_test_user' }
const JSON_TYPE = { 'content-type': 'application/json' }
const COMPANY = newId('company')

const search = (query: string, id: string = COMPANY) => fetch(`${edge.url}/search/${id}${query}`, { headers: USER })
const post = (path: string, body?: RequestInit['body'], headers: Record<string, string> = JSON_TYPE) =>
  fetch(edge.url + path, { method: 'POST', headers: { ...USER, ...headers }, ...(body === undefined ? {} : { body }) })
const postJson = (path: string, body: unknown) => post(path, JSON.stringify(body))

async function seen(response: Response): Promise<{ params: unknown; query: unknown; body: unknown }> {
  const text = await response.text()
  if (response.status !== 200) throw new Error(text)
  return JSON.parse((JSON.parse(text) as { echo: string }).echo)
}
async function rejected(response: Response, status: number, type: string) {
  const error = await readError(response)
  expect([response.status, error.type]).toEqual([status, type])
  return (error.details?.['fields'] ?? []) as { field: string; code: string; message: string }[]
}
const codes = (fields: { field: string; code: string }[]) => fields.map(({ field, code }) => `${field}: ${code}`).sort()

describe('path parameters', () => {
  test.each(['ofr_123', 'co_', `${COMPANY}0`, `co_${'%00'.repeat(24)}`, '%F0%9F%92%A9'])(
    '%s gives 404 like an id that does not exist',
    async (id) => {
      const error = await readError(await search('', id))
      expect(error).toEqual({
        type: 'not_found',
        message: expect.any(String),
        remediation: expect.any(String),
        request_id: expect.any(String),
      })
    },
  )
})

describe('query parameters', () => {
  test('are read as the schema’s types, with its defaults', async () => {
    const { query } = await seen(await search('?per_page=7&followed=true&price=1.5&limits=1,2'))
    expect(query).toEqual({ per_page: 7, followed: true, price: 1.5, limits: [1, 2], sort: 'new' })
  })

  test('that are not declared are ignored, repeated or not', async () => {
    expect((await seen(await search('?utm_source=x&utm_source=y&__proto__=1&constructor=2'))).query).toEqual({
      sort: 'new',
    })
  })

  test('that are lists may be given several times, joined by commas, or both', async () => {
    for (const query of [
      '?industry=a,b,c',
      '?industry=a&industry=b&industry=c',
      '?industry=a%2Cb&industry=c',
      '?industry=a,b,,c,',
    ]) {
      expect((await seen(await search(query))).query).toMatchObject({ industry: ['a', 'b', 'c'] })
    }
  })

  test.each([
    ['?per_page=ten', 'per_page: invalid_type'],
    ['?per_page=', 'per_page: invalid_type'],
    ['?per_page=2.5', 'per_page: invalid_type'],
    ['?per_page=1e2', 'per_page: invalid_type'],
    ['?per_page=0x10', 'per_page: invalid_type'],
    ['?per_page=%205', 'per_page: invalid_type'],
    ['?per_page=1&per_page=2', 'per_page: duplicate'],
    ['?sort=best', 'sort: invalid_choice'],
    ['?followed=yes', 'followed: invalid_type'],
    ['?industry=a,z', 'industry[1]: invalid_choice'],
    ['?cursor=a%00b', 'cursor: invalid_text'],
  ])('%s gives 400 with the name of the parameter', async (query, expected) => {
    expect(codes(await rejected(await search(query), 400, 'invalid_request'))).toEqual([expected])
  })

  test('400 for a query that is not percent-encoded UTF-8', async () => {
    for (const query of ['?cursor=%zz', '?cursor=%ff', '?%E0%A4%A=1', '?cursor=%ED%A0%80']) {
      const text = `GET /search/${COMPANY}${query} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer at_test_user\r\nConnection: close\r\n\r\n`
      expect(parseRaw(await sendRaw(edge.port, text)).status, query).toBe(400)
    }
  })
})

describe('a raw query', () => {
  test('has every value of every name, whatever types the schema declares', async () => {
    const { query } = await seen(await fetch(`${edge.url}/raw?n=x&n=&other=a%2Cb+c`))
    const values = [
      ['n', ['x', '']],
      ['other', ['a,b c']],
    ]
    expect(query).toEqual([values, false])
  })

  test('has a mark if it cannot be decoded, so that the route can reject it', async () => {
    expect((await seen(await fetch(`${edge.url}/raw?a=%zz&b=1`))).query).toEqual([[['b', ['1']]], true])
    expect((await seen(await fetch(`${edge.url}/raw`))).query).toEqual([[], false])
  })
})

describe('bodies', () => {
  const GOOD = { email: 'a@b.example', cents: 500, kind: 'one' }

  test('arrive as they were sent', async () => {
    const body = { ...GOOD, note: null, tags: ['x'], metadata: { constructor: 'kept', toString: 'too' } }
    expect((await seen(await postJson('/make', body))).body).toEqual(body)
  })

  test('422 with every wrong field, and values are never coerced', async () => {
    const fields = await rejected(
      await postJson('/make', {
        email: 'nobody',
        cents: '500',
        kind: 'three',
        note: 5,
        tags: ['a', 'a'],
        colour: 'red',
      }),
      422,
      'validation_error',
    )
    expect(codes(fields)).toEqual([
      'cents: invalid_type',
      'colour: unknown_field',
      'email: invalid_format',
      'kind: invalid_choice',
      'note: invalid_type',
      'tags: duplicate',
    ])
    expect(fields.find(({ field }) => field === 'kind')?.message).toBe('must be one of: one, two')
    expect(fields.find(({ field }) => field === 'note')?.message).toBe('must be a string or null')
  })

  test.each([null, 3, 'none'])('one error for %j where only listed values are allowed', async (tier) => {
    const fields = await rejected(await postJson('/make', { ...GOOD, tier }), 422, 'validation_error')
    expect(fields).toEqual([{ field: 'tier', code: 'invalid_choice', message: 'must be one of: high, low' }])
  })

  test('422 with the missing fields for an empty body', async () => {
    for (const response of [await post('/make', undefined, {}), await post('/make', ''), await postJson('/make', {})]) {
      expect(codes(await rejected(response, 422, 'validation_error'))).toEqual([
        'cents: required',
        'email: required',
        'kind: required',
      ])
    }
  })

  test.each([null, [], 'text', 5, true])('422 for %j instead of an object', async (body) => {
    expect(codes(await rejected(await postJson('/make', body), 422, 'validation_error'))).toEqual([
      'body: invalid_type',
    ])
  })

  test.each([
    '{',
    '{"a":1}x',
    '{"a":NaN}',
    "{'a':1}",
    '\u0000',
    Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
  ])('400 for malformed JSON %j, without a list of fields', async (body) => {
    expect(await rejected(await post('/make', body), 400, 'invalid_request')).toEqual([])
  })

  test.each([
    ['{"email":"a\\u0000@b.example"}', 'email: invalid_text'],
    ['{"tags":["a","\\ud800"]}', 'tags[1]: invalid_text'],
    ['{"metadata":{"\\u0000":"x"}}', 'metadata: invalid_text'],
    ['{"__proto__":{"admin":true}}', 'body: unknown_field'],
    ['{"metadata":{"__proto__":"x"}}', 'metadata: unknown_field'],
  ])('422 for %s', async (body, expected) => {
    expect(codes(await rejected(await post('/make', body), 422, 'validation_error'))).toEqual([expected])
    expect(({} as { admin?: boolean }).admin).toBeUndefined()
  })

  test('400 for a body that is nested too deeply', async () => {
    await rejected(await post('/make', `${'['.repeat(200_000)}${']'.repeat(200_000)}`), 400, 'invalid_request')
  })

  test('422 with at most 50 errors, and with only one for a body of more than 10,000 values', async () => {
    const send = async (count: number) =>
      rejected(await postJson('/mint', { scopes: Array(count).fill(1) }), 422, 'validation_error')
    expect((await send(500)).length).toBe(50)
    expect(codes(await send(200_000))).toEqual(['body: invalid'])
  })

  test('are optional if no field is required, with or without a content type', async () => {
    for (const headers of [{}, JSON_TYPE, { 'content-type': 'text/plain' }]) {
      expect((await seen(await post('/mint', undefined, headers))).body).toEqual({})
      expect((await post('/ping', undefined, headers)).status).toBe(200)
    }
    expect((await postJson('/ping', {})).status).toBe(200)
    expect(codes(await rejected(await postJson('/ping', { a: 1 }), 422, 'validation_error'))).toEqual([
      'a: unknown_field',
    ])
    expect((await fetch(`${edge.url}/ping`, { method: 'DELETE', headers: { ...USER, ...JSON_TYPE } })).status).toBe(200)
  })

  test.each([
    ['text/plain', { 'content-type': 'text/plain' }],
    ['a form instead of JSON', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['another charset', { 'content-type': 'application/json; charset=utf-16' }],
    ['a compressed body', { ...JSON_TYPE, 'content-encoding': 'gzip' }],
    ['nonsense', { 'content-type': ';;' }],
  ])('415 for %s', async (_, headers) => {
    await rejected(await post('/make', JSON.stringify(GOOD), headers), 415, 'unsupported_media_type')
  })

  test('415 for a body without a content type', async () => {
    await rejected(await post('/make', new Blob([JSON.stringify(GOOD)]), {}), 415, 'unsupported_media_type')
  })

  test('the content type of JSON may name UTF-8', async () => {
    expect(
      (await post('/make', JSON.stringify(GOOD), { 'content-type': 'Application/JSON; Charset="UTF-8"' })).status,
    ).toBe(200)
  })

  test('413 over 1 MiB, whether the length is announced or not', async () => {
    const big = JSON.stringify({ note: 'x'.repeat(1_100_000) })
    await rejected(await post('/make', big), 413, 'payload_too_large')
    const chunked = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(big))
        controller.close()
      },
    })
    const init = { method: 'POST', headers: { ...USER, ...JSON_TYPE }, body: chunked, duplex: 'half' as const }
    await rejected(await fetch(`${edge.url}/make`, init), 413, 'payload_too_large')
  })
})

describe('a body that no handler gets', () => {
  test('is read to its end if its length is known, so that the client gets the reason and can use the connection again', async () => {
    const bytes = 3_000_000
    const head = `POST /make HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer at_test_user\r\nContent-Type: application/json\r\n`
    const next = `GET /nowhere HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`
    const text = await sendRaw(edge.port, `${head}Content-Length: ${bytes}\r\n\r\n${'x'.repeat(bytes)}${next}`)
    expect(text.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 404'])
  })

  test('of a GET request is ignored', async () => {
    const text = `GET /search/${COMPANY} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer at_test_user\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc`
    expect(parseRaw(await sendRaw(edge.port, text)).status).toBe(200)
  })
})

describe('forms, on routes that accept them', () => {
  const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

  test('are read by the same schema as JSON', async () => {
    expect((await seen(await post('/form', 'grant_type=a+b%21', FORM))).body).toEqual({ grant_type: 'a b!' })
    expect((await seen(await postJson('/form', { grant_type: 'a' }))).body).toEqual({ grant_type: 'a' })
  })

  test('a field given twice is rejected', async () => {
    expect(
      codes(await rejected(await post('/form', 'grant_type=a&grant_type=b', FORM), 422, 'validation_error')),
    ).toEqual(['grant_type: invalid_type'])
  })

  test('400 for a form that is not percent-encoded', async () => {
    await rejected(await post('/form', 'grant_type=%zz', FORM), 400, 'invalid_request')
  })
})
