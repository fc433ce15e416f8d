import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lockClient } from '#access/apps/index.ts'
import { mintInstallationToken } from '#access/tokens/index.ts'
import {
  type AuthorizationServer,
  basicOf,
  type Fields,
  type Key,
  oauthError,
  openAuthorizationServer,
  redeeming,
} from './testing/authorization-server.ts'

let server: AuthorizationServer
beforeAll(async () => {
  server = await openAuthorizationServer()
})
afterAll(() => server.close())

const introspect = (key: Key, token: unknown, more: Fields = {}) =>
  server.as(key, '/oauth/introspect', { token: String(token), ...more })
const connected = async (key: Key) => {
  const granted = await server.consent(key, { scopes: ['read:profile', 'read:investments'] })
  const { body } = await server.as(key, '/oauth/token', redeeming(granted))
  return { ...granted, access: body['access_token'], refresh: body['refresh_token'] }
}
const inactive = { status: 200, body: { active: false } }

describe('POST /oauth/introspect', () => {
  test('returns the user, scopes and expiry of a user token', async () => {
    const key = await server.key()
    const { access, user, installation } = await connected(key)
    const { status, headers, body } = await introspect(key, access)
    expect(status).toBe(200)
    expect(body).toEqual({
      active: true,
      scope: 'read:profile read:investments',
      client_id: key.clientId,
      token_type: 'Bearer',
      exp: expect.any(Number),
      iat: expect.any(Number),
      sub: user,
      iss: server.app.url,
      installation_id: installation,
    })
    expect(Math.abs(Number(body['exp']) - Number(body['iat']) - 7_200)).toBeLessThanOrEqual(1)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('access-control-allow-origin')).toBeNull()
  })

  test('returns no user for a client-credentials token', async () => {
    const key = await server.key()
    const { body: given } = await server.as(key, '/oauth/token', { grant_type: 'client_credentials' })
    const { body } = await introspect(key, given['access_token'])
    expect(body).toMatchObject({ active: true, scope: 'read:public', client_id: key.clientId })
    expect(body).not.toHaveProperty('sub')
    expect(body).not.toHaveProperty('installation_id')
  })

  test('returns no token_type for a valid refresh token; a replaced refresh token is inactive, and introspecting it revokes no token', async () => {
    const key = await server.key()
    const { refresh, user } = await connected(key)
    const { body } = await introspect(key, refresh)
    expect(body).toMatchObject({ active: true, sub: user, scope: 'read:profile read:investments' })
    expect(body).not.toHaveProperty('token_type')
    const next = await server.as(key, '/oauth/token', { grant_type: 'refresh_token', refresh_token: String(refresh) })
    expect(await introspect(key, refresh)).toMatchObject(inactive)
    expect((await introspect(key, next.body['refresh_token'])).body['active']).toBe(true)
  })

  test.each(['access_token', 'refresh_token', 'nonsense'])(
    'finds the token with any token_type_hint: %s',
    async (hint) => {
      const key = await server.key()
      const { access, refresh } = await connected(key)
      for (const token of [access, refresh]) {
        expect((await introspect(key, token, { token_type_hint: hint })).body['active']).toBe(true)
      }
    },
  )

  test('returns exactly {active: false} for a revoked or unknown token, a code and a publishable key', async () => {
    const key = await server.key()
    const { access, refresh } = await connected(key)
    const { code } = await server.consent(key)
    await server.as(key, '/oauth/revoke', { token: String(refresh) })
    for (const token of [access, refresh, code, key.clientId, 'hello', `at_test_${'a'.repeat(43)}`]) {
      expect((await introspect(key, token)).body).toEqual({ active: false })
    }
  })

  test('returns {active: false} for a token that has expired in world time', async () => {
    const key = await server.key()
    const { access } = await connected(key)
    await server.db.sql(`update test.access_tokens set expires_at = expires_at - interval '2 h' where app_id = $1`, [
      key.app,
    ])
    expect(await introspect(key, access)).toMatchObject(inactive)
  })

  test('returns {active: false} for a token of another client, another key or the other world', async () => {
    const key = await server.key()
    const { access, refresh } = await connected(key)
    const strangers = [await server.key(), await server.keyOf(key.app), await server.keyOf(key.app, { world: 'live' })]
    for (const stranger of strangers) {
      expect((await introspect(stranger, access)).body).toEqual({ active: false })
      expect((await introspect(stranger, refresh)).body).toEqual({ active: false })
    }
  })

  test('returns no exp for a token that never expires', async () => {
    const key = await server.key()
    const { installation } = await connected(key)
    const minted = await server.db.databases.test.transaction(async (tx) => {
      const client = await lockClient(tx, key.clientId)
      if (client === null) throw new Error('no client')
      return mintInstallationToken(tx, { client, installation, scopes: ['read:profile'], neverExpires: true })
    })
    const { body } = await introspect(key, minted?.accessToken)
    expect(body).toMatchObject({ active: true, installation_id: installation })
    expect(body).not.toHaveProperty('exp')
  })

  test('accepts client_secret_basic', async () => {
    const key = await server.key()
    const { access } = await connected(key)
    const response = await server.post('/oauth/introspect', { token: String(access) }, basicOf(key))
    expect(response.body['active']).toBe(true)
  })

  test('401 invalid_client for a public key, because it has no secret', async () => {
    const key = await server.key({ clientType: 'public' })
    const { access } = await connected(key)
    expect(await introspect(key, access)).toMatchObject(oauthError('invalid_client', 401))
  })

  test('401 invalid_client for a wrong secret, and without a secret', async () => {
    const key = await server.key()
    const { access } = await connected(key)
    expect(await introspect({ ...key, secret: 'wrong' }, access)).toMatchObject(oauthError('invalid_client', 401))
    expect(await introspect({ ...key, secret: '' }, access)).toMatchObject(oauthError('invalid_client', 401))
  })

  test('400 invalid_request without a token', async () => {
    expect(await server.as(await server.key(), '/oauth/introspect', {})).toMatchObject(oauthError('invalid_request'))
  })
})
