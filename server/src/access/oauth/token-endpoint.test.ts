import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { KeyState } from '#access/apps/index.ts'
import {
  type AuthorizationServer,
  basicOf,
  credentialsOf,
  type Fields,
  type Key,
  oauthError,
  openAuthorizationServer,
} from './testing/authorization-server.ts'

let server: AuthorizationServer
beforeAll(async () => {
  server = await openAuthorizationServer()
})
afterAll(() => server.close())

const token = (key: Key, fields: Fields) => server.as(key, '/oauth/token', fields)
const CLIENT = { grant_type: 'client_credentials' }

describe('POST /oauth/token', () => {
  test('returns exactly the fields of the contract, with no-store', async () => {
    const { status, headers, body } = await token(await server.key(), CLIENT)
    expect(status).toBe(200)
    expect(body).toEqual({
      access_token: expect.stringMatching(/^at_test_[A-Za-z0-9_-]{43}$/),
      token_type: 'Bearer',
      expires_in: 86_400,
      scope: 'read:public',
      created_at: expect.any(Number),
    })
    expect(Math.abs(Number(body['created_at']) - Date.now() / 1_000)).toBeLessThan(60)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('pragma')).toBe('no-cache')
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  })

  test('accepts JSON with the same fields', async () => {
    const key = await server.key()
    const response = await server.send('/oauth/token', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...CLIENT, ...credentialsOf(key), scope: 'read:public' }),
    })
    expect(response).toMatchObject({ status: 200, body: { scope: 'read:public' } })
  })

  test('ignores unknown parameters', async () => {
    expect(await token(await server.key(), { ...CLIENT, audience: 'x', resource: 'y' })).toMatchObject({ status: 200 })
  })

  test('lets pages of every origin read the response, because they may use public keys; CORS allows no credentials', async () => {
    const { headers } = await token(await server.key(), CLIENT)
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('access-control-allow-credentials')).toBeNull()
  })

  test('writes the error code of a rejection to the log, but not its description', async () => {
    const { headers, body } = await token(await server.key(), { grant_type: 'refresh_token', refresh_token: 'x' })
    const find = () => server.app.logLines.filter((line) => line.includes(headers.get('x-request-id') ?? ''))
    await expect.poll(find).toHaveLength(1)
    expect(JSON.parse(find()[0] ?? '')).toMatchObject({
      operation: 'createToken',
      status: 400,
      error_type: 'invalid_grant',
    })
    expect(find()[0]).not.toContain(String(body['error_description']))
  })

  test('writes no credential to the log', async () => {
    const key = await server.key()
    const { body } = await token(key, CLIENT)
    await token({ ...key, secret: 'sk_test_guessed' }, CLIENT)
    const log = server.app.logLines.join('\n')
    for (const secret of [key.secret, String(body['access_token']), 'guessed', key.clientId]) {
      expect(log).not.toContain(secret)
    }
  })

  test('400 invalid_request without grant_type', async () => {
    expect(await token(await server.key(), { scope: 'read:public' })).toMatchObject(oauthError('invalid_request'))
  })

  test.each([
    'password',
    'implicit',
    'urn:ietf:params:oauth:grant-type:device_code',
    'constructor',
    'CLIENT_CREDENTIALS',
  ])('400 unsupported_grant_type for %s', async (grant_type) => {
    expect(await token(await server.key(), { grant_type })).toMatchObject(oauthError('unsupported_grant_type'))
  })
})

