import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AuthorizationServer, credentialsOf, openAuthorizationServer } from './testing/authorization-server.ts'

/** These tests send requests like web pages on other origins, because an app may use a public key in its page. */

let server: AuthorizationServer
beforeAll(async () => {
  server = await openAuthorizationServer()
})
afterAll(() => server.close())

const ORIGIN = { origin: 'https://spa.example' }
const METADATA = '/.well-known/oauth-authorization-server'

const preflight = (path: string, method: string) =>
  fetch(server.app.url + path, {
    method: 'OPTIONS',
    headers: {
      ...ORIGIN,
      'access-control-request-method': method,
      'access-control-request-headers': 'authorization,content-type,wefunder-version',
    },
  })

const corsOf = ({ headers }: Response) => [...headers.keys()].filter((name) => name.startsWith('access-control'))

describe('a page of any origin', () => {
  test.each([
    ['/oauth/token', 'POST'],
    ['/oauth/revoke', 'POST'],
    [METADATA, 'GET'],
  ])('%s: a CORS preflight lists what a browser may send', async (path, method) => {
    const response = await preflight(path, method)
    expect(response.status).toBe(204)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': method,
      'access-control-allow-headers': 'Content-Type, Wefunder-Version, If-None-Match',
    })
    expect(response.headers.get('access-control-allow-credentials')).toBeNull()
  })

  test.each(['/oauth/token', '/oauth/revoke'])(
    '%s: the page can read every response, including errors of the HTTP layer',
    async (path) => {
      const key = await server.key({ clientType: 'public' })
      const post = (body: string, headers: Record<string, string> = {}) =>
        fetch(server.app.url + path, {
          method: 'POST',
          headers: { ...ORIGIN, 'content-type': 'application/x-www-form-urlencoded', ...headers },
          body,
        })
      const good = new URLSearchParams({ ...credentialsOf(key), grant_type: 'refresh_token', token: 'x' }).toString()
      const responses = [
        await post(good),
        await post('client_id=pk_test_000000000000000000000000'),
        await post(`x=${'a'.repeat(65_536)}`),
        await post(good, { 'content-type': 'text/plain' }),
        await post(good, { 'wefunder-version': '1999-01-01' }),
        await fetch(server.app.url + path, { headers: ORIGIN }),
      ]
      expect(responses.map(({ status }) => status)).toEqual([
        path === '/oauth/token' ? 400 : 200,
        401,
        413,
        415,
        400,
        405,
      ])
      for (const { headers } of responses) {
        expect(headers.get('access-control-allow-origin')).toBe('*')
        expect(headers.get('access-control-allow-credentials')).toBeNull()
      }
    },
  )

  test('gets no CORS headers on routes that need a secret or a signed-in person', async () => {
    const introspect = await fetch(`${server.app.url}/oauth/introspect`, { method: 'POST', headers: ORIGIN })
    expect(corsOf(introspect)).toEqual([])
    expect(corsOf(await preflight('/oauth/introspect', 'POST'))).toEqual([])
    expect(corsOf(await preflight('/oauth/authorize', 'GET'))).toEqual([])
  })
})
