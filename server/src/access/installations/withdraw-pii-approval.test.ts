import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { linkAccount } from '#access/accounts/index.ts'
import { INVESTOR_PII } from '#access/scopes/index.ts'
import { readError } from '#http/testing/error-response.ts'
import { type ProbeApp, serveProbes } from '#http/testing/probe-app.ts'
import { type Id, newId } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import { notifyAppTeam } from '#notices/index.ts'
import { aMember, anAccount, anApp, anOrganization } from '#test/apps.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { makeConnection } from '#test/installations.ts'
import { makeUser } from '#test/people.ts'
import { makeSyndicate } from '#test/syndicates.ts'
import { piiWithdrawalRoutes } from './api/platform-routes.ts'
import type { PiiBy } from './grant-rules.ts'
import { findInstallations, lockInstallation } from './store.ts'
import { giveTokens, tokensOf } from './testing/tokens.ts'

let db: TestDatabase
let app: ProbeApp
beforeAll(async () => {
  db = await testDatabase()
  const ports = { databases: db.databases, platform: db.databases.platform }
  app = await serveProbes(piiWithdrawalRoutes({ brand: 'wefunder', onRevoked: [], notify: notifyAppTeam }), { ports })
})
afterAll(async () => {
  await app.close()
  await db.close()
})

const WITH_PII = ['read:companies', INVESTOR_PII]

async function approvedApp() {
  const organization = await anOrganization(db)
  return { organization, appId: await anApp(db, { organization, scopes: WITH_PII, piiApproved: true }) }
}

function withdraw(appId: string, bearer = 'ok_live_operator'): Promise<Response> {
  const headers = { authorization: `Bearer ${bearer}`, 'x-portico-reason': 'Ticket%208' }
  return fetch(`${app.url}/platform/apps/${appId}/pii_approval`, { method: 'DELETE', headers })
}

type Made = { readonly userId?: Id<'user'>; readonly scopes?: readonly string[]; readonly piiBy?: PiiBy }
const connect = (world: World, appId: Id<'app'>, made: Made = {}) =>
  db.databases[world].transaction((tx) => makeConnection(tx, { appId, scopes: WITH_PII, ...made }))

async function userOfAccount(world: World, account: Id<'account'>): Promise<Id<'user'>> {
  const user = await db.databases[world].transaction((tx) => makeUser(tx))
  await db.databases.platform.transaction((tx) => linkAccount(tx, { account, world, user }))
  return user
}

const stateIn = async (world: World, id: Id<'installation'>) =>
  (await findInstallations(db.databases[world].reads, [id]))[0]?.state

