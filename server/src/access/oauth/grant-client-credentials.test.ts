import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { suspendApp } from '#access/apps/change-state.ts'
import { writeScopes } from '#access/apps/index.ts'
import { WORLDS } from '#kernel/world.ts'
import {
  type AuthorizationServer,
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
const REFERRALS = ['read:referral_codes', 'write:referral_codes']

describe('grant_type=client_credentials', () => {
  test.each(WORLDS)('gives a token of the key’s own world: %s', async (world) => {
    const { body } = await token(await server.key({ world }), CLIENT)
    expect(body['access_token']).toMatch(new RegExp(`^at_${world}_`))
    expect(await server.opens(body['access_token'])).toBe(true)
  })

  test('gives no refresh token', async () => {
    expect((await token(await server.key(), CLIENT)).body).not.toHaveProperty('refresh_token')
  })

  test('without scope gives read:public and the referral-code scopes that the app declares', async () => {
    const key = await server.key({}, { scopes: ['read:profile', ...REFERRALS] })
    expect((await token(key, CLIENT)).body['scope']).toBe(`read:public ${REFERRALS.join(' ')}`)
  })

  test('without scope the default set counts as requested: the response names read:public, which is not stored', async () => {
    for (const scopes of [REFERRALS, []]) {
      const key = await server.key({}, { scopes })
      const expected = ['read:public', ...scopes].join(' ')
      expect((await token(key, CLIENT)).body['scope']).toBe(expected)
      const stored = await server.db.sql('select scopes from test.access_tokens where app_id = $1', [key.app])
      expect(stored).toEqual([{ scopes }])
    }
  })

  test('gives exactly the requested scopes', async () => {
    const key = await server.key({}, { scopes: REFERRALS })
    expect((await token(key, { ...CLIENT, scope: 'read:referral_codes' })).body['scope']).toBe('read:referral_codes')
  })

  test.each(['read:profile', 'read:public read:profile', 'read:referral_codes', 'admin:read', 'nonsense', 'read:"x"'])(
    '400 invalid_scope for %s: undeclared, unknown, or not for client credentials',
    async (scope) => {
      expect(await token(await server.key(), { ...CLIENT, scope })).toMatchObject(oauthError('invalid_scope'))
    },
  )

  test('400 unauthorized_client for a public key', async () => {
    const key = await server.key({ clientType: 'public' })
    expect(await token(key, CLIENT)).toMatchObject(oauthError('unauthorized_client'))
  })

  test('a secret of one world does not authenticate a key of the other world', async () => {
    const [test, live] = [await server.key(), await server.key({ world: 'live' })]
    expect(await token({ ...live, secret: test.secret }, CLIENT)).toMatchObject(oauthError('invalid_client', 401))
  })

  test('the first live token is recorded, so that the app can no longer be deleted; a test token is not recorded', async () => {
    const noted = async ({ app }: Key) => {
      const sql = 'select first_live_token_at is not null as noted from platform.apps where id = $1'
      return (await server.db.sql<{ noted: boolean }>(sql, [app]))[0]?.noted
    }
    const test = await server.key()
    await token(test, CLIENT)
    expect(await noted(test)).toBe(false)
    const live = await server.keyOf(test.app, { world: 'live' })
    await token(live, { ...CLIENT, scope: 'read:profile' })
    expect(await noted(live)).toBe(false)
    await token(live, CLIENT)
    expect(await noted(live)).toBe(true)
  })

  test('new tokens lack a scope that was removed from the app', async () => {
    const key = await server.key({}, { scopes: REFERRALS })
    await server.db.databases.platform.transaction((tx) => writeScopes(tx, key.app, []))
    expect((await token(key, CLIENT)).body['scope']).toBe('read:public')
  })

  test('waits for a concurrent scope removal, then does not issue the scope', async () => {
    const key = await server.key({}, { scopes: REFERRALS })
    const { platform } = server.db.databases
    const asking = await platform.transaction(async (tx) => {
      await writeScopes(tx, key.app, ['read:referral_codes'])
      const answer = token(key, CLIENT)
      await server.db.untilTransactionWaits()
      return { answer }
    })
    expect((await asking.answer).body['scope']).toBe('read:public read:referral_codes')
  })

  test('waits for a concurrent suspension, then rejects the request', async () => {
    const key = await server.key()
    const { platform } = server.db.databases
    const asking = await platform.transaction(async (tx) => {
      await suspendApp(tx, { app: key.app, actor: 'tester' }, 'Because.')
      const answer = token(key, CLIENT)
      await server.db.untilTransactionWaits()
      return { answer }
    })
    expect(await asking.answer).toMatchObject(oauthError('invalid_client', 401))
  })
})
