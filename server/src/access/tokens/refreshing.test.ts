import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Id } from '#kernel/ids.ts'
import { aKey } from '#test/apps.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { purgeTokens, REPEAT_SECONDS, revokePresented } from './index.ts'
import {
  aClient,
  aConnection,
  accepted,
  advance,
  aUserToken,
  given,
  lookUp,
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

const digest = (text: string) => createHash('sha256').update(text).digest()
/** The 30 s are real time. No test waits for them; the tests set back the time of the rotation instead. */
const dateBack = (refreshToken: string, seconds: number) =>
  db.sql(`update test.refresh_families set rotated_at = rotated_at - make_interval(secs => $2) where head_hash = $1`, [
    digest(refreshToken),
    seconds,
  ])

describe('a refresh token', () => {
  test('gives a new access token and refresh token; the older access token stays valid until its expiry', async () => {
    const on = await aConnection(db, client)
    const first = await aUserToken(db, client, { on })
    const second = given(await refresh(db, client, first.refreshToken))
    expect(second).toMatchObject({ expiresInSeconds: 7_200, scopes: first.scopes })
    expect(second.refreshToken).not.toBe(first.refreshToken)
    expect(second.accessToken).not.toBe(first.accessToken)
    expect(await lookUp(db, second.accessToken)).toMatchObject({ kind: 'user', userId: on.user })
    expect(await accepted(db, [first.accessToken, second.accessToken])).toBe(2)
  })

  test('has one row for its family after any number of rotations; the row contains no token', async () => {
    let token = await aUserToken(db, client)
    for (let i = 0; i < 3; i++) token = given(await refresh(db, client, token.refreshToken))
    const rows = await db.sql<{ row: string }>(
      'select f::text as row from test.refresh_families f where head_hash = $1',
      [digest(token.refreshToken)],
    )
    expect(rows).toHaveLength(1)
    for (const text of [token.refreshToken, token.accessToken]) {
      expect(rows[0]?.row).not.toContain(text.slice('at_test_'.length))
      expect(rows[0]?.row).not.toContain(Buffer.from(text).toString('hex'))
    }
  })

  test('is valid for 60 days from each rotation, in world time', async () => {
    const first = await aUserToken(db, client)
    await advance(db, '59 days 23:59:00')
    const second = given(await refresh(db, client, first.refreshToken))
    await advance(db, '59 days 23:59:00')
    const third = given(await refresh(db, client, second.refreshToken))
    await advance(db, '60 days')
    expect(whyNot(await refresh(db, client, third.refreshToken))).toBe('expired')
  })

  test('that was never issued, or belongs to the other world, is unknown', async () => {
    const live = await aClient(db, { world: 'live' })
    const { refreshToken } = await aUserToken(db, client)
    expect(whyNot(await refresh(db, client, `rt_test_${'a'.repeat(64)}`))).toBe('unknown')
    expect(whyNot(await refresh(db, client, 'nonsense'))).toBe('unknown')
    expect(whyNot(await refresh(db, live, refreshToken))).toBe('unknown')
    expect(whyNot(await refresh(db, live, refreshToken.replace('rt_test_', 'rt_live_')))).toBe('unknown')
  })
})

describe('a refresh re-issues at most the original token’s scopes', () => {
  test('a refresh may request fewer scopes, and the next refresh may get all of them again', async () => {
    const { refreshToken } = await aUserToken(db, client)
    const fewer = given(await refresh(db, client, refreshToken, { requested: ['read:profile'] }))
    expect(fewer.scopes).toEqual(['read:profile'])
    expect(given(await refresh(db, client, fewer.refreshToken)).scopes).toEqual(['read:profile', 'read:investments'])
  })

  test('a scope that a granted scope implies may be requested alone', async () => {
    const own = await aClient(db, { scopes: ['write:syndicates'] })
    const { refreshToken } = await aUserToken(db, own, { scopes: ['write:syndicates'] })
    const narrowed = given(await refresh(db, own, refreshToken, { requested: ['read:syndicates'] }))
    expect((await lookUp(db, narrowed.accessToken))?.kind).toBe('user')
    expect(narrowed.scopes).toEqual(['read:syndicates'])
  })

  test.each([['read:companies'], ['read:profile', 'write:profile'], ['no:such']])(
    'a request for %j, which was not granted, is rejected; the token stays valid',
    async (...requested) => {
      const { refreshToken } = await aUserToken(db, client)
      expect(whyNot(await refresh(db, client, refreshToken, { requested }))).toBe('scope')
      expect(whyNot(await refresh(db, client, refreshToken))).toBe('issued')
    },
  )
})

describe('the same client repeating the very last rotation within 30 s gets the same successor again', () => {
  test('the repeat returns the same tokens, with their remaining lifetime', async () => {
    const { refreshToken } = await aUserToken(db, client)
    const response = given(await refresh(db, client, refreshToken))
    await dateBack(response.refreshToken, REPEAT_SECONDS - 5)
    await advance(db, '1 hour')
    const again = given(await refresh(db, client, refreshToken))
    expect(again).toEqual({ ...response, expiresInSeconds: expect.any(Number) })
    expect(again.expiresInSeconds).toBeGreaterThan(3_500)
    expect(again.expiresInSeconds).toBeLessThanOrEqual(3_600)
    expect(whyNot(await refresh(db, client, again.refreshToken))).toBe('issued')
  })

  test('the stored response cannot be opened with data in the database, or with the newer token', async () => {
    const { refreshToken } = await aUserToken(db, client)
    const { refreshToken: newer } = given(await refresh(db, client, refreshToken))
    const [row] = await db.sql<{ answer: Buffer }>('select answer from test.refresh_families where head_hash = $1', [
      digest(newer),
    ])
    const { openResponse } = await import('./rotate-family.ts')
    const sealed = row?.answer ?? Buffer.alloc(0)
    expect(openResponse(refreshToken, sealed)).toMatchObject({ refreshToken: newer })
    expect(openResponse(newer, sealed)).toBeNull()
    expect(openResponse(digest(refreshToken).toString('hex'), sealed)).toBeNull()
  })

  test('a repeat that requests scopes that were not granted is rejected; the token stays valid', async () => {
    const { refreshToken } = await aUserToken(db, client)
    const response = given(await refresh(db, client, refreshToken))
    expect(whyNot(await refresh(db, client, refreshToken, { requested: ['read:companies'] }))).toBe('scope')
    expect(given(await refresh(db, client, refreshToken, { requested: ['read:profile'] }))).toMatchObject({
      refreshToken: response.refreshToken,
      scopes: response.scopes,
    })
  })

  test('the repeat is rejected after the world clock moved past the access token’s or the family’s expiry', async () => {
    const { refreshToken } = await aUserToken(db, client)
    const newer = given(await refresh(db, client, refreshToken))
    await advance(db, '2 hours')
    expect(whyNot(await refresh(db, client, refreshToken))).toBe('expired')
    await db.databases.test.transaction((tx) => purgeTokens(tx, 1_000))
    expect(whyNot(await refresh(db, client, refreshToken))).toBe('expired')
    const newest = given(await refresh(db, client, newer.refreshToken))
    await advance(db, '60 days')
    expect(whyNot(await refresh(db, client, newer.refreshToken))).toBe('expired')
    expect(whyNot(await refresh(db, client, newest.refreshToken))).toBe('expired')
  })

  test('the repeat is rejected if the access token was revoked meanwhile; the newest refresh token stays valid', async () => {
    const { refreshToken } = await aUserToken(db, client)
    const newer = given(await refresh(db, client, refreshToken))
    await db.databases.test.transaction((tx) => revokePresented(tx, { token: newer.accessToken, keyId: client.keyId }))
    expect(whyNot(await refresh(db, client, refreshToken))).toBe('revoked')
    expect(whyNot(await refresh(db, client, newer.refreshToken))).toBe('issued')
  })

  test('the repeat is rejected if the user was deactivated meanwhile', async () => {
    const on = await aConnection(db, client)
    const { refreshToken } = await aUserToken(db, client, { on })
    await refresh(db, client, refreshToken)
    await db.sql('update test.users set deactivated_at = now(), name = null, email = null where id = $1', [on.user])
    expect(whyNot(await refresh(db, client, refreshToken))).toBe('user')
  })
})

describe('Presenting a used refresh token revokes its family', () => {
  const spent = async (own: StagedClient) => {
    const first = await aUserToken(db, own)
    const second = given(await refresh(db, own, first.refreshToken))
    return { first, second, bearers: [first.accessToken, second.accessToken] }
  }

  test('after 30 s, with all its access tokens, and the audit records when, where and which app', async () => {
    const own = await aClient(db)
    const { first, second, bearers } = await spent(own)
    await dateBack(second.refreshToken, REPEAT_SECONDS)
    expect(whyNot(await refresh(db, own, first.refreshToken))).toBe('reused')
    expect(await accepted(db, bearers)).toBe(0)
    expect(whyNot(await refresh(db, own, second.refreshToken))).toBe('revoked')
    const entries = await db.sql(
      `select actor, action, details, at > now() - interval '1 minute' as now
         from platform.audit_entries where subject = $1`,
      [own.app],
    )
    expect(entries).toEqual([
      {
        actor: own.keyId,
        action: 'refresh_token.reused',
        now: true,
        details: {
          world: 'test',
          key: own.keyId,
          installation: expect.stringMatching(/^inst_/),
          operation: SEEN.operation,
          request: SEEN.requestId,
        },
      },
    ])
  })

  test('at once if the token is older than the previous token', async () => {
    const own = await aClient(db)
    const { first, second, bearers } = await spent(own)
    const third = given(await refresh(db, own, second.refreshToken))
    expect(whyNot(await refresh(db, own, first.refreshToken))).toBe('reused')
    expect(await accepted(db, [...bearers, third.accessToken])).toBe(0)
  })

  test('at once if another client presents a used token', async () => {
    const own = await aClient(db)
    const [stranger, sibling] = [await aClient(db), { ...own, keyId: (await aKey(db, own.app)).clientId }]
    const { first, second, bearers } = await spent(own)
    expect(whyNot(await refresh(db, stranger, second.refreshToken))).toBe('unknown')
    expect(whyNot(await refresh(db, sibling, second.refreshToken))).toBe('unknown')
    expect(await accepted(db, bearers)).toBe(2)
    expect(whyNot(await refresh(db, stranger, first.refreshToken))).toBe('reused')
    expect(await accepted(db, bearers)).toBe(0)
  })

  test('also if the token is forged and has the family’s name', async () => {
    const own = await aClient(db)
    const { second, bearers } = await spent(own)
    const forged = second.refreshToken.slice(0, -4) + (second.refreshToken.endsWith('AAAA') ? 'BBBB' : 'AAAA')
    expect(whyNot(await refresh(db, own, forged))).toBe('reused')
    expect(await accepted(db, bearers)).toBe(0)
  })

  test('but no other family of the same connection', async () => {
    const own = await aClient(db)
    const on = await aConnection(db, own)
    const [lost, kept] = [await aUserToken(db, own, { on }), await aUserToken(db, own, { on })]
    const { refreshToken } = given(await refresh(db, own, lost.refreshToken))
    await dateBack(refreshToken, REPEAT_SECONDS)
    await refresh(db, own, lost.refreshToken)
    expect(whyNot(await refresh(db, own, kept.refreshToken))).toBe('issued')
  })
})

describe('the conditions of a refresh token are checked again at every use', () => {
  const revoke = (id: Id<'installation'>, superseded: boolean) =>
    db.sql(
      `update test.installations set state = 'revoked', revoked_at = now(), revoked_by_role = 'user', superseded = $2
        where id = $1`,
      [id, superseded],
    )

  test.each([false, true])('error “installation” for a revoked connection (superseded: %s)', async (superseded) => {
    const on = await aConnection(db, client)
    const { refreshToken } = await aUserToken(db, client, { on })
    await revoke(on.installation, superseded)
    expect(whyNot(await refresh(db, client, refreshToken))).toBe('installation')
  })

  test('error “user” for a deactivated user', async () => {
    const on = await aConnection(db, client)
    const { refreshToken } = await aUserToken(db, client, { on })
    await db.sql('update test.users set deactivated_at = now(), name = null, email = null where id = $1', [on.user])
    expect(whyNot(await refresh(db, client, refreshToken))).toBe('user')
  })

  test('error “client” for a suspended app until the suspension is lifted', async () => {
    const own = await aClient(db)
    const { refreshToken } = await aUserToken(db, own)
    await db.sql(`update platform.app_keys set state = 'suspended' where app_id = $1`, [own.app])
    expect(whyNot(await refresh(db, own, refreshToken))).toBe('client')
    await db.sql(`update platform.app_keys set state = 'active' where app_id = $1`, [own.app])
    expect(whyNot(await refresh(db, own, refreshToken))).toBe('issued')
  })

  test('error “revoked” for an app that was disabled and enabled again', async () => {
    const own = await aClient(db)
    const { refreshToken } = await aUserToken(db, own)
    await db.sql('update platform.app_keys set generation = generation + 1 where app_id = $1', [own.app])
    expect(whyNot(await refresh(db, own, refreshToken))).toBe('revoked')
  })

  test('the new token lacks a scope that the app no longer has', async () => {
    const own = await aClient(db)
    const { refreshToken } = await aUserToken(db, own)
    const undeclare = (table: string) => `update platform.${table} set scopes = '{read:profile}' where`
    await db.sql(`${undeclare('apps')} id = $1`, [own.app])
    await db.sql(`${undeclare('app_keys')} app_id = $1`, [own.app])
    expect(given(await refresh(db, own, refreshToken)).scopes).toEqual(['read:profile'])
  })
})
