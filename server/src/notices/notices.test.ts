import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type PartnerService, partnerService } from '#access/apps/testing/partner-service.ts'
import { type Id, newId } from '#kernel/ids.ts'
import { sendMails } from '#mail/index.ts'
import { type CollectedMail, collectingMailer } from '#mail/testing/collecting-mailer.ts'
import { keyring } from '#system/crypto/keyring.ts'
import { cursorSealer, sealedBox } from '#system/crypto/sealed-box.ts'
import { openLog } from '#system/log.ts'
import type { PlatformDatabase } from '#system/postgres/database.ts'
import { aMember, anAccount, anApp, anOrganization } from '#test/apps.ts'
import { laterIds } from '#test/later-ids.ts'
import type { EndpointNoticeKind } from '#webhooks/index.ts'
import { noticeRoutes } from './http.ts'
import { mailNotices, notifyTeam } from './index.ts'

let service: PartnerService
const log = openLog('silent')
const cursors = cursorSealer(sealedBox(keyring(randomBytes(32).toString('hex'))('cursors')))
/** Stands for the database of `service`. The routes are made before `service`, so each call looks up the database. */
const later: PlatformDatabase = {
  transaction: (work) => service.db.databases.platform.transaction(work),
  get reads() {
    return service.db.databases.platform.reads
  },
}
beforeAll(async () => {
  service = await partnerService(noticeRoutes({ platform: later, cursors }))
})
afterAll(() => service.close())

type Team = { readonly organization: Id<'organization'>; readonly app: Id<'app'>; readonly emails: readonly string[] }

async function aTeamOf(roles: readonly ('owner' | 'admin' | 'developer')[]): Promise<Team> {
  const organization = await anOrganization(service.db)
  const emails = roles.map((role) => `${role}-${newId('account')}@example.org`)
  for (const [at, role] of roles.entries()) {
    const account = await anAccount(service.db, { email: emails[at] ?? '' })
    await aMember(service.db, { organization, account, role })
  }
  return { organization, app: await anApp(service.db, { organization, name: 'Deal Desk' }), emails }
}

const tell = (app: Id<'app'>, kind: EndpointNoticeKind, reason: 'failing' | 'gone' | null = null) =>
  service.db.databases.test.transaction((tx) =>
    notifyTeam(tx, {
      ...{ kind, app, world: 'test', endpoint: newId('webhookEndpoint'), url: 'https://partner.example/hook' },
      ...{ failingSince: '2026-01-01T00:00:00.000000Z', reason },
    }),
  )

/** Sends the mails that are due and returns them. */
async function mailed(first?: (to: string) => Promise<void>): Promise<CollectedMail[]> {
  await mailNotices(later, 100)
  const { mailer, sent } = collectingMailer(first)
  await sendMails({ platform: later, mailer, log }, 100)
  return sent
}

describe('GET /portal/api/organizations/{organization_id}/notices', () => {
  test('200: the notices, newest first, page by page', async () => {
    const { organization, app } = await aTeamOf([])
    const account = await aMember(service.db, { organization, role: 'developer' })
    await tell(app, 'webhook_endpoint.failing')
    await laterIds()
    await tell(app, 'webhook_endpoint.disabled', 'failing')
    const send = await service.as(account)
    const path = `/portal/api/organizations/${organization}/notices`
    const first = await send('GET', `${path}?per_page=1`)
    expect(first.status).toBe(200)
    expect(first.list).toMatchObject([
      {
        type: 'notice',
        attributes: { event: 'webhook_endpoint.disabled', app: { id: app }, mode: 'test', reason: 'failing' },
      },
    ])
    const second = await send('GET', `${path}?per_page=1&cursor=${String(first.meta?.['next_cursor'])}`)
    expect(second.list).toMatchObject([{ attributes: { event: 'webhook_endpoint.failing', reason: null } }])
    expect(second.meta).toMatchObject({ has_more: false })
  })

  test('a notice about an endpoint has a world time, and is mailed at once', async () => {
    const team = await aTeamOf(['owner'])
    await service.db.sql(`update test.world_clock set ahead = '8760 hours'`)
    onTestFinished(async () => void (await service.db.sql(`update test.world_clock set ahead = '0'`)))
    await tell(team.app, 'webhook_endpoint.failing')
    const [notice] = await service.db.sql<{ hours: number }>(
      `select round(extract(epoch from created_at - clock_timestamp()) / 3600)::int as hours
         from platform.notices where app_id = $1`,
      [team.app],
    )
    expect(notice?.hours).toBe(8_760)
    expect((await mailed()).map(({ to }) => to)).toEqual(expect.arrayContaining([...team.emails]))
  })

  test('404 for people outside the team, as for an unknown organization; 401 signed out', async () => {
    const { organization } = await aTeamOf(['owner'])
    const stranger = await service.as(await anAccount(service.db))
    expect(await stranger('GET', `/portal/api/organizations/${organization}/notices`)).toMatchObject({ status: 404 })
    const missing = `/portal/api/organizations/${newId('organization')}/notices`
    expect(await stranger('GET', missing)).toMatchObject({ status: 404 })
    const nobody = await service.as(null)
    expect(await nobody('GET', missing)).toMatchObject({ status: 401 })
  })
})

describe('a notice is mailed', () => {
  test('to every member of the team and to no other person, once', async () => {
    const team = await aTeamOf(['owner', 'admin', 'developer'])
    await aTeamOf(['owner'])
    await tell(team.app, 'webhook_endpoint.disabled', 'gone')
    const sent = [...(await mailed()), ...(await mailed())]
    const ours = sent.filter(({ to }) => team.emails.includes(to))
    expect(ours.map(({ to }) => to).sort()).toEqual([...team.emails].sort())
    expect(ours[0]?.subject).toBe('Deal Desk: a webhook endpoint was disabled')
    expect(ours[0]?.text).toContain('It answered 410 Gone.')
    expect(ours[0]?.text).toContain('reenable')
  })

  test('not to an account that was disabled', async () => {
    const team = await aTeamOf(['owner', 'developer'])
    await service.db.sql('update platform.accounts set disabled_at = now() where email = $1', [team.emails[0]])
    await tell(team.app, 'webhook_endpoint.failing')
    expect((await mailed()).map(({ to }) => to)).toEqual([team.emails[1]])
  })

  test('again later only to members whose mail failed', async () => {
    const team = await aTeamOf(['owner', 'developer'])
    await tell(team.app, 'webhook_endpoint.failing')
    const [unlucky, lucky] = team.emails
    const sent = await mailed(async (to) => {
      if (to === unlucky) throw new Error('no')
    })
    expect(sent.map(({ to }) => to)).toEqual([lucky])
    expect(await mailed()).toEqual([])
    await service.db.sql('update platform.mails set due_at = clock_timestamp()')
    expect((await mailed()).map(({ to }) => to)).toEqual([unlucky])
  })

  test('once, even with three workers at the same time', async () => {
    const teams = [await aTeamOf(['owner']), await aTeamOf(['owner']), await aTeamOf(['owner'])]
    for (const { app } of teams) await tell(app, 'webhook_endpoint.failing')
    expect((await Promise.all([mailed(), mailed(), mailed()])).flat()).toHaveLength(3)
  })
})