describe('a client authenticates', () => {
  test('with client_secret_basic', async () => {
    const key = await server.key()
    expect(await server.post('/oauth/token', CLIENT, basicOf(key))).toMatchObject({ status: 200 })
  })

  test('with client_secret_basic, whose two parts are form-encoded', async () => {
    const { clientId, secret } = await server.key()
    const escaped = (text: string) => text.replaceAll('_', '%5F').replaceAll('-', '%2D')
    const pair = { clientId: escaped(clientId) as typeof clientId, secret: escaped(secret) }
    expect(await server.post('/oauth/token', CLIENT, basicOf(pair))).toMatchObject({ status: 200 })
  })

  test('with client_secret_post', async () => {
    expect(await token(await server.key(), CLIENT)).toMatchObject({ status: 200 })
  })

  test('with a replaced secret until it expires, and not after that', async () => {
    const key = await server.key()
    const sql = 'update platform.app_secrets set expires_at = clock_timestamp() + $2::interval where key_id = $1'
    await server.db.sql(sql, [key.clientId, '1 hour'])
    expect(await token(key, CLIENT)).toMatchObject({ status: 200 })
    await server.db.sql(sql, [key.clientId, '-1 second'])
    expect(await token(key, CLIENT)).toMatchObject(oauthError('invalid_client', 401))
  })

  test('401 invalid_client for a wrong secret, with a challenge only if the header was used', async () => {
    const [key, other] = [await server.key(), await server.key()]
    const wrong = { ...key, secret: other.secret }
    const responses = {
      basic: await server.post('/oauth/token', CLIENT, basicOf(wrong)),
      post: await token(wrong, CLIENT),
    }
    for (const response of Object.values(responses)) {
      expect(response).toMatchObject(oauthError('invalid_client', 401))
      expect(response.headers.get('cache-control')).toBe('no-store')
    }
    expect(responses.basic.headers.get('www-authenticate')).toBe('Basic realm="oauth", charset="UTF-8"')
    expect(responses.post.headers.get('www-authenticate')).toBeNull()
  })

  test('401 invalid_client for a confidential key without its secret', async () => {
    const key = await server.key()
    expect(await token({ ...key, secret: '' }, CLIENT)).toMatchObject(oauthError('invalid_client', 401))
    expect(await server.post('/oauth/token', CLIENT, basicOf({ ...key, secret: '' }))).toMatchObject(
      oauthError('invalid_client', 401),
    )
  })

  test('401 invalid_client for a public key with a secret', async () => {
    const key = await server.key({ clientType: 'public' })
    const { secret } = await server.key()
    expect(await token({ ...key, secret }, CLIENT)).toMatchObject(oauthError('invalid_client', 401))
  })

  test.each(['pk_test_000000000000000000000000', 'pk_test_short', 'someone', 'app_000000000000000000000000'])(
    '401 invalid_client for an unknown client: %s',
    async (client_id) => {
      const response = await server.post('/oauth/token', { ...CLIENT, client_id, client_secret: 'x' })
      expect(response).toMatchObject(oauthError('invalid_client', 401))
    },
  )

  test.each<KeyState>(['suspended', 'disabled', 'ended', 'revoked'])(
    '401 invalid_client for a key that is %s, with the right secret',
    async (state) => {
      expect(await token(await server.key({ state }), CLIENT)).toMatchObject(oauthError('invalid_client', 401))
    },
  )

  test('400 invalid_request for blank and for missing credentials', async () => {
    const blank = { ...CLIENT, client_id: '', client_secret: '' }
    expect(await server.post('/oauth/token', blank)).toMatchObject(oauthError('invalid_request'))
    expect(await server.post('/oauth/token', CLIENT)).toMatchObject(oauthError('invalid_request'))
    expect(await server.post('/oauth/token', CLIENT, { authorization: 'Basic Og==' })).toMatchObject(
      oauthError('invalid_request'),
    )
  })

  test('400 invalid_request for two methods at once, even if the credentials of both are right', async () => {
    const key = await server.key()
    const response = await server.post('/oauth/token', { ...CLIENT, ...credentialsOf(key) }, basicOf(key))
    expect(response).toMatchObject(oauthError('invalid_request'))
  })

  test('400 invalid_request for another client_id in the body than in the header', async () => {
    const [key, other] = [await server.key(), await server.key()]
    const response = await server.post('/oauth/token', { ...CLIENT, client_id: other.clientId }, basicOf(key))
    expect(response).toMatchObject(oauthError('invalid_request'))
  })

  test('400 invalid_request for credentials in the query, which are ignored', async () => {
    const query = new URLSearchParams(credentialsOf(await server.key()))
    expect(await server.post(`/oauth/token?${query}`, CLIENT)).toMatchObject(oauthError('invalid_request'))
  })
})
