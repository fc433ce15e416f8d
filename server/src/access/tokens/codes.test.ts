import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aKey } from '#test/apps.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import {
  aClient,
  aCode,
  aConnection,
  accepted,
  advance,
  aUserToken,
  given,
  lookUp,
  redeem,
  refresh,
  SEEN,
  type StagedClient,
  whyNot,
} from './testing/stage.ts'

let db: TestDatabase
let client: StagedClient
beforeAll(async () => {
  db = await testDatabase()
  client = await aClient(db)
})
afterAll(() => db.close())

const auditOf = (app: string) =>
  db.sql<{ actor: string; action: string; details: object }>(
    'select actor, action, details from platform.audit_entries where subject = $1 order by id',
    [app],
  )
const digest = (text: string) => createHash('sha256').update(text).digest()

describe('an authorization code', () => {
  test('has the prefix of its world and 256 random bits, and is stored only as its SHA-256', async () => {
    const code = await aCode(db, client)
    expect(code).toMatch(/^ac_test_[A-Za-z0-9_-]{43}$/)
    const rows = await db.sql<{ row: string }>(
      'select c::text as row from test.authorization_codes c where hash = $1',
      [digest(code)],
    )
    expect(rows).toHaveLength(1)
    expect(rows[0]?.row).not.toContain(code.slice('ac_test_'.length))
  })

  test('gives a user token for 2 hours and a refresh token, with the granted scopes', async () => {
    const on = await aConnection(db, client)
    const token = given(await redeem(db, client, await aCode(db, client, { on })))
    expect(token).toMatchObject({ expiresInSeconds: 7_200, scopes: ['read:profile', 'read:investments'] })
    expect(token.refreshToken).toMatch(/^rt_test_[A-Za-z0-9_-]{64}$/)
    expect(await lookUp(db, token.accessToken)).toMatchObject({ kind: 'user', userId: on.user, appId: client.app })
  })

  test('is valid for 60 seconds of world time', async () => {
    const code = await aCode(db, client)
    await advance(db, '61 seconds')
    expect(whyNot(await redeem(db, client, code))).toBe('expired')
  })

  test('that was never issued, or belongs to the other world, is unknown', async () => {
    const live = await aClient(db, { world: 'live' })
    expect(whyNot(await redeem(db, client, `ac_test_${'a'.repeat(43)}`))).toBe('unknown')
    expect(whyNot(await redeem(db, live, await aCode(db, client)))).toBe('unknown')
  })

  test.each([
    ['redirect_uri', { redirectUri: 'https://partner.example/callback/' }],
    ['no_redirect_uri', { redirectUri: null }],
    ['no_verifier', { verifier: null }],
  ])('gives no token for a wrong parameter (%s) and stays valid for the correct request', async (why, change) => {
    const code = await aCode(db, client)
    expect(whyNot(await redeem(db, client, code, change))).toBe(why)
    expect(whyNot(await redeem(db, client, code))).toBe('issued')
  })

  test.each([
    ['another verifier', { verifier: 'w'.repeat(43) }],
    ['a malformed verifier', { verifier: 'short' }],
  ])('is used up by a request with %s; a later request with the right verifier gets no token', async (_, change) => {
    const own = await aClient(db)
    const code = await aCode(db, own)
    expect(whyNot(await redeem(db, own, code, change))).toBe('verifier')
    expect(whyNot(await redeem(db, own, code))).toBe('reused')
    expect(await auditOf(own.app)).toEqual([])
  })

  test('gives tokens at most once if requests with a wrong and the right verifier run at once', async () => {
    const code = await aCode(db, client)
    const both = await Promise.all([redeem(db, client, code, { verifier: 'w'.repeat(43) }), redeem(db, client, code)])
    expect(both.map(whyNot).filter((why) => why === 'issued').length).toBeLessThanOrEqual(1)
    expect(whyNot(await redeem(db, client, code))).toBe('reused')
  })

  test('is unknown to another client, even to another client of the same app, and stays valid', async () => {
    const code = await aCode(db, client)
    const [stranger, sibling] = [await aClient(db), await aKey(db, client.app)]
    expect(whyNot(await redeem(db, client, code, { keyId: stranger.keyId }))).toBe('unknown')
    expect(whyNot(await redeem(db, client, code, { keyId: sibling.clientId }))).toBe('unknown')
    expect(whyNot(await redeem(db, client, code))).toBe('issued')
  })
})

