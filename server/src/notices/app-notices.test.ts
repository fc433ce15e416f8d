import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { noticeExpiringSecrets } from '#access/apps/index.ts'
import { type PartnerService, partnerService } from '#access/apps/testing/partner-service.ts'
import { aTeam, type Team } from '#access/apps/testing/team.ts'
import { piiWithdrawalRoutes } from '#access/installations/http.ts'
import { scopeChangeRoutes } from '#access/oauth/http.ts'
import { type Id, newId } from '#kernel/ids.ts'
import { sendMails } from '#mail/index.ts'
import { type CollectedMail, collectingMailer } from '#mail/testing/collecting-mailer.ts'
import { keyring } from '#system/crypto/keyring.ts'
import { cursorSealer, sealedBox } from '#system/crypto/sealed-box.ts'
import { openLog } from '#system/log.ts'
import type { PlatformDatabase } from '#system/postgres/database.ts'
import { platformStatement } from '#system/postgres/statement.ts'
import { aKey, anApp } from '#test/apps.ts'
import { countEnabledEndpoints, noticeExpiringSigningSecrets, previewEndpoints } from '#webhooks/index.ts'
import { noticeRoutes } from './http.ts'
import { mailNotices, notifyAppTeam, notifyOfSigningSecret } from './index.ts'

let service: PartnerService
let team: Team
let app: Id<'app'>
const cursors = cursorSealer(sealedBox(keyring(randomBytes(32).toString('hex'))('cursors')))
/** The database of `service`. The routes get it before `service` exists, so each call looks it up. */
const later: PlatformDatabase = {
  transaction: (work) => service.db.databases.platform.transaction(work),
  get reads() {
    return service.db.databases.platform.reads
  },
}
beforeAll(async () => {
  const around = { brand: 'wefunder', onRevoked: [], notify: notifyAppTeam, previewEndpoints, countEnabledEndpoints }
  const routes = [...scopeChangeRoutes(around), ...piiWithdrawalRoutes(around)]
  service = await partnerService([...routes, ...noticeRoutes({ platform: later, cursors })])
})
afterAll(() => service.close())
beforeEach(async () => {
  await mailed()
  team = await aTeam(service)
  app = await anApp(service.db, {
    ...{ organization: team.organization, name: 'Deal Desk', piiApproved: true },
    scopes: ['read:public', 'read:profile', 'read:syndicates'],
  })
})

/** Sends the mails that are due and returns them: one for each of the team's three members. */
async function mailed(): Promise<CollectedMail[]> {
  const { platform } = service.db.databases
  await mailNotices(platform, 100)
  const { mailer, sent } = collectingMailer()
  await sendMails({ platform, mailer, log: openLog('silent') }, 100)
  return sent
}

async function feed(): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const { list } = await team.developer.send('GET', `/portal/api/organizations/${team.organization}/notices`)
  return list.map(({ attributes }) => attributes)
}

describe('a team gets a notice', () => {
  test('when the operator suspends its app, with the reason, and when the suspension is lifted', async () => {
    const operator = service.operator()
    const reason = 'It shows stale figures.\nSee the usage conditions.'
    expect(await operator('POST', `/platform/apps/${app}/suspend`, { reason })).toMatchObject({ status: 200 })
    const suspended = await mailed()
    expect(suspended).toHaveLength(3)
    expect(suspended[0]?.subject).toBe('Deal Desk: the app was suspended')
    expect(suspended[0]?.text).toContain('> It shows stale figures.\n> See the usage conditions.')
    await operator('POST', `/platform/apps/${app}/lift`)
    expect((await mailed()).map(({ subject }) => subject)).toEqual(
      Array(3).fill('Deal Desk: the suspension was lifted'),
    )
    expect(await feed()).toMatchObject([
      { event: 'app.suspension_lifted', mode: null, reason: null },
      { event: 'app.suspended', mode: null, subject: app, reason, url: null },
    ])
  })

  test('but not for a change that was rejected', async () => {
    const operator = service.operator()
    expect(await operator('POST', `/platform/apps/${app}/lift`)).toMatchObject({ status: 409 })
    expect(await service.operator('test')('POST', `/platform/apps/${app}/suspend`, { reason: 'x' })).toMatchObject({
      status: 403,
    })
    expect(await operator('POST', `/platform/apps/${app}/scopes/remove`, { scopes: ['read:explore'] })).toMatchObject({
      status: 422,
    })
    expect([await feed(), await mailed()]).toEqual([[], []])
  })

  test.each([
    ['the operator', 'The operator of the platform removed a scope'],
    ['a member', 'A member of your team removed a scope'],
  ])('when %s removed a scope, with the effects', async (who, words) => {
    const scopes = ['read:syndicates']
    const response =
      who === 'a member'
        ? await team.developer.send('POST', `/portal/api/apps/${app}/scopes/remove`, { scopes })
        : await service.operator()('POST', `/platform/apps/${app}/scopes/remove`, { scopes })
    expect(response.status).toBe(200)
    const [mail, ...others] = await mailed()
    expect(others).toHaveLength(2)
    expect(mail?.subject).toBe('Deal Desk: scopes were removed from the app')
    expect(mail?.text).toContain(words)
    expect(mail?.text).toMatch(/^read:syndicates: \S/m)
    expect(mail?.text).toContain('Installations revoked: 0')
    expect(await feed()).toMatchObject([{ event: 'app.scopes_removed', scopes, stopped: { tokens_revoked: 0 } }])
  })

  test('only once if the approval for investor PII is withdrawn twice', async () => {
    for (const _ of [1, 2]) await service.operator()('DELETE', `/platform/apps/${app}/pii_approval`)
    const mails = await mailed()
    expect(mails.map(({ subject }) => subject)).toEqual(
      Array(3).fill('Deal Desk: the approval for investor PII was withdrawn'),
    )
    expect(await feed()).toMatchObject([{ event: 'app.pii_withdrawn', stopped: { installs_disconnected: 0 } }])
  })
})

