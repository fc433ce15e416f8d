import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { issueClientToken } from './index.ts'
import { aClient, lookUp, present } from './testing/stage.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

const PUBLIC = { scopes: ['read:public'], byDefault: false }
const countTokens = async (app: string) =>
  (await db.sql<{ n: number }>('select count(*)::int as n from test.access_tokens where app_id = $1', [app]))[0]?.n

describe('a client-credentials token', () => {
  test('acts as the app, is valid for 24 hours, and reports its creation in real time', async () => {
    const client = await aClient(db)
    await db.sql(`update test.world_clock set ahead = '30 days'`)
    const issued = await issueClientToken(db.databases.test, await present(db, client), PUBLIC)
    await db.sql(`update test.world_clock set ahead = '30 days'`)
    if (issued === 'stale') throw new Error('stale')
    expect(issued).toMatchObject({ expiresInSeconds: 86_400, scopes: ['read:public'] })
    expect(Math.abs(issued.createdAt - Date.now() / 1_000)).toBeLessThan(60)
    expect(Number.isInteger(issued.createdAt)).toBe(true)
    const [row] = await db.sql<{ lives: number }>(
      `select extract(epoch from expires_at - created_at)::int - 30 * 86400 as lives
         from test.access_tokens where app_id = $1`,
      [client.app],
    )
    expect(row?.lives).toBe(86_400)
    expect(await lookUp(db, issued.accessToken)).toMatchObject({ kind: 'client', appId: client.app })
  })

  test('has the referral-code scopes only if the app declares them', async () => {
    const scopes = ['read:public', 'read:referral_codes', 'write:referral_codes']
    const declaring = await present(db, await aClient(db, { scopes: ['read:referral_codes'] }))
    const issued = await issueClientToken(db.databases.test, declaring, { scopes, byDefault: true })
    expect(issued).toMatchObject({ scopes: ['read:public', 'read:referral_codes'] })
  })

  test.each([
    ['a scope was removed', `scopes = '{}', revision = revision + 1`],
    ['it was suspended', `suspended_at = now(), suspended_reason = 'x', revision = revision + 1`],
    ['it was disabled', `disabled_at = now(), revision = revision + 1`],
  ])('is not issued if the app changed since it was read: %s', async (_, change) => {
    const client = await aClient(db)
    const before = await present(db, client)
    await db.sql(`update platform.apps set ${change} where id = $1`, [client.app])
    expect(await issueClientToken(db.databases.test, before, PUBLIC)).toBe('stale')
    expect(await countTokens(client.app)).toBe(0)
  })

  test('is issued in one statement together with the tokens of concurrent requests; each token has its own row and scopes', async () => {
    const clients = await Promise.all(
      Array.from({ length: 10 }, (_, n) => aClient(db, { scopes: n % 2 === 0 ? ['read:referral_codes'] : [] })),
    )
    const looked = await Promise.all(clients.map((client) => present(db, client)))
    const grant = { scopes: ['read:public', 'read:referral_codes'], byDefault: true }
    const issued = await Promise.all(looked.map((client) => issueClientToken(db.databases.test, client, grant)))
    const callers = await Promise.all(issued.map((one) => (one === 'stale' ? null : lookUp(db, one.accessToken))))
    expect(callers).toEqual(
      clients.map(({ app, keyId }, n) =>
        expect.objectContaining({
          ...{ kind: 'client', appId: app, keyId },
          scopes: new Set(n % 2 === 0 ? ['read:public', 'read:referral_codes'] : ['read:public']),
        }),
      ),
    )
    const transactions = await db.sql('select distinct xmin from test.access_tokens where app_id = any($1)', [
      clients.map(({ app }) => app),
    ])
    expect(transactions).toHaveLength(1)
  })

  test('is a separate token for each concurrent request of one app', async () => {
    const client = await aClient(db)
    const looked = await present(db, client)
    const issued = await Promise.all([1, 2, 3].map(() => issueClientToken(db.databases.test, looked, PUBLIC)))
    expect(new Set(issued.map((one) => one !== 'stale' && one.accessToken)).size).toBe(3)
    expect(await countTokens(client.app)).toBe(3)
  })

  test('is not issued to an app that changed; other apps in the same statement get their tokens', async () => {
    const names = ['unchanged', 'narrowed', 'suspended', 'disabled', 'also unchanged'] as const
    const clients = await Promise.all(names.map(() => aClient(db)))
    const looked = await Promise.all(clients.map((client) => present(db, client)))
    const changes = [
      [1, `scopes = '{}', revision = revision + 1`],
      [2, `suspended_at = now(), suspended_reason = 'x', revision = revision + 1`],
      [3, `disabled_at = now(), revision = revision + 1`],
    ] as const
    for (const [at, change] of changes) {
      await db.sql(`update platform.apps set ${change} where id = $1`, [clients[at]?.app])
    }
    const issued = await Promise.all(looked.map((client) => issueClientToken(db.databases.test, client, PUBLIC)))
    expect(issued.map((one) => (one === 'stale' ? 'stale' : 'issued'))).toEqual([
      ...['issued', 'stale', 'stale', 'stale', 'issued'],
    ])
    expect(await Promise.all(clients.map(({ app }) => countTokens(app)))).toEqual([1, 0, 0, 0, 1])
  })

  test('has only the requested scopes that the app still declares', async () => {
    const client = await aClient(db, { scopes: ['read:referral_codes'] })
    await db.sql(`update platform.apps set scopes = '{}', revision = revision + 1 where id = $1`, [client.app])
    await db.sql(`update platform.app_keys set scopes = '{}' where app_id = $1`, [client.app])
    const grant = { scopes: ['read:public', 'read:referral_codes'], byDefault: true }
    const issued = await issueClientToken(db.databases.test, await present(db, client), grant)
    expect(issued).toMatchObject({ scopes: ['read:public'] })
  })
})
