import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lockAppForChange, writeScopes } from '#access/apps/index.ts'
import { connectionsOf, disconnectUser, narrowInstallations } from '#access/installations/index.ts'
import { type Site, userIn } from '#access/installations/testing/site.ts'
import { deactivateUser, lockUser } from '#access/people/index.ts'
import { mayCarry } from '#access/scopes/index.ts'
import { revokeExceeding } from '#access/tokens/index.ts'
import { occasionAt } from '#test/caused-events.ts'
import { testChangeContext } from '#test/installations.ts'
import { addressFor, agree, anAskingApp, openConsentSite, parametersIn } from './testing/consent-site.ts'

let site: Site
beforeAll(async () => {
  site = await openConsentSite()
})
afterAll(() => site.close())

const TOGETHER = 8

async function arranged(scope = 'read:profile read:investments') {
  const app = await anAskingApp(site)
  const person = await site.person()
  const browser = await site.signedIn(person)
  const address = addressFor(app, { scope })
  await browser.open(address)
  const user = userIn(person)
  const rows = (state: string) =>
    site.db.sql<{ scopes: string[] }>(
      `select scopes from test.installations where app_id = $1 and user_id = $2 and state = $3`,
      [app.appId, user, state],
    )
  const consent = (scopes = ['read:profile', 'read:investments']) => agree(browser, address, scopes)
  return { app, user, consent, rows, connections: () => connectionsOf(site.db.databases.test.reads, user) }
}

describe('several consents of one user to one app at the same moment', () => {
  test('with the same scopes make one connection, and each consent gets a code', async () => {
    const { consent, rows } = await arranged()
    const responses = await Promise.all(Array.from({ length: TOGETHER }, () => consent()))
    expect(responses.map(({ location }) => typeof parametersIn(location)['code'])).toEqual(
      responses.map(() => 'string'),
    )
    expect(await rows('active')).toHaveLength(1)
    expect(await rows('revoked')).toHaveLength(0)
  })

  test('with different scopes leave one connection active and supersede the other connections, without an error', async () => {
    const { user, consent, rows } = await arranged()
    const wanted = Array.from({ length: TOGETHER }, (_, i) => (i % 2 === 0 ? ['read:profile'] : ['read:investments']))
    const responses = await Promise.all(wanted.map((scopes) => consent(scopes)))
    expect(responses.every(({ status }) => status === 303)).toBe(true)
    expect(await rows('active')).toHaveLength(1)
    const events = await site.db.sql(
      `select from test.events e join test.installations i on i.id = e.installation_id
        where i.user_id = $1 and i.superseded and e.name = 'installation.revoked'`,
      [user],
    )
    expect(events).toHaveLength((await rows('revoked')).length)
  })
})

describe('a consent and a disconnect at the same moment', () => {
  test('leave no valid code of an ended connection, in either order', async () => {
    const { app, user, consent } = await arranged()
    await consent()
    const disconnect = () =>
      site.db.databases.test.transaction((tx) =>
        disconnectUser(tx, { appId: app.appId, userId: user, role: 'user' }, testChangeContext()),
      )
    await Promise.all([consent(), disconnect(), consent(['read:profile']), disconnect(), consent()])
    const alive = await site.db.sql(
      `select from test.authorization_codes c join test.installations i on i.id = c.installation_id
        where i.user_id = $1 and i.state = 'revoked' and c.revoked_at is null`,
      [user],
    )
    expect(alive).toEqual([])
    await disconnect()
    const left = await site.db.sql('select from test.authorization_codes where user_id = $1 and revoked_at is null', [
      user,
    ])
    expect(left).toEqual([])
  })

  test('make a new connection if the consent waited for the disconnect', async () => {
    const { app, user, consent, rows } = await arranged()
    await consent()
    let response: ReturnType<typeof consent> | undefined
    await site.db.databases.test.transaction(async (tx) => {
      await disconnectUser(tx, { appId: app.appId, userId: user, role: 'user' }, testChangeContext())
      response = consent()
      await site.db.untilTransactionWaits()
    })
    expect(parametersIn((await response)?.location ?? null)).toHaveProperty('code')
    expect([await rows('active'), await rows('revoked')].map(({ length }) => length)).toEqual([1, 1])
  })
})

describe('a consent and the removal of a scope at the same moment', () => {
  test('give invalid_scope if the consent waited for the removal; no connection is made', async () => {
    const { app, consent, rows } = await arranged()
    let response: ReturnType<typeof consent> | undefined
    await site.db.databases.platform.transaction(async (tx) => {
      await lockAppForChange(tx, app.appId)
      response = consent()
      await site.db.untilTransactionWaits()
      await writeScopes(tx, app.appId, ['read:profile'])
    })
    expect(parametersIn((await response)?.location ?? null)).toMatchObject({ error: 'invalid_scope' })
    expect(await rows('active')).toEqual([])
  })

  test('leave no installation and no code with the removed scope, even with many consents at once', async () => {
    const { app, user, consent } = await arranged()
    const left = ['read:profile']
    const remove = () =>
      site.db.databases.platform.transaction(async (tx) => {
        await lockAppForChange(tx, app.appId)
        await writeScopes(tx, app.appId, left)
        const bounds = { app: app.appId, allowed: [...mayCarry(left)], removed: ['read:investments'] }
        await narrowInstallations(tx, { ...bounds, world: 'test', role: 'partner' }, testChangeContext())
        await revokeExceeding(tx, 'test', bounds)
      })
    const consents = Array.from({ length: TOGETHER }, () => consent())
    await Promise.all([...consents, remove()])
    const carrying = await site.db.sql(
      `select id from test.installations
        where user_id = $1 and state = 'active' and scopes && '{read:investments}'
       union all
       select installation_id from test.authorization_codes
        where user_id = $1 and revoked_at is null and scopes && '{read:investments}'`,
      [user],
    )
    expect(carrying).toEqual([])
  })
})

describe('a consent and the user’s deactivation at the same moment', () => {
  test('give 403 if the consent waited for the deactivation', async () => {
    const { user, consent, rows } = await arranged()
    let response: ReturnType<typeof consent> | undefined
    await site.db.databases.test.transaction(async (tx) => {
      await lockUser(tx, 'user', user)
      response = consent()
      await site.db.untilTransactionWaits()
      await deactivateUser(tx, user, occasionAt())
    })
    expect((await response)?.status).toBe(403)
    expect(await rows('active')).toEqual([])
  })
})
