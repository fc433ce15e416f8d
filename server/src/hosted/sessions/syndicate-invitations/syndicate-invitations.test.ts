import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSite, type Site, type SitePerson, userIn } from '#access/installations/testing/site.ts'
import { forgetUser } from '#intake/facts/forget-user.ts'
import { type Id, newId } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import { purgeDeadMails, sendMails } from '#mail/index.ts'
import { collectingMailer } from '#mail/testing/collecting-mailer.ts'
import { syndicateRoutes } from '#market/syndicates/http.ts'
import { approveApplication, failPayment, inviteMember, leaveSyndicate } from '#market/syndicates/index.ts'
import { keyring } from '#system/crypto/keyring.ts'
import { pageLinks } from '#system/crypto/page-link.ts'
import { cursorSealer, sealedBox } from '#system/crypto/sealed-box.ts'
import { openLog } from '#system/log.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeJoinSession } from '#test/sessions.ts'
import { A_FUND } from '#test/syndicates.ts'
import { aClub, asUser, eventsOf, inTest } from '../join-api/testing/join-site.ts'
import { settlingJoinSessions } from '../session-jobs.ts'
import { readJoinSession } from '../store.ts'
import { invitationLink, syndicateInvitationRoutes } from './routes.ts'

let site: Site
const { mailer, sent } = collectingMailer()
beforeAll(async () => {
  const keys = keyring(randomBytes(32).toString('hex'))
  const links = pageLinks(keys('hosted-links'))
  const cursors = cursorSealer(sealedBox(keys('cursors')))
  const link = (world: World, id: Id<'membership'>) => `https://platform.example${invitationLink(links, world, id)}`
  const invitationMails = { link, platformName: 'Harbor' }
  site = await openSite((deps) => [
    ...syndicateRoutes({ ...deps, cursors, settling: settlingJoinSessions, invitationMails }),
    ...syndicateInvitationRoutes({ ...deps, links }),
  ])
})
afterAll(() => site.close())

const mailsTo = async (email: string) => {
  await sendMails({ platform: site.db.databases.platform, mailer, log: openLog('silent') }, 100)
  return sent.filter(({ to }) => to === email)
}
const linkTo = async (email: string) =>
  /^https:\/\/platform\.example(\/syndicate-invitations\/\S+)$/m.exec((await mailsTo(email)).at(-1)?.text ?? '')?.[1] ??
  ''

async function emailOf(person: SitePerson, world: World = 'test'): Promise<string> {
  const [row] = await site.db.sql<{ email: string }>(`select email from ${world}.users where id = $1`, [
    userIn(person, world),
  ])
  return row?.email ?? ''
}

type Settings = Parameters<typeof aClub>[1]

/** A syndicate, a person whom a manager's app has invited by their address, and the link in the mail to that person. */
async function anInvitation(settings: Settings = {}) {
  const { syndicate, manager } = await aClub(site, settings)
  const send = await asUser(site, manager, { scopes: ['write:syndicates'] })
  const person = await site.person()
  const email = await emailOf(person)
  const made = await send('POST', `/syndicates/${syndicate}/members/invite`, { email, name: 'Call www.evil.example' })
  expect(made.status).toBe(201)
  const at = `/syndicates/${syndicate}/members/${made.data.id}`
  return { syndicate, manager, send, at, person, email, link: await linkTo(email), id: made.data.id }
}

const membershipOf = (syndicate: string, person: SitePerson) =>
  site.db.sql<{ status: string; invited_email: string }>(
    'select status, invited_email from test.memberships where syndicate_id = $1 and user_id = $2',
    [syndicate, userIn(person)],
  )
const names = async (syndicate: Id<'syndicate'>) => (await eventsOf(site, syndicate)).map(({ name }) => name)

