import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lockClient } from '#access/apps/index.ts'
import { newClientId } from '#kernel/ids.ts'
import { aKey } from '#test/apps.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { authenticateTokens, introspectToken, mintInstallationToken, revokePresented, revokeTokensOf } from './index.ts'
import {
  aClient,
  aClientToken,
  aCode,
  aConnection,
  accepted,
  advance,
  aUserToken,
  GRANTED,
  given,
  lookUp,
  redeem,
  refresh,
  type StagedClient,
  type StagedConnection,
  whyNot,
} from './testing/stage.ts'

let db: TestDatabase
let client: StagedClient
beforeAll(async () => {
  db = await testDatabase()
  client = await aClient(db)
})
afterAll(() => db.close())

const revoke = (token: string, { keyId, world } = client) =>
  db.databases[world].transaction((tx) => revokePresented(tx, { token, keyId }))
const introspect = (token: string, { keyId, world } = client) => introspectToken(db.databases[world], { token, keyId })

async function mint(on: StagedConnection, change: { scopes?: readonly string[]; neverExpires?: boolean } = {}) {
  return db.databases.test.transaction(async (tx) => {
    const locked = await lockClient(tx, client.keyId)
    if (locked === null) throw new Error('the key does not exist')
    const wanted = { scopes: GRANTED, neverExpires: false, ...change }
    return mintInstallationToken(tx, { client: locked, installation: on.installation, ...wanted })
  })
}

describe('requests that are looked up together', () => {
  const issued = async (to: StagedClient) => (await aClientToken(db, to)).accessToken

  test('each get their own caller; revoked and unknown tokens get none', async () => {
    const who = authenticateTokens(db.databases)
    const other = await aClient(db)
    const [one, ended, another] = [await issued(client), await issued(client), await issued(other)]
    await revoke(ended)
    const holders = await Promise.all(
      [one, ended, another, `at_test_${'0'.repeat(43)}`, 'at_test_', one].map((token) => who(token)),
    )
    const [mine, theirs] = [{ keyId: client.keyId }, { keyId: other.keyId }]
    expect(holders).toMatchObject([mine, 'ended', theirs, null, null, mine])
  })

  test('are rejected after a revocation, even if earlier requests with the token are still waiting', async () => {
    const who = authenticateTokens(db.databases)
    for (let turn = 0; turn < 5; turn++) {
      const token = await issued(client)
      const before = Array.from({ length: 20 }, () => who(token))
      await revoke(token)
      expect(await who(token)).toBe('ended')
      // These requests arrived before the revocation, so they may be accepted or rejected.
      const callers = (await Promise.all(before)).filter((caller) => caller !== 'ended')
      expect(callers.every((caller) => caller?.kind === 'client')).toBe(true)
    }
  })
})

describe('an installation token', () => {
  test('acts as the app on its installation, for 2 hours', async () => {
    const on = await aConnection(db, client)
    const token = await mint(on)
    expect(token).toMatchObject({ expiresInSeconds: 7_200, scopes: [...GRANTED] })
    expect(await lookUp(db, token?.accessToken ?? '')).toMatchObject({
      kind: 'installation',
      installationId: on.installation,
    })
  })

  test('that never expires is valid at any world time', async () => {
    const token = await mint(await aConnection(db, client), { neverExpires: true })
    expect(token?.expiresInSeconds).toBeNull()
    await advance(db, '3000 days')
    expect(await accepted(db, [token?.accessToken ?? ''])).toBe(1)
    await db.sql(`update test.world_clock set ahead = '0'`)
  })

  test('never has a scope of the app’s server key, or a scope that the app does not declare', async () => {
    const token = await mint(await aConnection(db, client), {
      scopes: ['read:profile', 'read:companies', 'read:referral_codes'],
    })
    expect(token?.scopes).toEqual(['read:profile'])
  })

  test('is not minted for a revoked installation', async () => {
    const on = await aConnection(db, client)
    await db.sql(
      `update test.installations set state = 'revoked', revoked_at = now(), revoked_by_role = 'user' where id = $1`,
      [on.installation],
    )
    expect(await mint(on)).toBeNull()
  })
})

describe('revoking an installation', () => {
  const everything = async () => {
    const on = await aConnection(db, client)
    const [users, code] = [await aUserToken(db, client, { on }), await aCode(db, client, { on })]
    const minted = [await mint(on), await mint(on, { neverExpires: true })].map((one) => one?.accessToken ?? '')
    return { on, users, code, bearers: [users.accessToken, ...minted] }
  }
  const revokeOf = (which: 'all' | 'all_but_user_access', ...on: StagedConnection[]) =>
    db.databases.test.transaction((tx) =>
      revokeTokensOf(tx, { installations: on.map(({ installation }) => installation), which }),
    )

  test('revokes all its tokens and codes at once, including tokens that never expire', async () => {
    const { on, users, code, bearers } = await everything()
    const [other, bystander] = [await everything(), await everything()]
    expect(await revokeOf('all', on, other.on)).toEqual({ accessTokens: 6, refreshTokens: 2 })
    expect(await accepted(db, [...bearers, ...other.bearers])).toBe(0)
    expect(whyNot(await refresh(db, client, users.refreshToken))).toBe('revoked')
    expect(whyNot(await redeem(db, client, code))).toBe('revoked')
    expect(await accepted(db, bystander.bearers)).toBe(3)
  })

  test('as superseded revokes its refresh tokens, codes and minted tokens; the user’s access tokens stay valid until they expire', async () => {
    const { on, users, code, bearers } = await everything()
    expect(await revokeOf('all_but_user_access', on)).toEqual({ accessTokens: 2, refreshTokens: 1 })
    expect(await accepted(db, bearers)).toBe(1)
    expect(await accepted(db, [users.accessToken])).toBe(1)
    expect(whyNot(await refresh(db, client, users.refreshToken))).toBe('revoked')
    expect(whyNot(await redeem(db, client, code))).toBe('revoked')
  })

  test('counts each valid token once', async () => {
    const { on } = await everything()
    await revokeOf('all_but_user_access', on)
    expect(await revokeOf('all', on)).toEqual({ accessTokens: 1, refreshTokens: 0 })
    expect(await revokeOf('all', on)).toEqual({ accessTokens: 0, refreshTokens: 0 })
    expect(await revokeOf('all')).toEqual({ accessTokens: 0, refreshTokens: 0 })
  })
})

