import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { heldBy, open, publicRead, user } from './access.ts'
import { route } from './route.ts'
import { type ErrorResponse, readError } from './testing/error-response.ts'
import { type ProbeApp, serveProbes } from './testing/probe-app.ts'
import { parseRaw, sendRaw } from './testing/raw-http.ts'

const Ok = Type.Object({ ok: Type.Boolean() })
const ok = async () => ({ status: 200 as const, body: { ok: true } })
const common = { summary: 'Probe', tag: 'probe', schema: { response: { 200: Ok } } }

const ROUTES = [
  route({
    ...common,
    operation: 'readThing',
    method: 'GET',
    path: '/things/:id',
    access: user('read:profile'),
    handler: ok,
  }),
  route({
    ...common,
    operation: 'dropThing',
    method: 'DELETE',
    path: '/things/:id',
    access: user('read:profile'),
    handler: ok,
  }),
  route({
    ...common,
    operation: 'makeThing',
    method: 'POST',
    path: '/things',
    access: heldBy(['user'], 'write:things'),
    handler: ok,
  }),
  route({
    ...common,
    operation: 'readPublic',
    method: 'GET',
    path: '/public',
    access: publicRead('read:public'),
    handler: ok,
  }),
  route({
    ...common,
    operation: 'health',
    method: 'GET',
    path: '/healthz',
    alias: false,
    access: open('a probe'),
    handler: ok,
  }),
  route({
    ...common,
    operation: 'fail',
    method: 'GET',
    path: '/fail',
    access: open('a probe'),
    handler: async () => {
      throw new Error('the inside: password=hunter2')
    },
  }),
]

let probe: ProbeApp
beforeAll(async () => {
  probe = await serveProbes(ROUTES)
})
afterAll(() => probe.close())

const USER = { authorization: 'Bearer at_test_user' }
const REQUEST_ID = /^req_[0-9A-Za-z]{24}$/

async function expectError(response: Response, status: number, type: string): Promise<ErrorResponse> {
  const error = await readError(response)
  expect([response.status, error.type]).toEqual([status, type])
  return error
}

describe('every answer', () => {
  test('has our request id in both headers, never the client’s', async () => {
    const response = await fetch(`${probe.url}/healthz`, {
      headers: { 'x-request-id': 'req_mine', 'x-wf-request-id': 'x' },
    })
    expect(response.status).toBe(200)
    expect(response.headers.get('x-request-id')).toMatch(REQUEST_ID)
    expect(response.headers.get('x-wf-request-id')).toBe(response.headers.get('x-request-id'))
    const again = await fetch(`${probe.url}/healthz`)
    expect(again.headers.get('x-request-id')).not.toBe(response.headers.get('x-request-id'))
  })

  test('has the security headers and no Server header', async () => {
    for (const path of ['/healthz', '/nowhere']) {
      const { headers } = await fetch(probe.url + path)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'")
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('x-powered-by')).toBeNull()
      expect(headers.get('server')).toBeNull()
      expect(headers.get('strict-transport-security')).toBeNull()
    }
  })
})