const LOCK_APP = platformStatement('t.lock_app_of_secret', 'select id from platform.apps where id = $1 for update')

describe('a replaced client secret', () => {
  const look = () => service.db.databases.platform.transaction((tx) => noticeExpiringSecrets(tx, 100, notifyAppTeam))
  const rotated = async (overlap_seconds: number) => {
    const { clientId: id } = await aKey(service.db, app)
    const path = `/portal/api/apps/${app}/keys/${id}`
    const rotate = (overlap: number) =>
      team.developer.send('POST', `${path}/rotate_secret`, { overlap_seconds: overlap })
    expect(await rotate(overlap_seconds)).toMatchObject({ status: 200 })
    return { id, rotate, revoke: () => team.developer.send('POST', `${path}/revoke`) }
  }
  const hoursPass = (key: string, hours: number) =>
    service.db.sql(
      `update platform.app_secrets set expires_at = expires_at - make_interval(hours => $2)
        where key_id = $1 and expires_at is not null`,
      [key, hours],
    )

  test('causes one notice twelve hours before it ends, with ten workers at the same time', async () => {
    const { id } = await rotated(86_400)
    expect(await look()).toBe(0)
    await hoursPass(id, 13)
    const looks = await Promise.all(Array.from({ length: 10 }, look))
    expect(looks.reduce((sum, count) => sum + count)).toBe(1)
    expect(await look()).toBe(0)
    const mails = await mailed()
    expect(mails).toHaveLength(3)
    expect(mails[0]?.subject).toBe('Deal Desk: a client secret ends soon')
    expect(mails[0]?.text).toMatch(/^Ends at: \d{4}-\d\d-\d\d \d\d:\d\d UTC$/m)
    expect(await feed()).toMatchObject([
      { event: 'app_key.secret_expiring', mode: 'test', subject: id, expires_at: expect.any(String) },
    ])
  })

  test('causes no notice once it has ended, was replaced again, or its key was revoked', async () => {
    const ended = await rotated(86_400)
    await hoursPass(ended.id, 25)
    const away = await rotated(3_600)
    await away.rotate(0)
    const revoked = await rotated(3_600)
    expect(await revoked.revoke()).toMatchObject({ status: 200 })
    expect(await look()).toBe(0)
  })

  test('causes a notice for each rotation', async () => {
    const { rotate } = await rotated(3_600)
    expect(await look()).toBe(1)
    await rotate(3_600)
    expect([await look(), await look()]).toEqual([1, 0])
  })

  test('causes its notice in the next round if another transaction has locked its app; other notices are not delayed', async () => {
    const locked = await rotated(3_600)
    const lockedApp = app
    app = await anApp(service.db, { organization: team.organization, name: 'Data Room', scopes: ['read:public'] })
    const other = await rotated(3_600)
    const noticed = async () => (await feed()).map(({ subject }) => subject)
    await service.db.databases.platform.transaction(async (tx) => {
      await tx.run(LOCK_APP, [lockedApp])
      expect([await look(), await noticed()]).toEqual([1, [other.id]])
    })
    expect([await look(), await noticed()]).toEqual([1, [locked.id, other.id]])
  })
})

describe('a replaced signing secret', () => {
  const look = () =>
    service.db.databases.platform.transaction((tx) => noticeExpiringSigningSecrets(tx, 100, notifyOfSigningSecret))

  /** An endpoint whose replaced secrets end in these numbers of hours, newest first. */
  async function endpoint(hours: readonly number[]) {
    const id = newId('webhookEndpoint')
    await service.db.sql(
      `insert into platform.webhook_endpoints
         (id, app_id, world, url, events, subscribed_at, secret, previous_secrets, previous_secrets_until)
       select $1, $2, 'live', 'https://partner.example/hook', '{investment.created}', array[now()], '\\x00',
              array_agg('\\x00'::bytea), array_agg(now() + make_interval(hours => h) order by h desc)
         from unnest($3::int[]) h`,
      [id, app, hours],
    )
    return id
  }

  test('causes its own notice once, in its last twelve hours', async () => {
    const id = await endpoint([23, 9, 5])
    expect([await look(), await look(), await look()]).toEqual([1, 1, 0])
    const mails = await mailed()
    expect(mails).toHaveLength(6)
    expect(mails[0]?.subject).toBe('Deal Desk: a signing secret ends soon')
    expect(mails[0]?.text).toContain('URL: https://partner.example/hook')
    expect(await feed()).toMatchObject([
      { event: 'webhook_endpoint.secret_expiring', mode: 'live', subject: id },
      { event: 'webhook_endpoint.secret_expiring', mode: 'live', subject: id },
    ])
  })

  test('causes no notice if the endpoint was removed or the app is suspended', async () => {
    const id = await endpoint([5])
    await service.db.sql(`update platform.webhook_endpoints set state = 'removed' where id = $1`, [id])
    expect(await look()).toBe(0)
    await endpoint([5])
    await service.operator()('POST', `/platform/apps/${app}/suspend`, { reason: 'Because.' })
    expect(await look()).toBe(0)
  })
})
