import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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

const revoke = (key: Key, token: unknown, more: Fields = {}) =>
  server.as(key, '/oauth/revoke', { token: String(token), ...more })
const refresh = (key: Key, token: unknown) =>
  server.as(key, '/oauth/token', { grant_type: 'refresh_token', refresh_token: String(token) })
const connected = async (key: Key) =>
  (await server.as(key, '/oauth/token', redeeming(await server.consent(key)))).body as Readonly<Record<string, unknown>>
const done = { status: 200, body: {} }

describe('POST /oauth/revoke', () => {
  test('200: an access token is rejected from the next request on; the refresh token stays valid', async () => {
    const key = await server.key()
    const { access_token, refresh_token } = await connected(key)
    const response = await revoke(key, access_token)
    expect(response).toMatchObject(done)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await server.opens(access_token)).toBe(false)
    expect(await refresh(key, refresh_token)).toMatchObject({ status: 200 })
  })

  test('200: revoking a refresh token ends its family and all access tokens of the family', async () => {
    const key = await server.key()
    const first = await connected(key)
    const { body: second } = await refresh(key, first['refresh_token'])
    expect(await revoke(key, second['refresh_token'])).toMatchObject(done)
    expect(await refresh(key, second['refresh_token'])).toMatchObject(oauthError('invalid_grant'))
    expect(await server.opens(first['access_token'])).toBe(false)
    expect(await server.opens(second['access_token'])).toBe(false)
  })

  test('other connections of the app stay valid', async () => {
    const key = await server.key()
    const [lost, kept] = [await connected(key), await connected(key)]
    await revoke(key, lost['refresh_token'])
    expect(await server.opens(kept['access_token'])).toBe(true)
    expect(await refresh(key, kept['refresh_token'])).toMatchObject({ status: 200 })
  })

  test('200 for a client-credentials token', async () => {
    const key = await server.key()
    const { body } = await server.as(key, '/oauth/token', { grant_type: 'client_credentials' })
    await revoke(key, body['access_token'])
    expect(await server.opens(body['access_token'])).toBe(false)
  })

  test('a public key revokes its own tokens', async () => {
    const key = await server.key({ clientType: 'public' })
    const { access_token, refresh_token } = await connected(key)
    expect(await revoke(key, refresh_token)).toMatchObject(done)
    expect(await server.opens(access_token)).toBe(false)
  })

  test.each(['access_token', 'refresh_token', 'id_token', 'nonsense'])(
    'finds the token with any token_type_hint: %s',
    async (token_type_hint) => {
      const key = await server.key()
      const { access_token, refresh_token } = await connected(key)
      expect(await revoke(key, access_token, { token_type_hint })).toMatchObject(done)
      expect(await server.opens(access_token)).toBe(false)
      expect(await revoke(key, refresh_token, { token_type_hint })).toMatchObject(done)
      expect(await refresh(key, refresh_token)).toMatchObject(oauthError('invalid_grant'))
    },
  )

  test('200 for a token that is revoked already', async () => {
    const key = await server.key()
    const { refresh_token } = await connected(key)
    await revoke(key, refresh_token)
    expect(await revoke(key, refresh_token)).toMatchObject(done)
  })

  test.each([
    'hello',
    `at_test_${'a'.repeat(43)}`,
    `rt_test_${'a'.repeat(64)}`,
    `at_live_${'a'.repeat(43)}`,
    'ac_test_x',
  ])('200 for a malformed or unknown token: %s', async (token) => {
    expect(await revoke(await server.key(), token)).toMatchObject(done)
  })

  test('200 for a token of another client, another key or the other world, which stays valid', async () => {
    const key = await server.key()
    const { access_token, refresh_token } = await connected(key)
    const strangers = [await server.key(), await server.keyOf(key.app), await server.keyOf(key.app, { world: 'live' })]
    for (const stranger of strangers) {
      expect(await revoke(stranger, access_token)).toMatchObject(done)
      expect(await revoke(stranger, refresh_token)).toMatchObject(done)
    }
    expect(await server.opens(access_token)).toBe(true)
    expect(await refresh(key, refresh_token)).toMatchObject({ status: 200 })
  })

  test('400 invalid_request without a token', async () => {
    expect(await server.as(await server.key(), '/oauth/revoke', {})).toMatchObject(oauthError('invalid_request'))
  })

  test('401 invalid_client for a wrong secret; the token stays valid', async () => {
    const key = await server.key()
    const { access_token } = await connected(key)
    const wrong = { ...key, secret: 'sk_test_wrong' }
    expect(await revoke(wrong, access_token)).toMatchObject(oauthError('invalid_client', 401))
    expect(await revoke({ ...key, secret: '' }, access_token)).toMatchObject(oauthError('invalid_client', 401))
    const basic = await server.post('/oauth/revoke', { token: String(access_token) }, basicOf(wrong))
    expect(basic).toMatchObject(oauthError('invalid_client', 401))
    expect(basic.headers.get('www-authenticate')).toMatch(/^Basic /)
    expect(await server.opens(access_token)).toBe(true)
  })
})