describe('an invitation to a syndicate', () => {
  test('is mailed to the address, with the inviter’s name and no text from an app', async () => {
    const { email } = await anInvitation()
    const [mail, ...more] = await mailsTo(email)
    expect(more).toEqual([])
    expect(mail?.subject).toBe('[Sandbox] You are invited to a syndicate at Harbor')
    expect(mail?.text).toContain('You are invited to Lakeshore Angels, a syndicate at Harbor')
    expect(mail?.text).toMatch(/Invited by:? +Mary Manager/)
    expect(mail?.text).not.toContain('evil')
  })

  test('omits the name of a syndicate if the name contains a web address', async () => {
    const { email } = await anInvitation({ name: 'Claim at https://evil.example/prize' })
    expect((await mailsTo(email))[0]?.text).toContain('You are invited to a group, a syndicate at Harbor')
  })

  test('of ten concurrent requests to invite one address, one succeeds, and one mail is sent', async () => {
    const { syndicate, manager } = await aClub(site)
    const send = await asUser(site, manager, { scopes: ['write:syndicates'] })
    const email = `${newId('user').slice(4)}@example.org`
    const all = Array.from({ length: 10 }, () => send('POST', `/syndicates/${syndicate}/members/invite`, { email }))
    expect((await Promise.all(all)).map(({ status }) => status).toSorted()).toEqual([201, ...Array(9).fill(422)])
    expect(await mailsTo(email)).toHaveLength(1)
  })

  test('is mailed at most once an hour, even if the manager resends it', async () => {
    const { send, at, email, id } = await anInvitation()
    expect((await send('POST', `${at}/resend_invite`)).status).toBe(200)
    expect(await mailsTo(email)).toHaveLength(1)
    await site.db.sql(
      `update test.syndicate_invitations
          set mailed_at = mailed_at - interval '61 minutes', invited_at = invited_at - interval '2 hours',
              last_invited_at = last_invited_at - interval '2 hours' where id = $1`,
      [id],
    )
    expect((await send('POST', `${at}/resend_invite`)).status).toBe(200)
    expect(await mailsTo(email)).toHaveLength(2)
  })

  test('is not mailed by us if the host platform made it', async () => {
    const { syndicate, manager } = await aClub(site)
    const email = `${newId('user').slice(4)}@example.org`
    await inTest(site, (tx) => inviteMember(tx, { syndicateId: syndicate, email, invitedBy: manager }, occasionAt()))
    expect(await mailsTo(email)).toEqual([])
  })
})

describe('a queued mail of an invitation', () => {
  const waiting = (email: string) =>
    site.db.sql<{ letter: { facts?: unknown } }>('select letter from platform.mails where recipient = $1', [email])
  const unsent = async () => {
    const { syndicate, manager } = await aClub(site)
    const send = await asUser(site, manager, { scopes: ['write:syndicates'] })
    const person = await site.person()
    const email = await emailOf(person)
    const { data } = await send('POST', `/syndicates/${syndicate}/members/invite`, { email })
    expect(JSON.stringify(await waiting(email))).toContain('Mary Manager')
    return { syndicate, manager, send, person, email, id: data.id }
  }
  const erase = (user: Id<'user'>) => inTest(site, (tx) => forgetUser(tx, user, occasionAt()))

  test('is deleted when its recipient is erased, even if it is a dead letter; mails to other people stay', async () => {
    const { person, email, id } = await unsent()
    const other = await unsent()
    await site.db.sql(
      'update platform.mails set due_at = null, failed_at = clock_timestamp(), last_error = $1 where recipient = $1',
      [email],
    )
    await erase(userIn(person))
    expect(await waiting(email)).toEqual([])
    await purgeDeadMails(site.db.databases.platform.reads, 100)
    const [about] = await site.db.sql<{ count: number }>(
      'select count(*)::int as count from platform.mails m where m::text like $1 or m.key like $2',
      [`%${email}%`, `% ${id} %`],
    )
    expect(about).toEqual({ count: 0 })
    expect(await waiting(other.email)).toHaveLength(1)
  })

  test('does not contain the name of a manager who was erased before the mail was sent', async () => {
    const { manager, email } = await unsent()
    await erase(manager)
    expect(JSON.stringify(await waiting(email))).not.toContain('Mary')
    expect((await mailsTo(email))[0]?.text).toContain('You are invited to Lakeshore Angels')
  })

  test('is deleted when the invitation is withdrawn', async () => {
    const { send, syndicate, email, id } = await unsent()
    expect((await send('POST', `/syndicates/${syndicate}/members/${id}/withdraw_invite`)).status).toBe(200)
    expect(await waiting(email)).toEqual([])
  })
})