describe('RFC 7009: a client revokes its own', () => {
  test('access token, but no other token', async () => {
    const token = await aUserToken(db, client)
    await revoke(token.accessToken)
    expect(await accepted(db, [token.accessToken])).toBe(0)
    expect(whyNot(await refresh(db, client, token.refreshToken))).toBe('issued')
  })

  test('refresh token, the newest or an older token, with all access tokens of its family', async () => {
    for (const older of [false, true]) {
      const first = await aUserToken(db, client)
      const second = given(await refresh(db, client, first.refreshToken))
      await revoke(older ? first.refreshToken : second.refreshToken)
      expect(await accepted(db, [first.accessToken, second.accessToken])).toBe(0)
      expect(whyNot(await refresh(db, client, second.refreshToken))).toBe('revoked')
    }
  })

  test('tokens only, not those of another client, of another key of the app or of the other world', async () => {
    const token = await aUserToken(db, client)
    const others = [await aClient(db), await aClient(db, { world: 'live' })]
    const sibling = { ...client, keyId: (await aKey(db, client.app)).clientId }
    for (const other of [...others, sibling]) {
      for (const text of [token.accessToken, token.refreshToken]) await revoke(text, other)
    }
    expect(await accepted(db, [token.accessToken])).toBe(1)
    expect(whyNot(await refresh(db, client, token.refreshToken))).toBe('issued')
  })

  test.each(['', 'nonsense', `at_test_${'a'.repeat(43)}`, `rt_test_${'a'.repeat(64)}`])(
    'tokens only; text that is not a token is ignored: %j',
    async (text) => {
      await expect(revoke(text)).resolves.toBeUndefined()
    },
  )
})

describe('RFC 7662: a client introspects its own', () => {
  test('access tokens, of each kind', async () => {
    const on = await aConnection(db, client)
    const [own, users, minted] = [await aClientToken(db, client), await aUserToken(db, client, { on }), await mint(on)]
    const { user: userId, installation: installationId } = on
    expect(await introspect(own.accessToken)).toEqual({
      ...{ type: 'access', kind: 'client', userId: null, installationId: null, scopes: ['read:public'] },
      ...{ createdAt: own.createdAt, expiresAt: expect.any(Number) },
    })
    expect(await introspect(users.accessToken)).toMatchObject({
      kind: 'user',
      userId,
      installationId,
      scopes: [...GRANTED],
    })
    expect(await introspect(minted?.accessToken ?? '')).toMatchObject({
      kind: 'installation',
      userId: null,
      installationId,
    })
  })

  test('tokens, with the expiry in real time, whatever the sandbox’s clock shows', async () => {
    await advance(db, '100 days')
    const token = await aUserToken(db, client)
    const shown = await introspect(token.accessToken)
    expect((shown?.expiresAt ?? 0) - token.createdAt).toBeGreaterThanOrEqual(7_199)
    expect((shown?.expiresAt ?? 0) - token.createdAt).toBeLessThanOrEqual(7_201)
    const never = await mint(await aConnection(db, client), { neverExpires: true })
    expect((await introspect(never?.accessToken ?? ''))?.expiresAt).toBeNull()
  })

  test('refresh tokens: the newest is active, an older token is inactive, and introspection revokes no token', async () => {
    const first = await aUserToken(db, client)
    const second = given(await refresh(db, client, first.refreshToken))
    expect(await introspect(second.refreshToken)).toMatchObject({ type: 'refresh', kind: 'user', scopes: [...GRANTED] })
    expect(await introspect(first.refreshToken)).toBeNull()
    expect(await accepted(db, [second.accessToken])).toBe(1)
  })

  test('tokens only: tokens that are revoked, expired, of a disabled app or of another client are inactive', async () => {
    const own = await aClient(db)
    const [kept, gone] = [await aUserToken(db, own), await aUserToken(db, own)]
    await revoke(gone.refreshToken, own)
    for (const text of [gone.accessToken, gone.refreshToken]) expect(await introspect(text, own)).toBeNull()
    const strangers = [client, { ...own, keyId: newClientId('test') }, await aClient(db, { world: 'live' })]
    for (const stranger of strangers) {
      for (const text of [kept.accessToken, kept.refreshToken]) expect(await introspect(text, stranger)).toBeNull()
    }
    await db.sql('update platform.app_keys set generation = generation + 1 where app_id = $1', [own.app])
    for (const text of [kept.accessToken, kept.refreshToken]) expect(await introspect(text, own)).toBeNull()
    await db.sql('update platform.app_keys set generation = 1 where app_id = $1', [own.app])
    await advance(db, '61 days')
    for (const text of [kept.accessToken, kept.refreshToken]) expect(await introspect(text, own)).toBeNull()
  })
})
