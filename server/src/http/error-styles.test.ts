import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ApiError, type ErrorType } from '#kernel/errors.ts'
import { DatabaseUnavailable } from '#system/postgres/errors.ts'
import { open } from './access.ts'
import { oauthText } from './oauth-error.ts'
import { rateLimited } from './rate-limit.ts'
import { route } from './route.ts'
import { readError } from './testing/error-response.ts'
import { type ProbeApp, serveProbes } from './testing/probe-app.ts'
import { Ok, probe, respondsOk } from './testing/probe-route.ts'
import { sendRaw } from './testing/raw-http.ts'

const THROWN: Readonly<Record<string, () => Error>> = {
  unavailable: () => new DatabaseUnavailable('connection refused', null),
  bug: () => new TypeError('x is undefined'),
  limited: () => rateLimited({ limit: 1, periodSeconds: 60, retryAfterSeconds: 9, resetAt: 1 }),
}

/** A route with this error style. Each request fails in the way that its body names. */
const failing = (errorsAs: 'envelope' | 'oauth' | 'page') =>
  route({
    ...probe,
    operation: `fail${errorsAs}`,
    method: 'POST',
    path: `/${errorsAs}/:id`,
    alias: false,
    errorsAs,
    access: open('a probe'),
    accepts: ['application/json', 'application/x-www-form-urlencoded'],
    bodyBytesMax: 1_000,
    schema: {
      params: Type.Object({ id: Type.String({ maxLength: 5 }) }),
      query: Type.Object({ n: Type.Optional(Type.Integer()) }),
      body: Type.Object({ fail: Type.String() }),
      response: { 200: Ok },
    },
    handler: async ({ body }) => {
      throw (
        THROWN[body.fail]?.() ?? new ApiError(body.fail as ErrorType, { public: 'It’s “so”…', remediation: 'Do so.' })
      )
    },
  })

let edge: ProbeApp
beforeAll(async () => {
  const plain = { ...probe, ...respondsOk, method: 'POST', access: open('a probe') } as const
  edge = await serveProbes([
    failing('envelope'),
    failing('oauth'),
    failing('page'),
    route({ ...plain, operation: 'larger', path: '/larger', bodyBytesMax: 2_048 }),
    route({ ...plain, operation: 'usual', path: '/usual' }),
  ])
})
afterAll(() => edge.close())

type Sent = { readonly body?: string; readonly type?: string; readonly method?: string }

function send(path: string, { body = '{}', type = 'application/json', method = 'POST' }: Sent = {}) {
  const bodiless = method === 'GET' || method === 'DELETE'
  return fetch(edge.url + path, { method, ...(bodiless ? {} : { body, headers: { 'content-type': type } }) })
}

/** `fetch` does not allow Sec-Fetch headers. */
function rawGet(path: string, headers: Readonly<Record<string, string>>): Promise<string> {
  const lines = Object.entries({ host: '127.0.0.1', connection: 'close', ...headers })
  return sendRaw(edge.port, `GET ${path} HTTP/1.1\r\n${lines.map((line) => `${line.join(': ')}\r\n`).join('')}\r\n`)
}

/** Requests that fail before a handler runs, with the status in the envelope. */
const INPUT: readonly (readonly [what: string, path: string, sent: Sent, status: number])[] = [
  ['another method', '1', { method: 'DELETE' }, 405],
  ['a malformed path parameter', '123456', {}, 404],
  ['a malformed query', '1?n=x', {}, 400],
  ['invalid JSON', '1', { body: '{' }, 400],
  ['a field that is missing', '1', {}, 422],
  ['another media type', '1', { type: 'text/plain' }, 415],
  ['a body too large', '1', { body: `{"fail":"${'x'.repeat(1_000)}"}` }, 413],
]

const KEEPS_STATUS = new Set([404, 405, 413, 415])

