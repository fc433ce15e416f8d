import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type AuthorizationServer,
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

const token = (key: Key, fields: Fields) => server.as(key, '/oauth/token', fields)

describe('grant_type=refresh_token', () => {
  const connected = async (key: Key, scopes?: readonly string[]) => {
    const { body } = await token(key, redeeming(await server.consent(key, scopes === undefined ? {} : { scopes })))
    return body
  }
  const refreshing = (body: Readonly<Record<string, unknown>>, more: Fields = {}): Fields => ({
    grant_type: 'refresh_token',
    refresh_token: String(body['refresh_token']),
    ...more,
  })

  test('gives a new access token and refresh token with the same scopes; the previous access token stays valid', async () => {
    const key = await server.key()
    const first = await connected(key)
    const { status, body } = await token(key, refreshing(first))
    expect(status).toBe(200)
    expect(Object.keys(body).sort()).toEqual([
      'access_token',
      'created_at',
      'expires_in',
      'refresh_token',
      'scope',
      'token_type',
    ])
    expect(body).toMatchObject({ scope: 'read:profile', token_type: 'Bearer' })
    expect(body['refresh_token']).not.toBe(first['refresh_token'])
    expect(await server.opens(body['access_token'])).toBe(true)
    expect(await server.opens(first['access_token'])).toBe(true)
  })

  test('a public key refreshes without a secret', async () => {
    const key = await server.key({ clientType: 'public' })
    expect(await token(key, refreshing(await connected(key)))).toMatchObject({ status: 200 })
  })

  test('the same client gets the same tokens if it repeats the newest rotation at once', async () => {
    const key = await server.key()
    const first = await connected(key)
    const once = await token(key, refreshing(first))
    const twice = await token(key, refreshing(first))
    expect(twice.body['access_token']).toBe(once.body['access_token'])
    expect(twice.body['refresh_token']).toBe(once.body['refresh_token'])
  })

  test('400 invalid_grant for an older refresh token; the complete family is revoked, and the audit records it', async () => {
    const key = await server.key()
    const first = await connected(key)
    const second = (await token(key, refreshing(first))).body
    const third = (await token(key, refreshing(second))).body
    const response = await token(key, refreshing(first))
    expect(response).toMatchObject(oauthError('invalid_grant'))
    expect(await token(key, refreshing(third))).toMatchObject(oauthError('invalid_grant'))
    for (const { access_token: gone } of [first, second, third]) expect(await server.opens(gone)).toBe(false)
    const [entry] = await server.db.sql<{ action: string; details: object }>(
      'select action, details from platform.audit_entries where subject = $1',
      [key.app],
    )
    expect(entry).toMatchObject({
      action: 'refresh_token.reused',
      details: { operation: 'createToken', request: response.headers.get('x-request-id') },
    })
  })

  test('scope narrows this access token; the refresh token keeps the granted scopes', async () => {
    const key = await server.key({}, { scopes: ['read:profile', 'write:syndicates'] })
    const first = await connected(key, ['read:profile', 'write:syndicates'])
    const narrowed = (await token(key, refreshing(first, { scope: 'read:syndicates' }))).body
    expect(narrowed['scope']).toBe('read:syndicates')
    expect((await token(key, refreshing(narrowed))).body['scope']).toBe('read:profile write:syndicates')
  })

  test.each(['read:investments', 'read:profile read:investments', 'nonsense', 'a"b'])(
    '400 invalid_scope for scopes that were not granted (%s); the refresh token stays valid',
    async (scope) => {
      const key = await server.key()
      const first = await connected(key)
      expect(await token(key, refreshing(first, { scope }))).toMatchObject(oauthError('invalid_scope'))
      expect(await token(key, refreshing(first))).toMatchObject({ status: 200 })
    },
  )

  test('the reuse of an old refresh token is detected even if other parameters are invalid', async () => {
    const key = await server.key()
    const first = await connected(key)
    const second = (await token(key, refreshing(first))).body
    const third = (await token(key, refreshing(second))).body
    expect(await token(key, refreshing(first, { scope: 'a"b' }))).toMatchObject(oauthError('invalid_grant'))
    expect(await server.opens(third['access_token'])).toBe(false)
  })

  test('400 invalid_request without refresh_token', async () => {
    expect(await token(await server.key(), { grant_type: 'refresh_token' })).toMatchObject(
      oauthError('invalid_request'),
    )
  })

  test.each(['hello', `rt_test_${'a'.repeat(64)}`, `rt_live_${'a'.repeat(64)}`])(
    '400 invalid_grant for a refresh token that was never issued: %s',
    async (refresh_token) => {
      expect(await token(await server.key(), { grant_type: 'refresh_token', refresh_token })).toMatchObject(
        oauthError('invalid_grant'),
      )
    },
  )

  test('400 invalid_grant for another client, another key of the app and the other world; the owner’s token stays valid', async () => {
    const key = await server.key()
    const first = await connected(key)
    const thieves = [await server.key(), await server.keyOf(key.app), await server.keyOf(key.app, { world: 'live' })]
    for (const thief of thieves)
      expect(await token(thief, refreshing(first))).toMatchObject(oauthError('invalid_grant'))
    expect(await token(key, refreshing(first))).toMatchObject({ status: 200 })
  })

  test('an access token is not accepted as a refresh token', async () => {
    const key = await server.key()
    const first = await connected(key)
    const wrong = { grant_type: 'refresh_token', refresh_token: String(first['access_token']) }
    expect(await token(key, wrong)).toMatchObject(oauthError('invalid_grant'))
  })
})
