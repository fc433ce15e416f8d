import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lockAppForChange, writeScopes } from '#access/apps/index.ts'
import { mayCarry } from '#access/scopes/index.ts'
import { type Id, newId } from '#kernel/ids.ts'
import type { PlatformTx, Tx } from '#system/postgres/database.ts'
import { anApp } from '#test/apps.ts'
import { causedBy } from '#test/caused-events.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { makeConnection, testChangeContext } from '#test/installations.ts'
import { makeUser } from '#test/people.ts'
import { disconnectUser, revokeConnectionsOfUser } from './connect-user.ts'
import { recordOf } from './installation.ts'
import type { ChangeContext } from './lifecycle.ts'
import { narrowInstallations, revokeInstallation } from './revocations.ts'
import { connectionsOf, findInstallations } from './store.ts'
import { giveTokens, tokensOf } from './testing/tokens.ts'

let db: TestDatabase
let appId: Id<'app'>
beforeAll(async () => {
  db = await testDatabase()
  appId = await anApp(db, { scopes: ['read:profile', 'read:companies', 'read:investments'] })
})
afterAll(() => db.close())

const run = <T>(work: (tx: Tx) => Promise<T>) => db.databases.test.transaction(work)
const reads = () => db.databases.test.reads
const aUser = () => run((tx) => makeUser(tx))
const connect = (userId: Id<'user'>, scopes: readonly string[], context = testChangeContext()) =>
  run((tx) => makeConnection(tx, { appId, userId, scopes }, context))
const disconnect = (userId: Id<'user'>, context = testChangeContext(), app = appId) =>
  run((tx) => disconnectUser(tx, { appId: app, userId, role: 'user' }, context))
const stateOf = async (id: Id<'installation'>) => (await findInstallations(reads(), [id]))[0]?.state
const eventsOf = (context: ChangeContext) => causedBy(reads(), { ...context, occurredAt: '' as never })

describe('a user’s consent', () => {
  test('is an installation with target type user, tier user, installed by the user', async () => {
    const userId = await aUser()
    const context = testChangeContext()
    const made = await connect(userId, ['read:profile', 'read:companies'], context)
    const record = {
      id: made.id,
      status: 'active',
      target: { type: 'user', id: userId, name: null },
      tier: 'user',
      scopes: ['read:profile', 'read:companies'],
      installed_at: made.installedAt,
      installed_by: { role: 'user' },
    }
    expect(recordOf(made)).toEqual(record)
    expect(await eventsOf(context)).toEqual([
      { event: 'installation.created', data: { ...record, occurred_at: made.installedAt } },
    ])
  })

  test('again with the same scopes keeps the installation: the same id, no event', async () => {
    const userId = await aUser()
    const first = await connect(userId, ['read:profile', 'read:companies'])
    const context = testChangeContext()
    const second = await connect(userId, ['read:companies', 'read:profile'], context)
    expect(second).toEqual(first)
    expect(context.caused).toEqual([])
  })

  test('with other scopes the old installation is revoked as superseded, and a new one is created', async () => {
    const userId = await aUser()
    const old = await connect(userId, ['read:profile'])
    const context = testChangeContext()
    const made = await connect(userId, ['read:profile', 'read:companies'], context)
    expect(made.id).not.toBe(old.id)
    const events = await eventsOf(context)
    expect(events.map(({ event }) => event)).toEqual(['installation.revoked', 'installation.created'])
    expect(events[0]?.data).toMatchObject({ id: old.id, status: 'revoked', revoked_by: { role: 'user' } })
    expect(events[0]?.data['revoked_at']).toBe(events[0]?.data['occurred_at'])
    expect(await connectionsOf(reads(), userId)).toMatchObject([{ id: made.id }])
  })

  test('ends the refresh tokens and codes of a superseded connection, whose access tokens work until they expire', async () => {
    const userId = await aUser()
    const old = await connect(userId, ['read:profile'])
    await giveTokens(db, old)
    await connect(userId, ['read:companies'])
    expect(await tokensOf(db, old.id)).toEqual({ access: 'in force', refresh: 'revoked', code: 'revoked' })
  })

  test('ends at once the tokens that were minted on a superseded connection, because they may never expire', async () => {
    const userId = await aUser()
    const [old, another] = [await connect(userId, ['read:profile']), await connect(await aUser(), ['read:profile'])]
    for (const installation of [old, another]) await giveTokens(db, installation, { kind: 'installation' })
    await connect(userId, ['read:companies'])
    expect(await tokensOf(db, old.id)).toMatchObject({ access: 'revoked' })
    expect(await tokensOf(db, another.id)).toMatchObject({ access: 'in force' })
  })

  test('the newest consent decides whether the connection depends on the app’s declaration', async () => {
    const userId = await aUser()
    const first = await run((tx) => makeConnection(tx, { appId, userId, byDefault: true }))
    const second = await connect(userId, ['read:profile'])
    expect(second).toEqual({ ...first, byDefault: false })
    expect(await findInstallations(reads(), [first.id])).toEqual([second])
  })

  test('belongs to one world and is unknown in the other world', async () => {
    const made = await connect(await aUser(), ['read:profile'])
    expect(await findInstallations(db.databases.live.reads, [made.id])).toEqual([])
  })
})

