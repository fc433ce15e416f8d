import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newClientId, newId } from '#kernel/ids.ts'
import { WORLDS } from '#kernel/world.ts'
import { aKey, aMember, anAccount, anApp, anOrganization } from '#test/apps.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import {
  describeApp,
  findClient,
  findTeamRole,
  lockAppForChange,
  lockClient,
  noteInstalled,
  noteLiveToken,
  writeScopes,
} from './index.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

describe('a client', () => {
  test('is found only in its own world, with its app’s rights; only its own secret matches', async () => {
    const app = await anApp(db, { scopes: ['read:profile'], piiApproved: true })
    const [own, other] = [await aKey(db, app, { redirectUris: ['https://a.example/cb'] }), await aKey(db, app)]
    expect(await findClient(db.databases.test, own.clientId, own.secret)).toEqual({
      keyId: own.clientId,
      appId: app,
      world: 'test',
      clientType: 'confidential',
      redirectUris: ['https://a.example/cb'],
      state: 'active',
      scopes: ['read:profile'],
      apiVersion: '2026-11-01',
      generation: 1,
      revision: '1',
      piiApproved: true,
      secretMatches: true,
      liveTokenNoted: true,
    })
    for (const secret of [other.secret, own.clientId, '', null]) {
      expect(await findClient(db.databases.test, own.clientId, secret)).toMatchObject({ secretMatches: false })
    }
    expect(await findClient(db.databases.live, own.clientId, own.secret)).toBeNull()
    expect(await findClient(db.databases.test, newClientId('test'), null)).toBeNull()
  })

  test('is returned only to the request that sent its id, if several requests look up clients at once', async () => {
    const [one, other] = [await anApp(db, { scopes: ['read:profile'] }), await anApp(db, { state: 'suspended' })]
    const [own, second, live] = [await aKey(db, one), await aKey(db, other), await aKey(db, one, { world: 'live' })]
    const found = await Promise.all(
      [
        [own.clientId, own.secret],
        [own.clientId, second.secret],
        [newClientId('test'), own.secret],
        [live.clientId, live.secret],
        [second.clientId, second.secret],
        [own.clientId, null],
      ].map(([id, secret]) => findClient(db.databases.test, id as typeof own.clientId, secret ?? null)),
    )
    expect(found.map((client) => client && [client.appId, client.state, client.scopes, client.secretMatches])).toEqual([
      [one, 'active', ['read:profile'], true],
      [one, 'active', ['read:profile'], false],
      null,
      null,
      [other, 'suspended', expect.any(Array), true],
      [one, 'active', ['read:profile'], false],
    ])
  })

  test('is locked in its own world, and is unknown in the other world', async () => {
    const { clientId } = await aKey(db, await anApp(db))
    expect(await db.databases.test.transaction((tx) => lockClient(tx, clientId))).toMatchObject({ keyId: clientId })
    expect(await db.databases.live.transaction((tx) => lockClient(tx, clientId))).toBeNull()
    expect(await db.databases.test.transaction((tx) => lockClient(tx, newClientId('test')))).toBeNull()
  })
})

describe('the first live token and the first installation of an app', () => {
  test('are recorded once, with their time; a token and an installation of the sandbox are not recorded', async () => {
    const app = await anApp(db)
    const { clientId } = await aKey(db, app, { world: 'live' })
    await noteLiveToken(db.databases.test, app)
    expect(await findClient(db.databases.live, clientId, null)).toMatchObject({ liveTokenNoted: false })
    await noteLiveToken(db.databases.live, app)
    await noteInstalled(db.databases.test, app)
    expect(await db.sql('select first_installed_at from platform.apps where id = $1', [app])).toEqual([
      { first_installed_at: null },
    ])
    await noteInstalled(db.databases.live, app)
    expect(await findClient(db.databases.live, clientId, null)).toMatchObject({ liveTokenNoted: true })
    const times = () => db.sql('select first_live_token_at, first_installed_at from platform.apps where id = $1', [app])
    const before = await times()
    await noteLiveToken(db.databases.live, app)
    await noteInstalled(db.databases.live, app)
    expect(await times()).toEqual(before)
  })
})

test.each(WORLDS)('an app is described to the people of the %s world', async (world) => {
  const organization = await anOrganization(db, { name: 'Acme Tools' })
  const app = await anApp(db, {
    ...{ organization, name: 'Deal Desk', description: 'Keeps deals.', approved: true, state: 'suspended' },
    ...{ websiteUrl: 'https://a.example', setupUrl: 'https://a.example/setup' },
  })
  expect(await describeApp(db.databases[world].reads, app)).toEqual({
    id: app,
    name: 'Deal Desk',
    logoUrl: null,
    websiteUrl: 'https://a.example',
    description: 'Keeps deals.',
    setupUrl: 'https://a.example/setup',
    organization: { id: organization, name: 'Acme Tools' },
    approved: true,
    piiApproved: false,
    state: 'suspended',
  })
  expect(await describeApp(db.databases[world].reads, newId('app'))).toBeNull()
})

test.each(WORLDS)('the role of a person on the team of an app can be read in the %s world', async (world) => {
  const organization = await anOrganization(db)
  const app = await anApp(db, { organization })
  const account = await aMember(db, { organization, role: 'developer' })
  const { reads } = db.databases[world]
  expect(await findTeamRole(reads, app, account)).toBe('developer')
  expect(await findTeamRole(reads, app, await anAccount(db))).toBeNull()
  expect(await findTeamRole(reads, await anApp(db), account)).toBeNull()
})

describe('changing the scopes', () => {
  test('writes them to the app and every key, and increases the revision', async () => {
    const app = await anApp(db, { scopes: ['read:profile', 'read:explore'] })
    const keys = [await aKey(db, app), await aKey(db, app, { world: 'live' })]
    await db.databases.platform.transaction(async (tx) => {
      const before = await lockAppForChange(tx, app)
      expect(before).toMatchObject({ state: 'active', scopes: ['read:profile', 'read:explore'] })
      await writeScopes(tx, app, ['read:explore'])
    })
    for (const { clientId } of keys) {
      const client = await findClient(db.databases[clientId.startsWith('pk_test') ? 'test' : 'live'], clientId, null)
      expect(client).toMatchObject({ scopes: ['read:explore'], revision: '2' })
    }
  })

  test('of an unknown app is a 404', async () => {
    const locking = db.databases.platform.transaction((tx) => lockAppForChange(tx, newId('app')))
    await expect(locking).rejects.toMatchObject({ type: 'not_found' })
  })
})