describe('the page of the link in the mail', () => {
  test('shows the inviter and the syndicate; opening it changes nothing', async () => {
    const { link, syndicate, person, email } = await anInvitation()
    const { status, text } = await site.browser().open(link)
    expect(status).toBe(200)
    for (const words of ['Lakeshore Angels', 'Mary Manager', email, 'Sign in to Wefunder'])
      expect(text).toContain(words)
    expect(text).not.toContain('value="join"')
    expect(await membershipOf(syndicate, person)).toEqual([])
  })

  test('lets the invited person join once, also with ten concurrent requests', async () => {
    const { link, syndicate, person, email } = await anInvitation()
    const browsers = await Promise.all(Array.from({ length: 10 }, () => site.signedIn(person)))
    for (const browser of browsers) expect((await browser.open(link)).text).toContain('Join Lakeshore Angels</button>')
    const responses = await Promise.all(browsers.map((browser) => browser.submit(link, { decision: 'join' })))
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(410)])
    expect(responses.find(({ status }) => status === 200)?.text).toContain('You are a member of')
    expect(await membershipOf(syndicate, person)).toEqual([{ status: 'member', invited_email: email }])
    expect(await names(syndicate)).toEqual(['syndicate_member.invited', 'syndicate_member.joined'])
    expect((await site.browser().open(link)).status).toBe(410)
  })

  test('also completes a join session that waits for an earlier application of the person', async () => {
    const { link, syndicate, manager, send, person, email } = await anInvitation({ fund: A_FUND })
    const { session, id } = await inTest(site, async (tx) => {
      const made = { syndicateId: syndicate, userId: userIn(person), status: 'pending_approval' } as const
      const session = await makeJoinSession(tx, made)
      const id = (await readJoinSession(tx, session))?.membership ?? newId('membership')
      await approveApplication(tx, { id, approvedBy: manager }, occasionAt())
      await failPayment(tx, { id }, occasionAt())
      await leaveSyndicate(tx, { id }, occasionAt())
      return { session, id }
    })
    expect((await send('POST', `/syndicates/${syndicate}/members/invite`, { email })).status).toBe(201)
    const browser = await site.signedIn(person)
    await browser.open(link)
    expect((await browser.submit(link, { decision: 'join' })).status).toBe(200)
    expect(await readJoinSession(site.db.databases.test.reads, session)).toMatchObject({
      status: 'joined',
      membership: id,
    })
    expect((await names(syndicate)).slice(-2)).toEqual(['syndicate_member.joined', 'join_session.completed'])
  })

  test('rejects a person who is signed out, another person, and an account without a user in this world', async () => {
    const { link, syndicate, person } = await anInvitation()
    const out = site.browser()
    await out.open(link)
    const sentAway = await out.submit(link, { decision: 'join' })
    expect([sentAway.status, sentAway.location]).toEqual([303, expect.stringContaining('/sign-in?return_to=')])
    const others = [await site.person(), await site.person(['live'])]
    for (const other of others) {
      const browser = await site.signedIn(other)
      expect((await browser.open(link)).status).toBe(403)
      expect((await browser.submit(link, { decision: 'join' })).status).toBe(409)
    }
    const own = await site.signedIn(person)
    await own.open(link)
    expect((await own.submit(link, { decision: 'join' }, { origin: 'https://evil.example' })).status).toBe(403)
    expect((await own.submit(link, { decision: 'join', csrf: 'x' })).status).toBe(403)
    expect(await names(syndicate)).toEqual(['syndicate_member.invited'])
  })

  test('is 410 after the invitation was withdrawn, and for a changed link', async () => {
    const { link, send, at, person, syndicate } = await anInvitation()
    const browser = await site.signedIn(person)
    await browser.open(link)
    expect((await send('POST', `${at}/withdraw_invite`)).status).toBe(200)
    expect((await browser.submit(link, { decision: 'join' })).status).toBe(410)
    expect(await membershipOf(syndicate, person)).toEqual([])
    for (const wrong of [
      link.replace(/.$/, (end) => (end === 'A' ? 'B' : 'A')),
      '/syndicate-invitations/x',
      link.replace('mem_', 'mem_x'),
    ]) {
      expect((await browser.open(wrong)).status).toBe(410)
    }
  })

  test('shows why a person cannot join, and does not let them join', async () => {
    const { link, person, syndicate } = await anInvitation({ requires_accreditation: true })
    const browser = await site.signedIn(person)
    const { status, text } = await browser.open(link)
    expect([status, text.includes('is for accredited investors'), text.includes('value="join"')]).toEqual([
      200,
      true,
      false,
    ])
    expect((await browser.submit(link, { decision: 'join' })).status).toBe(409)
    expect(await membershipOf(syndicate, person)).toEqual([])
  })

  test('stops the mails without a sign-in, and the person can still join', async () => {
    const { link, send, at, email, id, person, syndicate } = await anInvitation()
    const browser = site.browser()
    await browser.open(link)
    expect((await browser.submit(link, { decision: 'no_mail' })).text).toContain('You get no more mail')
    await site.db.sql(`update test.syndicate_invitations set mailed_at = now() - interval '2 hours' where id = $1`, [
      id,
    ])
    expect((await send('POST', `${at}/resend_invite`)).status).toBe(200)
    expect(await mailsTo(email)).toHaveLength(1)
    const own = await site.signedIn(person)
    expect((await own.open(link)).text).not.toContain('value="no_mail"')
    expect((await own.submit(link, { decision: 'join' })).status).toBe(200)
    expect(await membershipOf(syndicate, person)).toMatchObject([{ status: 'member' }])
  })
})