describe('paths', () => {
  test('API paths are also served under /api/v2, other paths are not', async () => {
    expect((await fetch(`${probe.url}/things/1`, { headers: USER })).status).toBe(200)
    expect((await fetch(`${probe.url}/api/v2/things/1`, { headers: USER })).status).toBe(200)
    await expectError(await fetch(`${probe.url}/api/v2/healthz`), 404, 'not_found')
  })

  test('404 for an unknown path, with or without a credential, and no lookup is made', async () => {
    const before = probe.lookups.length
    const { message, remediation } = await expectError(await fetch(`${probe.url}/nowhere`), 404, 'not_found')
    expect([message, remediation]).toEqual([
      'This path does not exist.',
      'Check the spelling of the path. GET /docs lists every path of the API.',
    ])
    await expectError(await fetch(`${probe.url}/things/1/`, { headers: USER }), 404, 'not_found')
    await expectError(
      await fetch(`${probe.url}/nowhere`, { method: 'POST', headers: USER, body: '{' }),
      404,
      'not_found',
    )
    expect(probe.lookups.length).toBe(before)
  })

  test('405 with Allow for a known path and another method', async () => {
    const response = await fetch(`${probe.url}/things/1`, {
      method: 'PUT',
      body: '{',
      headers: { 'content-type': 'x/y' },
    })
    const error = await expectError(response, 405, 'method_not_allowed')
    expect(response.headers.get('allow')).toBe('DELETE, GET, HEAD, OPTIONS')
    expect(error.message).toBe('This path exists, but not for PUT. It supports DELETE, GET, HEAD, OPTIONS.')
    const alias = await fetch(`${probe.url}/api/v2/things`)
    expect(alias.headers.get('allow')).toBe('OPTIONS, POST')
    expect((await fetch(`${probe.url}/%74hings`)).status).toBe(405)
  })

  test.each(['TRACE', 'PROPFIND', 'LOCK', 'SEARCH', 'QUERY'])(
    '405 for %s on a known path, 404 elsewhere',
    async (method) => {
      const send = async (path: string) =>
        parseRaw(await sendRaw(probe.port, `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`))
      const found = await send('/things/1')
      expect(found.status).toBe(405)
      expect(found.headers.get('allow')).toBe('DELETE, GET, HEAD, OPTIONS')
      expect(JSON.parse(found.body).error.request_id).toBe(found.headers.get('x-request-id'))
      expect((await send('/nowhere')).status).toBe(404)
    },
  )

  test('CONNECT gets our error format', async () => {
    const result = parseRaw(await sendRaw(probe.port, 'CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n'))
    expect(result.status).toBe(405)
    expect(JSON.parse(result.body).error.request_id).toBe(result.headers.get('x-wf-request-id'))
  })

  test('HEAD answers like GET without the body', async () => {
    const response = await fetch(`${probe.url}/things/1`, { method: 'HEAD', headers: USER })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-length')).toBe(String('{"ok":true}'.length))
    expect(await response.text()).toBe('')
    expect((await fetch(`${probe.url}/things/1`, { method: 'HEAD' })).status).toBe(401)
  })

  test('OPTIONS lists the methods without checking credentials', async () => {
    const response = await fetch(`${probe.url}/things/1`, { method: 'OPTIONS' })
    expect(response.status).toBe(204)
    expect(response.headers.get('allow')).toBe('DELETE, GET, HEAD, OPTIONS')
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    await expectError(await fetch(`${probe.url}/nowhere`, { method: 'OPTIONS' }), 404, 'not_found')
    expect(
      parseRaw(await sendRaw(probe.port, 'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).status,
    ).toBe(404)
  })

  test('400 for a path that is not percent-encoded correctly', async () => {
    for (const path of ['/things/%zz', '/things/%E0%A4%A', '/%c3%28']) {
      const result = parseRaw(await sendRaw(probe.port, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`))
      expect(result.status, path).toBe(400)
      expect(JSON.parse(result.body).error).toMatchObject({
        type: 'invalid_request',
        request_id: result.headers.get('x-request-id'),
      })
      expect(result.headers.get('x-content-type-options')).toBe('nosniff')
    }
  })

  test('if no route matched, a browser that asks for HTML gets a page', async () => {
    const html = 'Accept: text/html,application/xhtml+xml;q=0.9'
    for (const [head, status] of [
      [`GET /things/%zz HTTP/1.1\r\nHost: x\r\n${html}`, 400],
      [`GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n${html}`, 400],
      [`GET /nowhere HTTP/1.1\r\nHost: x\r\n${html}`, 404],
      [`GET / HTTP/1.1\r\nHost: x\r\n${html}\r\nCookie: ${'a'.repeat(20_000)}`, 431],
    ] as const) {
      const result = parseRaw(await sendRaw(probe.port, `${head}\r\nConnection: close\r\n\r\n`))
      expect([result.status, result.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8'])
      expect(result.body).toContain(result.headers.get('x-request-id'))
      expect(result.headers.get('content-security-policy')).toContain("default-src 'none'")
    }
    const found = await fetch(`${probe.url}/things/1`, { headers: { accept: 'text/html' } })
    expect(found.headers.get('content-type')).toContain('application/json')
  })

  test('a path segment may be longer than any id', async () => {
    const path = `${probe.url}/things/${'a'.repeat(10_000)}`
    expect((await fetch(path, { headers: USER })).status).toBe(200)
    await expectError(await fetch(path), 401, 'invalid_token')
  })
})

describe('an invalid request', () => {
  test.each([
    ['nonsense', 'HELLO\r\n\r\n', 400],
    ['an unknown method', 'BREW / HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['a bad header', 'GET / HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n', 400],
    [
      'a length and chunks',
      'POST /things HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['a header that is too long', `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
    ['a URL that is too long', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
    ['no host', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['two hosts', 'GET /healthz HTTP/1.1\r\nHost: x\r\nHost: y\r\nConnection: close\r\n\r\n', 400],
  ])('%s is rejected with a request id', async (_, text, status) => {
    const result = parseRaw(await sendRaw(probe.port, text))
    expect(result.status).toBe(status)
    const { error } = JSON.parse(result.body) as { error: ErrorResponse }
    expect(error).toMatchObject({ type: 'invalid_request', request_id: expect.stringMatching(REQUEST_ID) })
    expect(result.headers.get('x-request-id')).toBe(error.request_id)
    expect(result.headers.get('x-wf-request-id')).toBe(error.request_id)
    expect(result.headers.get('wefunder-version-latest')).toBe('2026-11-01')
    expect(result.headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('bytes after a complete request do not affect its response', async () => {
    const text = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nGARBAGE \0\r\n\r\n'
    expect(parseRaw(await sendRaw(probe.port, text)).status).toBe(200)
  })

  test('an unknown Expect is ignored', async () => {
    const text = 'GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\nConnection: close\r\n\r\n'
    expect(parseRaw(await sendRaw(probe.port, text)).status).toBe(200)
  })
})

describe('an unexpected error', () => {
  test('is 500 with a request id and no internal detail; the log has the detail', async () => {
    const response = await fetch(`${probe.url}/fail`)
    const error = await expectError(response, 500, 'internal_error')
    expect(JSON.stringify(error)).not.toContain('hunter2')
    await expect.poll(() => probe.logLines.find((line) => line.includes(error.request_id))).toContain('the inside')
  })
})
