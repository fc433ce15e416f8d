import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { open, operator, publicRead, user, visitor } from './access.ts'
import { route } from './route.ts'
import { countedAs } from './testing/counted.ts'
import { type ProbeApp, serveProbes } from './testing/probe-app.ts'
import { Ok, probe, respondsOk } from './testing/probe-route.ts'

let edge: ProbeApp
beforeAll(async () => {
  edge = await serveProbes([
    route({
      ...probe,
      ...respondsOk,
      operation: 'public',
      method: 'GET',
      path: '/public',
      access: publicRead('read:public'),
    }),
    route({
      ...probe,
      ...respondsOk,
      operation: 'addPublic',
      method: 'POST',
      path: '/public',
      access: user('write:things'),
    }),
    route({ ...probe, ...respondsOk, operation: 'own', method: 'GET', path: '/own', access: user('read:profile') }),
    route({ ...probe, ...respondsOk, operation: 'open', method: 'GET', path: '/open', access: open('a probe') }),
    route({
      ...probe,
      ...respondsOk,
      operation: 'platform',
      method: 'GET',
      path: '/platform/things',
      access: operator('viewer', 'platform'),
      alias: false,
    }),
    route({
      ...probe,
      ...respondsOk,
      operation: 'changePlatform',
      method: 'POST',
      path: '/platform/things',
      access: operator('viewer', 'platform'),
      alias: false,
    }),
    route({
      ...probe,
      operation: 'everybody',
      method: 'POST',
      path: '/everybody',
      access: open('a probe'),
      cors: 'any',
      bodyBytesMax: 2_048,
      schema: { body: Type.Object({ fail: Type.Optional(Type.Boolean()) }), response: { 200: Ok } },
      handler: async ({ body }) => {
        if (body.fail === true) throw new TypeError('x is undefined')
        return { status: 200, body: { ok: true } }
      },
    }),
  ])
})
afterAll(() => edge.close())

const ORIGIN = { origin: 'https://partner.example' }
const preflight = (path: string, method = 'GET') =>
  fetch(edge.url + path, { method: 'OPTIONS', headers: { ...ORIGIN, 'access-control-request-method': method } })
const read = (path: string, bearer: string, headers: Record<string, string> = {}) =>
  fetch(edge.url + path, { headers: { ...ORIGIN, authorization: `Bearer ${bearer}`, ...headers } })
const allowedOrigin = (response: Response) => response.headers.get('access-control-allow-origin')

describe('a bearer route of the partner API', () => {
  test('answers a preflight for its methods, at both of its paths', async () => {
    for (const path of ['/public', '/api/v2/public']) {
      const response = await preflight(path)
      expect(response.status).toBe(204)
      expect(allowedOrigin(response)).toBe('*')
      expect(response.headers.get('access-control-allow-methods')).toBe('GET, POST')
      expect(response.headers.get('access-control-allow-headers')).toBe(
        'Authorization, Content-Type, Wefunder-Version, Idempotency-Key, If-None-Match, Last-Event-ID',
      )
      expect(response.headers.get('access-control-max-age')).toBe('7200')
      expect(response.headers.get('access-control-allow-credentials')).toBeNull()
    }
  })

  test.each([
    ['/public', 'pk_test_public'],
    ['/public', 'at_test_client'],
    ['/public', 'at_test_install'],
    ['/own', 'at_test_user'],
  ])('%s is readable from any origin with %s, with the headers a client needs', async (path, bearer) => {
    const response = await read(path, bearer)
    expect(response.status).toBe(200)
    expect(allowedOrigin(response)).toBe('*')
    const exposed = response.headers.get('access-control-expose-headers') ?? ''
    for (const name of [
      'X-Request-Id',
      'X-Wf-Request-Id',
      'Wefunder-Version',
      'Wefunder-Version-Latest',
      'X-RateLimit-Limit',
      'X-RateLimit-Remaining',
      'X-RateLimit-Reset',
      'Idempotent-Replayed',
      'ETag',
    ]) {
      expect(exposed.split(', ')).toContain(name)
    }
  })

  test('a browser can read why its request was rejected', async () => {
    const unknown = await read('/public', 'pk_test_unknown')
    expect([unknown.status, allowedOrigin(unknown)]).toEqual([401, '*'])
    const badVersion = await read('/public', 'pk_test_public', { 'wefunder-version': 'x' })
    expect([badVersion.status, allowedOrigin(badVersion)]).toEqual([400, '*'])
    const noScope = await read('/own', 'pk_test_public')
    expect([noScope.status, allowedOrigin(noScope)]).toEqual([403, '*'])
    const otherMethod = await fetch(`${edge.url}/own`, { method: 'DELETE', headers: ORIGIN })
    expect([otherMethod.status, allowedOrigin(otherMethod)]).toEqual([405, '*'])
  })

  test('accepts only a bearer token, and no cookie, from another origin', async () => {
    const response = await read('/own', 'at_test_user')
    expect(response.headers.get('access-control-allow-credentials')).toBeNull()
    const basic = `Basic ${Buffer.from('pk_test_x:sk_test_x').toString('base64')}`
    const rejected = await fetch(`${edge.url}/own`, { headers: { ...ORIGIN, authorization: basic } })
    expect([rejected.status, rejected.headers.get('www-authenticate')]).toEqual([401, 'Bearer error="invalid_token"'])
  })

  test('a preflight is not counted by limits', async () => {
    let counted = 0
    const limited = await serveProbes(
      [route({ ...probe, ...respondsOk, operation: 'own', method: 'GET', path: '/own', access: user('read:profile') })],
      { ports: { limit: { of: () => (sent) => countedAs(sent, { requireAllowed: () => void counted++ }) } } },
    )
    onTestFinished(() => limited.close())
    const asked = { ...ORIGIN, 'access-control-request-method': 'GET' }
    expect((await fetch(`${limited.url}/own`, { method: 'OPTIONS', headers: asked })).status).toBe(204)
    expect(counted).toBe(0)
    await fetch(`${limited.url}/own`, { headers: { ...ORIGIN, authorization: 'Bearer at_test_user' } })
    expect(counted).toBe(1)
  })
})