describe('a user disconnecting an app', () => {
  test('revokes the connection with its event, and revokes every token immediately', async () => {
    const userId = await aUser()
    const made = await connect(userId, ['read:profile'])
    await giveTokens(db, made)
    const context = testChangeContext()
    expect(await disconnect(userId, context)).toEqual({
      installation: made.id,
      tokens: { accessTokens: 1, refreshTokens: 1 },
    })
    expect(await tokensOf(db, made.id)).toEqual({ access: 'revoked', refresh: 'revoked', code: 'revoked' })
    const [event] = await eventsOf(context)
    expect(event).toMatchObject({
      event: 'installation.revoked',
      data: { id: made.id, status: 'revoked', scopes: ['read:profile'], revoked_by: { role: 'user' } },
    })
    expect(await connectionsOf(reads(), userId)).toEqual([])
  })

  test('revokes the tokens of superseded connections of the same user and app too', async () => {
    const userId = await aUser()
    const old = await connect(userId, ['read:profile'])
    await giveTokens(db, old)
    await connect(userId, ['read:companies'])
    await disconnect(userId)
    expect(await tokensOf(db, old.id)).toMatchObject({ access: 'revoked' })
  })

  test('does not change another user’s or another app’s connection', async () => {
    const [userId, other] = [await aUser(), await aUser()]
    const another = await anApp(db, { scopes: ['read:profile'] })
    const theirs = await connect(other, ['read:profile'])
    const elsewhere = await run((tx) => makeConnection(tx, { appId: another, userId }))
    await connect(userId, ['read:profile'])
    await giveTokens(db, theirs)
    await giveTokens(db, elsewhere)
    await disconnect(userId)
    expect([await stateOf(theirs.id), await stateOf(elsewhere.id)]).toEqual(['active', 'active'])
    for (const { id } of [theirs, elsewhere]) expect(await tokensOf(db, id)).toMatchObject({ access: 'in force' })
  })

  test('changes nothing and causes no event if it is repeated, or if no app is connected', async () => {
    const userId = await aUser()
    await connect(userId, ['read:profile'])
    await disconnect(userId)
    const context = testChangeContext()
    expect(await disconnect(userId, context)).toBeNull()
    expect(context.caused).toEqual([])
  })

  test('calls the listeners in the same transaction, after the rows are written', async () => {
    const userId = await aUser()
    const made = await connect(userId, ['read:profile'])
    const notified: unknown[] = []
    const onRevoked = {
      inWorld: async (tx: Tx, ids: readonly Id<'installation'>[]) => {
        notified.push([ids, (await findInstallations(tx, ids)).map(({ state }) => state)])
      },
      onPlatform: async () => {},
    }
    await disconnect(userId, testChangeContext([onRevoked]))
    expect(notified).toEqual([[[made.id], ['revoked']]])
  })

  test('uses the world’s time, so that the end is never before the beginning', async () => {
    await db.sql(`update test.world_clock set ahead = ahead + interval '3 days'`)
    const userId = await aUser()
    const made = await connect(userId, ['read:profile'])
    await disconnect(userId)
    const [ended] = await findInstallations(reads(), [made.id])
    expect(Date.parse(made.installedAt) - Date.now()).toBeGreaterThan(2 * 86_400_000)
    expect(String(ended?.revokedAt) > made.installedAt).toBe(true)
  })
})

describe('revoking an installation', () => {
  test('records the role that revoked it; a revoked installation does not change any more', async () => {
    const made = await connect(await aUser(), ['read:profile'])
    const context = testChangeContext()
    await run((tx) => revokeInstallation(tx, { id: made.id, role: 'partner' }, context))
    const [event] = await eventsOf(context)
    expect(event?.data).toMatchObject({ revoked_by: { role: 'partner' } })
    const later = testChangeContext()
    const again = await run((tx) => revokeInstallation(tx, { id: made.id, role: 'user' }, later))
    expect(again).toMatchObject({ ended: false, installation: { revokedByRole: 'partner' } })
    expect(later.caused).toEqual([])
  })

  test('does not change a superseded connection, but ends its remaining tokens, without a second event', async () => {
    const userId = await aUser()
    const old = await connect(userId, ['read:profile'])
    await giveTokens(db, old)
    const now = await connect(userId, ['read:companies'])
    await giveTokens(db, now)
    const context = testChangeContext()
    const outcome = await run((tx) => revokeInstallation(tx, { id: old.id, role: 'partner' }, context))
    expect(outcome).toMatchObject({ ended: false, installation: { state: 'revoked', revokedByRole: 'user' } })
    expect(context.caused).toEqual([])
    expect(await tokensOf(db, old.id)).toMatchObject({ access: 'revoked' })
    expect(await tokensOf(db, now.id)).toMatchObject({ access: 'in force' })
    expect(await stateOf(now.id)).toBe('active')
  })

  test('is not_found for an unknown installation', async () => {
    const id = newId('installation')
    const revoking = run((tx) => revokeInstallation(tx, { id, role: 'user' }, testChangeContext()))
    await expect(revoking).rejects.toMatchObject({ type: 'not_found' })
  })
})