describe('on a route of OAuth', () => {
  test.each(INPUT)('%s gives invalid_request in the format of RFC 6749', async (_, path, sent, status) => {
    const response = await send(`/oauth/${path}`, sent)
    expect(response.status).toBe(KEEPS_STATUS.has(status) ? status : 400)
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('x-request-id')).toMatch(/^req_/)
    expect(await response.json()).toEqual({ error: 'invalid_request', error_description: expect.any(String) })
    if (status === 405) expect(response.headers.get('allow')).toBe('OPTIONS, POST')
  })

  test('names the invalid fields in the description', async () => {
    const result = await (await send('/oauth/1', { body: '{"fall":1}' })).json()
    expect(result).toMatchObject({ error_description: 'fail is required; fall is not a field of this request.' })
  })

  test.each([
    ['bug', 500, 'server_error'],
    ['unavailable', 503, 'temporarily_unavailable'],
    ['forbidden', 403, 'access_denied'],
    ['invalid_token', 401, 'invalid_token'],
    ['illegal_transition', 400, 'invalid_request'],
  ])('%s is %i %s', async (fail, status, error) => {
    const response = await send('/oauth/1', { body: JSON.stringify({ fail }) })
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ error })
  })

  test('the description has only characters that RFC 6749 allows', async () => {
    const result = await (await send('/oauth/1', { body: '{"fail":"forbidden"}' })).json()
    expect(result).toMatchObject({ error_description: "It's 'so'..." })
    expect(oauthText('a\\b\nc"dé')).toBe("a?b?c'd?")
  })

  test('429 has the usual envelope', async () => {
    const response = await send('/oauth/1', { body: '{"fail":"limited"}' })
    expect(response.headers.get('x-ratelimit-limit')).toBe('1')
    expect((await readError(response)).type).toBe('rate_limit_exceeded')
  })
})

describe('on a page', () => {
  test.each(INPUT)('%s gives a page with the same status as the envelope', async (_, path, sent, status) => {
    const response = await send(`/page/${path}`, sent)
    expect(response.status).toBe(status)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('content-security-policy')).toContain("form-action 'self'")
    expect(response.headers.get('cache-control')).toBe('no-store')
    const text = await response.text()
    expect(text).toContain('<h1>')
    expect(text).toContain(response.headers.get('x-request-id'))
    expect(text).not.toMatch(/!(?!doctype)|oops/i)
  })

  test.each([
    ['bug', 500, 'Something went wrong on our side'],
    ['unavailable', 503, 'We cannot answer right now'],
    ['limited', 429, 'Too many tries'],
    ['not_found', 404, 'There is nothing here'],
    ['forbidden', 403, 'It’s “so”…'],
  ])('%s gives a page with status %i that explains the error', async (fail, status, words) => {
    const response = await send('/page/1', { body: JSON.stringify({ fail }) })
    const text = await response.text()
    expect(response.status).toBe(status)
    expect(text).toContain(words)
    expect(text).not.toMatch(/undefined|credential|connection refused/)
  })
})

test.each([
  ['/oauth/1', 'error_description', '1000 bytes'],
  ['/larger', 'message', '2 KiB'],
  ['/usual', 'message', '1 MiB'],
])('413 at %s names the limit of that route', async (path, field, limit) => {
  const text = await (await send(path, { body: `"${'x'.repeat(1_048_576)}"` })).text()
  expect(text).toContain(`"${field}":"The request body is larger than the ${limit} that this operation accepts."`)
})

describe('on other routes, and on unknown paths', () => {
  test.each(INPUT)('%s gives the envelope', async (_, path, sent, status) => {
    const response = await send(`/envelope/${path}`, sent)
    expect(response.status).toBe(status)
    await readError(response)
  })

  test('an unknown path gives the envelope, except for a person who followed a link or typed an address', async () => {
    await readError(await send('/oauth'))
    const response = await rawGet('/nowhere', { 'sec-fetch-mode': 'navigate' })
    expect(response).toContain('HTTP/1.1 404')
    expect(response).toContain('<h1>There is nothing here</h1>')
  })
})