describe('a route for pages of every origin', () => {
  const post = (body: string, headers: Record<string, string> = {}) =>
    fetch(`${edge.url}/everybody`, {
      method: 'POST',
      headers: { ...ORIGIN, 'content-type': 'application/json', ...headers },
      body,
    })

  test('answers a preflight for its methods and headers, at both of its paths', async () => {
    for (const path of ['/everybody', '/api/v2/everybody']) {
      const response = await preflight(path, 'POST')
      expect(response.status).toBe(204)
      expect(allowedOrigin(response)).toBe('*')
      expect(response.headers.get('access-control-allow-methods')).toBe('POST')
      expect(response.headers.get('access-control-allow-headers')).toBe('Content-Type, Wefunder-Version, If-None-Match')
      expect(response.headers.get('access-control-max-age')).toBe('7200')
      expect(response.headers.get('access-control-allow-credentials')).toBeNull()
    }
  })

  test('accepts no HTTP Basic from a page: a client secret must not be in a browser', async () => {
    const basic = { authorization: `Basic ${Buffer.from('pk_test_x:sk_test_x').toString('base64')}` }
    expect((await post('{}', basic)).status).toBe(403)
    const fromServer = await fetch(`${edge.url}/everybody`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...basic },
      body: '{}',
    })
    expect(fromServer.status).toBe(200)
  })

  test.each<[number, string, () => Promise<Response>]>([
    [200, 'the response', () => post('{}')],
    [200, 'the response to a request with a credential', () => post('{}', { authorization: 'Bearer at_test_user' })],
    [400, 'an unknown version', () => post('{}', { 'wefunder-version': 'x' })],
    [400, 'invalid JSON', () => post('{')],
    [405, 'another method', () => fetch(`${edge.url}/everybody`, { method: 'DELETE', headers: ORIGIN })],
    [413, 'a body too large', () => post(JSON.stringify({ note: 'x'.repeat(3_000) }))],
    [415, 'another media type', () => post('{}', { 'content-type': 'text/plain' })],
    [422, 'an unknown field', () => post('{"more":1}')],
    [500, 'an internal error', () => post('{"fail":true}')],
  ])('a page can read %i: %s', async (status, _, send) => {
    const response = await send()
    expect([response.status, allowedOrigin(response)]).toEqual([status, '*'])
    expect(response.headers.get('access-control-expose-headers')).toContain('X-Request-Id')
    expect(response.headers.get('access-control-allow-credentials')).toBeNull()
  })

  test.each([
    ['a cookie', visitor('a probe')],
    ['a token', user('read:profile')],
  ])('must not identify its caller by %s: a server with such a route does not start', async (_, access) => {
    const known = route({
      ...probe,
      ...respondsOk,
      operation: 'known',
      method: 'GET',
      path: '/known',
      cors: 'any',
      access,
    })
    await expect(serveProbes([known])).rejects.toThrow('cannot be for pages of every origin')
  })
})

describe('a route of the platform, a route without a credential, or an unknown path', () => {
  test('has no CORS headers, in responses or preflights', async () => {
    const responses = [
      await preflight('/platform/things'),
      await preflight('/open'),
      await preflight('/nowhere'),
      await read('/platform/things', 'ok_test_operator'),
      await read('/platform/things', 'stranger'),
      await read('/open', 'at_test_user'),
      await read('/nowhere', 'pk_test_public'),
      await fetch(`${edge.url}/platform/things`, { method: 'POST', headers: ORIGIN }),
    ]
    for (const response of responses) {
      expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
    }
  })
})