describe('a user who leaves', () => {
  test('is disconnected from every app; their tokens are revoked', async () => {
    const userId = await aUser()
    const another = await anApp(db, { scopes: ['read:profile'] })
    const [one, two] = [
      await connect(userId, ['read:profile']),
      await run((tx) => makeConnection(tx, { appId: another, userId })),
    ]
    await giveTokens(db, two)
    const stays = await connect(await aUser(), ['read:profile'])
    const context = testChangeContext()
    expect(await run((tx) => revokeConnectionsOfUser(tx, userId, context))).toBe(2)
    const events = await eventsOf(context)
    expect(events.map(({ event }) => event)).toEqual(['installation.revoked', 'installation.revoked'])
    expect(new Set(events.map(({ data }) => data['id']))).toEqual(new Set([one.id, two.id]))
    expect(await tokensOf(db, two.id)).toEqual({ access: 'revoked', refresh: 'revoked', code: 'revoked' })
    expect(await stateOf(stays.id)).toBe('active')
  })
})

describe('removing a scope from the app', () => {
  const remove = (app: Id<'app'>, left: readonly string[], removed: readonly string[], context = testChangeContext()) =>
    db.databases.platform.transaction(async (tx: PlatformTx) => {
      await lockAppForChange(tx, app)
      await writeScopes(tx, app, left)
      return narrowInstallations(
        tx,
        { world: 'test', app, allowed: [...mayCarry(left)], removed, role: 'partner' },
        context,
      )
    })

  test('removes the scope from every active installation, without an event; an installation without any scope left is revoked with its tokens', async () => {
    const app = await anApp(db, { scopes: ['read:profile', 'read:companies'] })
    const [both, one, neither] = await run(async (tx) => [
      await makeConnection(tx, { appId: app, scopes: ['read:profile', 'read:companies'] }),
      await makeConnection(tx, { appId: app, scopes: ['read:companies'] }),
      await makeConnection(tx, { appId: app, scopes: ['read:profile'] }),
    ])
    for (const installation of [both, one, neither]) await giveTokens(db, installation)
    const context = testChangeContext()
    const outcome = await remove(app, ['read:profile'], ['read:companies'], context)
    expect(outcome).toEqual({ narrowed: 1, disconnected: 1, tokens: { accessTokens: 1, refreshTokens: 1 } })
    const after = await findInstallations(reads(), [both.id, one.id, neither.id])
    expect(Object.fromEntries(after.map(({ id, state, scopes }) => [id, [state, scopes]]))).toEqual({
      [both.id]: ['active', ['read:profile']],
      [one.id]: ['revoked', ['read:companies']],
      [neither.id]: ['active', ['read:profile']],
    })
    expect(await tokensOf(db, one.id)).toMatchObject({ access: 'revoked', refresh: 'revoked' })
    expect(await eventsOf(context)).toMatchObject([
      { event: 'installation.revoked', data: { id: one.id, revoked_by: { role: 'partner' } } },
    ])
  })

  test('also removes the scopes that the removed scope implied', async () => {
    const app = await anApp(db, { scopes: ['write:syndicates'] })
    const implied = await run((tx) => makeConnection(tx, { appId: app, scopes: ['read:syndicates'] }))
    expect(await remove(app, [], ['write:syndicates'])).toMatchObject({ disconnected: 1 })
    expect(await stateOf(implied.id)).toBe('revoked')
  })

  test('does not change a default grant, unless read:profile itself is removed', async () => {
    const app = await anApp(db, { scopes: ['read:profile', 'read:companies'] })
    const made = await run((tx) => makeConnection(tx, { appId: app, byDefault: true }))
    expect(await remove(app, ['read:profile'], ['read:companies'])).toMatchObject({ narrowed: 0, disconnected: 0 })
    expect(await stateOf(made.id)).toBe('active')
    expect(await remove(app, [], ['read:profile'])).toMatchObject({ disconnected: 1 })
  })

  test('does not change the installations of other apps', async () => {
    const [app, other] = [
      await anApp(db, { scopes: ['read:companies'] }),
      await anApp(db, { scopes: ['read:companies'] }),
    ]
    const stays = await run((tx) => makeConnection(tx, { appId: other, scopes: ['read:companies'] }))
    await remove(app, [], ['read:companies'])
    expect(await stateOf(stays.id)).toBe('active')
  })
})
