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
  test('acts as the app, lives 24 hours, and says when it was made in real time', async () => {
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

  test('carries the referral-code scopes only while the app declares them', async () => {
    const scopes = ['read:public', 'read:referral_codes', 'write:referral_codes']
    const declaring = await present(db, await aClient(db, { scopes: ['read:referral_codes'] }))
    const issued = await issueClientToken(db.databases.test, declaring, { scopes, byDefault: true })
    expect(issued).toMatchObject({ scopes: ['read:public', 'read:referral_codes'] })
  })

  test.each([
    ['a scope was removed', `scopes = '{}', revision = revision + 1`],
    ['it was suspended', `suspended_at = now(), suspended_reason = 'x', revision = revision + 1`],
    ['it was disabled', `disabled_at = now(), revision = revision + 1`],
  ])('of an app that has changed since it was looked at is not issued: %s', async (_, change) => {
    const client = await aClient(db)
    const before = await present(db, client)
    await db.sql(`update platform.apps set ${change} where id = $1`, [client.app])
    expect(await issueClientToken(db.databases.test, before, PUBLIC)).toBe('stale')
    expect(await countTokens(client.app)).toBe(0)
  })

  test('looked at again it is issued by what holds now', async () => {
    const client = await aClient(db, { scopes: ['read:referral_codes'] })
    await db.sql(`update platform.apps set scopes = '{}', revision = revision + 1 where id = $1`, [client.app])
    await db.sql(`update platform.app_keys set scopes = '{}' where app_id = $1`, [client.app])
    const grant = { scopes: ['read:public', 'read:referral_codes'], byDefault: true }
    const issued = await issueClientToken(db.databases.test, await present(db, client), grant)
    expect(issued).toMatchObject({ scopes: ['read:public'] })
  })
})