describe('Codes work once; a second use revokes the tokens of the first use', () => {
  test('a second use revokes both tokens and every later refresh; the audit has an entry', async () => {
    const own = await aClient(db)
    const code = await aCode(db, own)
    const first = given(await redeem(db, own, code))
    const second = given(await refresh(db, own, first.refreshToken))
    expect(whyNot(await redeem(db, own, code))).toBe('reused')
    expect(await accepted(db, [first.accessToken, second.accessToken])).toBe(0)
    expect(whyNot(await refresh(db, own, second.refreshToken))).toBe('revoked')
    expect(await auditOf(own.app)).toEqual([
      {
        actor: own.keyId,
        action: 'authorization_code.reused',
        details: {
          world: 'test',
          installation: expect.stringMatching(/^inst_/),
          operation: SEEN.operation,
          request: SEEN.requestId,
        },
      },
    ])
  })

  test.each([
    ['with another verifier', { verifier: 'w'.repeat(43) }],
    ['with a malformed verifier', { verifier: 'short' }],
    ['without a verifier', { verifier: null }],
    ['without redirect_uri', { redirectUri: null }],
    ['with another redirect URI', { redirectUri: 'https://evil.example/' }],
  ])('a second use %s also revokes the tokens, even after the code’s expiry', async (_, change) => {
    for (const late of [false, true]) {
      const code = await aCode(db, client)
      const { accessToken, refreshToken } = given(await redeem(db, client, code))
      if (late) await advance(db, '61 seconds')
      expect(whyNot(await redeem(db, client, code, change))).toBe('reused')
      expect(await accepted(db, [accessToken])).toBe(0)
      expect(whyNot(await refresh(db, client, refreshToken))).toBe('revoked')
    }
  })

  test('a third use changes nothing and adds no audit entry', async () => {
    const own = await aClient(db)
    const code = await aCode(db, own)
    await redeem(db, own, code)
    await redeem(db, own, code)
    expect(whyNot(await redeem(db, own, code))).toBe('reused')
    expect(await auditOf(own.app)).toHaveLength(1)
  })

  test('a second use by another client changes nothing', async () => {
    const code = await aCode(db, client)
    const { accessToken } = given(await redeem(db, client, code))
    expect(whyNot(await redeem(db, client, code, { keyId: (await aClient(db)).keyId }))).toBe('unknown')
    expect(await accepted(db, [accessToken])).toBe(1)
  })

  test('the user’s other tokens stay valid', async () => {
    const on = await aConnection(db, client)
    const other = await aUserToken(db, client, { on })
    const code = await aCode(db, client, { on })
    await redeem(db, client, code)
    await redeem(db, client, code)
    expect(await accepted(db, [other.accessToken])).toBe(1)
  })
})

describe('the conditions of a code are checked again when it is used', () => {
  test.each([
    ['client', 'suspended', `suspended_at = now(), suspended_reason = 'x'`],
    ['client', 'disabled', 'disabled_at = now()'],
  ])('the error is “%s” if the app is %s', async (why, state, change) => {
    const own = await aClient(db)
    const code = await aCode(db, own)
    await db.sql(`update platform.apps set ${change} where id = $1`, [own.app])
    await db.sql('update platform.app_keys set state = $2 where app_id = $1', [own.app, state])
    expect(whyNot(await redeem(db, own, code))).toBe(why)
  })

  test('the error is “revoked” if the app was disabled and enabled again after the code was issued', async () => {
    const own = await aClient(db)
    const code = await aCode(db, own)
    await db.sql('update platform.app_keys set generation = generation + 1 where app_id = $1', [own.app])
    expect(whyNot(await redeem(db, own, code))).toBe('revoked')
  })

  test('the error is “installation” if the user has disconnected the app', async () => {
    const on = await aConnection(db, client)
    const code = await aCode(db, client, { on })
    await db.sql(
      `update test.installations set state = 'revoked', revoked_at = now(), revoked_by_role = 'user' where id = $1`,
      [on.installation],
    )
    expect(whyNot(await redeem(db, client, code))).toBe('installation')
  })

  test('the error is “user” if the user was deactivated', async () => {
    const on = await aConnection(db, client)
    const code = await aCode(db, client, { on })
    await db.sql('update test.users set deactivated_at = now(), name = null, email = null where id = $1', [on.user])
    expect(whyNot(await redeem(db, client, code))).toBe('user')
  })

  test('the token lacks a scope that the app no longer has; the error is “scopes” if no scope is left', async () => {
    const own = await aClient(db, { scopes: ['read:profile', 'read:investments'] })
    const [whole, one] = [await aCode(db, own), await aCode(db, own, { scopes: ['read:investments'] })]
    const undeclare = (scopes: string) => `update platform.${scopes} set scopes = '{read:profile}' where`
    await db.sql(`${undeclare('apps')} id = $1`, [own.app])
    await db.sql(`${undeclare('app_keys')} app_id = $1`, [own.app])
    expect(given(await redeem(db, own, whole)).scopes).toEqual(['read:profile'])
    expect(whyNot(await redeem(db, own, one))).toBe('scopes')
  })

  test('a default grant of read:profile does not depend on the app’s declared scopes', async () => {
    const own = await aClient(db, { scopes: [] })
    const code = await aCode(db, own, { scopes: ['read:profile'], byDefault: true })
    expect(given(await redeem(db, own, code)).scopes).toEqual(['read:profile'])
  })
})
