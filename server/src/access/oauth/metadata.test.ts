import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isScopeName, SCOPE_CATALOGUE } from '#access/scopes/index.ts'
import { type ProbeApp, serveProbes } from '#http/testing/probe-app.ts'
import { oauthRoutes } from './routes.ts'
import { NO_CLIENT_LIMIT } from './testing/no-client-limit.ts'

/** There is no database behind these routes, because the metadata document must not need one. */
const offline = { test: {} as never, live: {} as never }
let app: ProbeApp
beforeAll(async () => {
  app = await serveProbes(
    oauthRoutes({ databases: offline, origin: () => 'https://portico.example', clientLimit: NO_CLIENT_LIMIT }),
  )
})
afterAll(() => app.close())

describe('GET /.well-known/oauth-authorization-server', () => {
  const read = async () => {
    const response = await fetch(`${app.url}/.well-known/oauth-authorization-server`)
    return { response, document: (await response.json()) as Readonly<Record<string, unknown>> }
  }

  test('names everything that a client needs (RFC 8414)', async () => {
    const { response, document } = await read()
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    const { scopes_supported: _, ...rest } = document
    expect(rest).toEqual({
      issuer: 'https://portico.example',
      authorization_endpoint: 'https://portico.example/oauth/authorize',
      token_endpoint: 'https://portico.example/oauth/token',
      revocation_endpoint: 'https://portico.example/oauth/revoke',
      introspection_endpoint: 'https://portico.example/oauth/introspect',
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
      revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
      introspection_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      request_parameter_supported: false,
      request_uri_parameter_supported: false,
      service_documentation: 'https://portico.example/docs',
      ui_locales_supported: ['en'],
    })
  })

  test('lists only scopes that an app can obtain and use, in the order of the catalogue', async () => {
    const scopes = (await read()).document['scopes_supported'] as readonly string[]
    expect(scopes).toEqual(
      expect.arrayContaining(['read:public', 'read:profile', 'write:syndicates', 'read:referral_codes']),
    )
    const groups = new Set(scopes.map((name) => (isScopeName(name) ? SCOPE_CATALOGUE[name].group : 'unknown')))
    for (const group of ['retired', 'reserved', 'internal', 'declared_not_selectable', 'unknown']) {
      expect(groups).not.toContain(group)
    }
  })

  test('may be read by pages of every origin and cached', async () => {
    const { response } = await read()
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect(response.headers.get('cache-control')).toBe('public, max-age=300')
  })

  test('405 with an OAuth error for another method', async () => {
    const response = await fetch(`${app.url}/.well-known/oauth-authorization-server`, { method: 'POST' })
    expect(response.status).toBe(405)
    expect(await response.json()).toMatchObject({ error: 'invalid_request' })
  })
})

test.each([
  '/.well-known/openid-configuration',
  '/oauth/register',
  '/oauth/userinfo',
  '/oauth/jwks',
  '/api/v2/oauth/register',
  '/api/v2/.well-known/oauth-authorization-server',
])('404 at %s: no OpenID Connect, no client registration, and no metadata under /api/v2', async (path) => {
  expect((await fetch(app.url + path)).status).toBe(404)
})
