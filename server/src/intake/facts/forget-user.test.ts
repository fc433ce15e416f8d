import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectionsOf, findInstallations } from '#access/installations/index.ts'
import { giveTokens, tokensOf } from '#access/installations/testing/tokens.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { anApp } from '#test/apps.ts'
import { causedBy, occasionAt } from '#test/caused-events.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { makeConnection } from '#test/installations.ts'
import { makeUser } from '#test/people.ts'
import { forgetUser } from './forget-user.ts'

let db: TestDatabase
let appId: Id<'app'>
beforeAll(async () => {
  db = await testDatabase()
  appId = await anApp(db, { scopes: ['read:profile', 'read:investments'] })
})
afterAll(() => db.close())

const run = <T>(work: (tx: Tx) => Promise<T>) => db.databases.test.transaction(work)

describe('a deactivated user’s connections', () => {
  test('the connections are revoked, each with an event; all their tokens stop working, also those of replaced connections', async () => {
    const userId = await run((tx) => makeUser(tx))
    const old = await run((tx) => makeConnection(tx, { appId, userId, scopes: ['read:investments'] }))
    await giveTokens(db, old)
    const made = await run((tx) => makeConnection(tx, { appId, userId }))
    await giveTokens(db, made)
    const occasion = occasionAt()
    await run((tx) => forgetUser(tx, userId, occasion))
    expect(await connectionsOf(db.databases.test.reads, userId)).toEqual([])
    for (const { id } of [old, made]) {
      expect(await tokensOf(db, id)).toEqual({ access: 'revoked', refresh: 'revoked', code: 'revoked' })
    }
    expect(await causedBy(db.databases.test.reads, occasion)).toMatchObject([
      { event: 'installation.revoked', data: { id: made.id, revoked_by: { role: 'user' } } },
    ])
  })

  test('connections of other people stay; a second deactivation changes nothing', async () => {
    const userId = await run((tx) => makeUser(tx))
    const theirs = await run((tx) => makeConnection(tx, { appId }))
    await run((tx) => makeConnection(tx, { appId, userId }))
    await run((tx) => forgetUser(tx, userId, occasionAt()))
    const again = occasionAt()
    await run((tx) => forgetUser(tx, userId, again))
    expect(again.caused).toEqual([])
    expect(await findInstallations(db.databases.test.reads, [theirs.id])).toMatchObject([{ state: 'active' }])
  })

  test('the callbacks get the ids of the revoked connections', async () => {
    const userId = await run((tx) => makeUser(tx))
    const made = await run((tx) => makeConnection(tx, { appId, userId }))
    const calls: unknown[] = []
    const onRevoked = [{ inWorld: async (_: Tx, ids: unknown) => void calls.push(ids), onPlatform: async () => {} }]
    await run((tx) => forgetUser(tx, userId, { ...occasionAt(), onRevoked }))
    expect(calls).toEqual([[made.id]])
  })
})