describe('DELETE /platform/apps/{app_id}/pii_approval', () => {
  test('200: every installation that depends on the approval is revoked by the platform’s staff, in both worlds', async () => {
    const { appId } = await approvedApp()
    const [played, real] = [await connect('test', appId), await connect('live', appId)]
    await giveTokens(db, real, { world: 'live' })
    const response = await withdraw(appId)
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({
      data: {
        id: appId,
        type: 'pii_withdrawal',
        attributes: { installs_disconnected: { test: 1, live: 1 } },
      },
    })
    for (const [world, { id }] of [
      ['test', played],
      ['live', real],
    ] as const) {
      const [ended] = await findInstallations(db.databases[world].reads, [id])
      expect(ended).toMatchObject({ state: 'revoked', revokedByRole: 'wefunder' })
    }
    expect(await tokensOf(db, real.id, 'live')).toEqual({ access: 'revoked', refresh: 'revoked', code: 'revoked' })
    expect(await db.sql('select pii_approved_at from platform.apps where id = $1', [appId])).toEqual([
      { pii_approved_at: null },
    ])
  })

  test('each event is recorded in its own world, ready for fan-out, with exactly the specified fields', async () => {
    const { appId } = await approvedApp()
    const made = await connect('live', appId)
    await withdraw(appId)
    const events = await db.sql<{ data: object; occurred_at: string }>(
      `select e.name, e.installation_id, e.user_id, e.data, e.occurred_at = i.revoked_at as at_its_time,
              q.event_id is not null as queued
         from live.events e join live.installations i on i.id = e.installation_id
         left join live.event_queue q on q.event_id = e.id
        where e.installation_id = $1 and e.name = 'installation.revoked'`,
      [made.id],
    )
    expect(events).toEqual([
      {
        name: 'installation.revoked',
        installation_id: made.id,
        user_id: made.target.id,
        at_its_time: true,
        queued: true,
        data: {
          id: made.id,
          status: 'revoked',
          target: { type: 'user', id: made.target.id, name: null },
          tier: 'user',
          scopes: WITH_PII,
          installed_at: made.installedAt,
          installed_by: { role: 'user' },
          revoked_at: expect.stringMatching(/\.\d{6}Z$/),
          revoked_by: { role: 'wefunder' },
        },
      },
    ])
    expect(await db.sql('select from test.events where installation_id = $1', [made.id])).toEqual([])
  })

  test('installations by the app’s own team never needed the approval and stay', async () => {
    const { appId, organization } = await approvedApp()
    const account = await aMember(db, { organization, role: 'developer' })
    const own = await connect('test', appId, { userId: await userOfAccount('test', account), piiBy: 'team' })
    const stranger = await connect('test', appId, { userId: await userOfAccount('test', await anAccount(db)) })
    expect(await (await withdraw(appId)).json()).toMatchObject({
      data: { attributes: { installs_disconnected: { test: 1, live: 0 } } },
    })
    expect([await stateIn('test', own.id), await stateIn('test', stranger.id)]).toEqual(['active', 'revoked'])
  })

  test('an installation by a team member stays even if the member has left the team', async () => {
    const { appId, organization } = await approvedApp()
    const account = await aMember(db, { organization })
    const made = await connect('test', appId, { userId: await userOfAccount('test', account), piiBy: 'team' })
    await db.sql('delete from platform.organization_members where account_id = $1', [account])
    await withdraw(appId)
    expect(await stateIn('test', made.id)).toBe('active')
  })

  test('an installation that is based on the approval ends even if its installer has joined the team', async () => {
    const { appId, organization } = await approvedApp()
    const account = await anAccount(db)
    const made = await connect('test', appId, { userId: await userOfAccount('test', account) })
    await aMember(db, { organization, account })
    await withdraw(appId)
    expect(await stateIn('test', made.id)).toBe('revoked')
  })

  test('the newest consent decides the basis of a connection that it keeps', async () => {
    const { appId } = await approvedApp()
    const users = await db.databases.test.transaction(async (tx) => [await makeUser(tx), await makeUser(tx)] as const)
    const [joined, left] = [
      await connect('test', appId, { userId: users[0] }),
      await connect('test', appId, { userId: users[1], piiBy: 'team' }),
    ]
    expect((await connect('test', appId, { userId: users[0], piiBy: 'team' })).id).toBe(joined.id)
    expect((await connect('test', appId, { userId: users[1] })).id).toBe(left.id)
    await withdraw(appId)
    expect([await stateIn('test', joined.id), await stateIn('test', left.id)]).toEqual(['active', 'revoked'])
  })

  test('an installation stays if read:investors:pii was removed from it meanwhile', async () => {
    const { appId } = await approvedApp()
    const made = await connect('test', appId)
    await db.sql(`update test.installations set scopes = '{read:companies}' where id = $1`, [made.id])
    await withdraw(appId)
    expect(await stateIn('test', made.id)).toBe('active')
  })

  test('the database rejects an installation with read:investors:pii and no `pii_by`, and a syndicate’s installation with `pii_by`', async () => {
    const { appId } = await approvedApp()
    const [user, syndicate] = await db.databases.test.transaction(
      async (tx) => [await makeUser(tx), await makeSyndicate(tx)] as const,
    )
    const insert = (target: string, id: string, tier: string, pii: string | null) =>
      db.sql(
        `insert into test.installations (id, app_id, target_type, ${target}_id, tier, scopes, pii_by, installed_by_role)
         values ($1, $2, $3, $4, $5, $6, $7, 'user')`,
        [newId('installation'), appId, target, id, tier, WITH_PII, pii],
      )
    await expect(insert('user', user, 'user', null)).rejects.toMatchObject({ constraint: 'installations_pii_by_told' })
    await expect(insert('user', user, 'user', 'luck')).rejects.toMatchObject({
      constraint: 'installations_pii_by_known',
    })
    await expect(insert('syndicate', syndicate, 'manager', 'team')).rejects.toMatchObject({
      constraint: 'installations_pii_by_known',
    })
    await insert('syndicate', syndicate, 'manager', null)
  })

  test('installations without the scope, on syndicates, or of other apps stay', async () => {
    const [{ appId }, { appId: other }] = [await approvedApp(), await approvedApp()]
    const without = await connect('test', appId, { scopes: ['read:companies'] })
    const elsewhere = await connect('test', other)
    const onSyndicate = newId('installation')
    const syndicate = await db.databases.test.transaction((tx) => makeSyndicate(tx))
    await db.sql(
      `insert into test.installations (id, app_id, target_type, syndicate_id, tier, scopes, installed_by_role)
       values ($1, $2, 'syndicate', $3, 'manager', $4, 'manager')`,
      [onSyndicate, appId, syndicate, WITH_PII],
    )
    await withdraw(appId)
    const states = [without.id, elsewhere.id, onSyndicate].map((id) => stateIn('test', id))
    expect(await Promise.all(states)).toEqual(['active', 'active', 'active'])
  })

  test('tokens of a connection that was replaced by a connection without the scope are revoked too; the new connection stays', async () => {
    const { appId } = await approvedApp()
    const user = await db.databases.test.transaction((tx) => makeUser(tx))
    const replaced = await connect('test', appId, { userId: user })
    await giveTokens(db, replaced)
    const now = await connect('test', appId, { userId: user, scopes: ['read:companies'] })
    await giveTokens(db, now)
    await withdraw(appId)
    expect(await tokensOf(db, replaced.id)).toMatchObject({ access: 'revoked' })
    expect(await stateIn('test', now.id)).toBe('active')
    expect(await tokensOf(db, now.id)).toMatchObject({ access: 'in force' })
  })

  test('does not wait for connections whose tokens expired long ago', async () => {
    const { appId } = await approvedApp()
    const userId = await db.databases.test.transaction((tx) => makeUser(tx))
    const replaced = await connect('test', appId, { userId })
    await connect('test', appId, { userId, scopes: ['read:companies'] })
    await db.sql(`update test.world_clock set ahead = ahead + interval '2 hours'`)
    await db.databases.test.transaction(async (tx) => {
      await lockInstallation(tx, replaced.id)
      expect((await withdraw(appId)).status).toBe(200)
    })
  })

  test('a repeated request changes nothing, and the audit has one entry for the withdrawal', async () => {
    const { appId } = await approvedApp()
    await withdraw(appId)
    const again = await withdraw(appId)
    expect(await again.json()).toMatchObject({ data: { attributes: { installs_disconnected: { test: 0, live: 0 } } } })
    const audit = await db.sql('select action from platform.audit_entries where subject = $1', [appId])
    expect(audit).toEqual([{ action: 'app.pii_withdrawn' }])
  })

  test('403 for a key of the sandbox, since the withdrawal also changes the live world; 403 for an app’s token', async () => {
    const { appId } = await approvedApp()
    const made = await connect('live', appId)
    for (const bearer of ['ok_test_operator', 'at_test_user']) {
      const response = await withdraw(appId, bearer)
      expect(response.status).toBe(403)
      expect(await readError(response)).toMatchObject({ type: 'forbidden' })
    }
    expect(await stateIn('live', made.id)).toBe('active')
  })

  test('404 for an unknown app', async () => {
    expect((await withdraw(newId('app'))).status).toBe(404)
  })

  test('the withdrawal waits for a consent in progress and revokes its connection too', async () => {
    const { appId } = await approvedApp()
    let withdrawn: Promise<Response> | undefined
    const made = await db.databases.test.transaction(async (tx) => {
      const installation = await makeConnection(tx, { appId, scopes: WITH_PII })
      withdrawn = withdraw(appId)
      await db.untilTransactionWaits()
      return installation
    })
    await withdrawn
    expect(await stateIn('test', made.id)).toBe('revoked')
  })
})
