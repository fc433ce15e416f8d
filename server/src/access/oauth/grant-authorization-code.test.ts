import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type AuthorizationServer,
  CALLBACK,
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

describe('grant_type=authorization_code', () => {
  test('gives an access token for 2 hours and a refresh token, with the scopes that the user granted', async () => {
    const key = await server.key()
    const granted = await server.consent(key, { scopes: ['read:investments', 'read:profile'] })
    const { status, body, headers } = await token(key, redeeming(granted))
    expect(status).toBe(200)
    expect(body).toEqual({
      access_token: expect.stringMatching(/^at_test_[A-Za-z0-9_-]{43}$/),
      token_type: 'Bearer',
      expires_in: 7_200,
      scope: 'read:profile read:investments',
      refresh_token: expect.stringMatching(/^rt_test_[A-Za-z0-9_-]{64}$/),
      created_at: expect.any(Number),
    })
    expect(headers.get('pragma')).toBe('no-cache')
    expect(await server.opens(body['access_token'])).toBe(true)
  })

  test('a public key exchanges its code with only the verifier', async () => {
    const key = await server.key({ clientType: 'public' })
    expect(await token(key, redeeming(await server.consent(key)))).toMatchObject({ status: 200 })
  })

  test('a live key exchanges a live code', async () => {
    const key = await server.key({ world: 'live' })
    const { body } = await token(key, redeeming(await server.consent(key)))
    expect(body).toMatchObject({ access_token: expect.stringMatching(/^at_live_/) })
  })

  test('400 invalid_grant for a second use; the tokens of the first use are revoked', async () => {
    const key = await server.key()
    const granted = await server.consent(key)
    const { body } = await token(key, redeeming(granted))
    expect(await token(key, redeeming(granted))).toMatchObject(oauthError('invalid_grant'))
    expect(await server.opens(body['access_token'])).toBe(false)
    const again = { grant_type: 'refresh_token', refresh_token: String(body['refresh_token']) }
    expect(await token(key, again)).toMatchObject(oauthError('invalid_grant'))
  })

  test.each<[string, Readonly<Record<string, string | undefined>>]>([
    ['another verifier', { code_verifier: 'a'.repeat(43) }],
    ['a malformed verifier', { code_verifier: 'short' }],
    ['a verifier that is far too long', { code_verifier: 'a'.repeat(4_000) }],
    ['no verifier', { code_verifier: undefined }],
    ['an empty verifier', { code_verifier: '' }],
    ['no redirect_uri', { redirect_uri: undefined }],
    ['another redirect_uri', { redirect_uri: 'https://evil.example/' }],
  ])('a second use with %s is rejected too; the tokens of the first use are revoked', async (_, changes) => {
    const key = await server.key({ redirectUris: [CALLBACK, 'https://partner.example/other'] })
    const granted = await server.consent(key)
    const { body } = await token(key, redeeming(granted))
    const entries = Object.entries({ ...redeeming(granted), ...changes })
    const fields = Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined))
    expect(await token(key, fields)).toMatchObject(oauthError('invalid_grant'))
    expect(await server.opens(body['access_token'])).toBe(false)
    const again = { grant_type: 'refresh_token', refresh_token: String(body['refresh_token']) }
    expect(await token(key, again)).toMatchObject(oauthError('invalid_grant'))
  })

  test('a second use by another client revokes nothing', async () => {
    const key = await server.key()
    const granted = await server.consent(key)
    const { body } = await token(key, redeeming(granted))
    const { code_verifier: _, ...fields } = redeeming(granted)
    expect(await token(await server.keyOf(key.app), fields)).toMatchObject(oauthError('invalid_grant'))
    expect(await token({ ...key, secret: 'sk_test_guessed' }, fields)).toMatchObject(oauthError('invalid_client', 401))
    expect(await server.opens(body['access_token'])).toBe(true)
  })

  test.each<[string, Fields]>([
    ['another verifier', { code_verifier: 'a'.repeat(43) }],
    ['a verifier that is too short', { code_verifier: 'a'.repeat(42) }],
    ['a verifier that is too long', { code_verifier: 'a'.repeat(129) }],
    ['a verifier with forbidden characters', { code_verifier: `${'a'.repeat(43)}!` }],
  ])('400 invalid_grant for %s, which uses up the code', async (_, wrong) => {
    const key = await server.key()
    const granted = await server.consent(key)
    expect(await token(key, redeeming(granted, wrong))).toMatchObject(oauthError('invalid_grant'))
    expect(await token(key, redeeming(granted))).toMatchObject(oauthError('invalid_grant'))
  })

  test('a wrong verifier from a client that did not authenticate does not use up the code', async () => {
    const key = await server.key()
    const granted = await server.consent(key)
    const wrong = redeeming(granted, { code_verifier: 'a'.repeat(43) })
    expect(await token({ ...key, secret: 'sk_test_guessed' }, wrong)).toMatchObject(oauthError('invalid_client', 401))
    expect(await token(await server.keyOf(key.app), wrong)).toMatchObject(oauthError('invalid_grant'))
    expect(await token(key, redeeming(granted))).toMatchObject({ status: 200 })
  })

  test.each<[string, Fields]>([
    ['another redirect_uri', { redirect_uri: `${CALLBACK}/` }],
    ['a code that was never issued', { code: `ac_test_${'a'.repeat(43)}` }],
    ['a malformed code', { code: 'hello' }],
  ])('400 invalid_grant for %s, and the code stays valid', async (_, wrong) => {
    const key = await server.key()
    const granted = await server.consent(key)
    expect(await token(key, redeeming(granted, wrong))).toMatchObject(oauthError('invalid_grant'))
    expect(await token(key, redeeming(granted))).toMatchObject({ status: 200 })
  })

  test('a verifier shorter than RFC 7636 allows is rejected even if it matches the challenge', async () => {
    const key = await server.key()
    const granted = await server.consent(key)
    const short = 'verifier123'
    await server.db.sql(
      `update test.authorization_codes set code_challenge = translate(rtrim(encode(sha256($1::bytea), 'base64'), '='), '+/', '-_')
        where installation_id = $2`,
      [Buffer.from(short), granted.installation],
    )
    expect(await token(key, redeeming(granted, { code_verifier: short }))).toMatchObject(oauthError('invalid_grant'))
  })

  test.each(['code', 'code_verifier'])('400 invalid_request without %s', async (name) => {
    const key = await server.key()
    const { [name]: _, ...fields } = redeeming(await server.consent(key))
    expect(await token(key, fields)).toMatchObject(oauthError('invalid_request'))
  })

  test('redirect_uri may be omitted if the key has only one, and must be sent if it has several', async () => {
    const redeemed = async (redirectUris: readonly string[]) => {
      const key = await server.key({ redirectUris })
      const { redirect_uri: _, ...fields } = redeeming(await server.consent(key))
      return token(key, fields)
    }
    expect(await redeemed([CALLBACK])).toMatchObject({ status: 200 })
    expect(await redeemed([CALLBACK, 'https://partner.example/other'])).toMatchObject(oauthError('invalid_request'))
  })

  test('400 invalid_grant for the code of another client, another key of the same app, or the other world', async () => {
    const key = await server.key()
    const granted = await server.consent(key)
    const thieves = [await server.key(), await server.keyOf(key.app), await server.keyOf(key.app, { world: 'live' })]
    for (const thief of thieves)
      expect(await token(thief, redeeming(granted))).toMatchObject(oauthError('invalid_grant'))
    expect(await token(key, redeeming(granted))).toMatchObject({ status: 200 })
  })

  test('400 invalid_grant one minute after the code was issued, in world time', async () => {
    const key = await server.key()
    const granted = await server.consent(key)
    await server.db.sql(
      `update test.authorization_codes set expires_at = expires_at - interval '60 s' where app_id = $1`,
      [key.app],
    )
    expect(await token(key, redeeming(granted))).toMatchObject(oauthError('invalid_grant'))
  })

  test('the token lacks a scope that was removed from the app; 400 invalid_grant if no scope is left', async () => {
    const key = await server.key()
    const [both, gone] = [
      await server.consent(key, { scopes: ['read:profile', 'read:investments'] }),
      await server.consent(key, { scopes: ['read:investments'] }),
    ]
    await server.db.sql(`update platform.app_keys set scopes = '{read:profile}' where app_id = $1`, [key.app])
    expect((await token(key, redeeming(both))).body['scope']).toBe('read:profile')
    expect(await token(key, redeeming(gone))).toMatchObject(oauthError('invalid_grant'))
  })
})
