import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { deviceCookies, passkeysOf, signIns, teamMailCounter } from '#access/accounts/index.ts'
import { hiddenFields, type TestBrowser, testBrowser, type Visit } from '#access/accounts/testing/browser.ts'
import { organizationRoutes } from '#access/organizations/http.ts'
import { findRole } from '#access/organizations/index.ts'
import { serveProbes } from '#http/testing/probe-app.ts'
import { systemClock } from '#kernel/clock.ts'
import { type Id, newId } from '#kernel/ids.ts'
import { mailTokens, sendMails } from '#mail/index.ts'
import { collectingMailer } from '#mail/testing/collecting-mailer.ts'
import { keyring } from '#system/crypto/keyring.ts'
import { cursorSealer, sealedBox } from '#system/crypto/sealed-box.ts'
import { digestOf } from '#system/crypto/secret.ts'
import { openLog } from '#system/log.ts'
import { aMember, anAccount, anOrganization } from '#test/apps.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { quickHasher } from '#test/quick-hasher.ts'
import { invitationPageRoutes } from './http.ts'

const PASSWORD = 'lantern over a quiet harbour'
const keys = keyring(randomBytes(32).toString('hex'))
const settings = { passwords: true, openid: null, signUp: 'invitation', mail: true } as const

let db: TestDatabase
let service: Awaited<ReturnType<typeof serveProbes>>
let closed: Awaited<ReturnType<typeof serveProbes>>
const { mailer, sent } = collectingMailer(undefined, mailTokens(keys('mail-links')))
beforeAll(async () => {
  db = await testDatabase()
  service = await serving({})
  closed = await serving({ signUp: 'closed' })
})
afterAll(async () => {
  await service.close()
  await closed.close()
  await db.close()
})
beforeEach(() => db.sql('delete from platform.sign_in_attempts'))

function serving(more: { readonly signUp?: 'closed' }) {
  const { databases } = db
  const { platform } = databases
  const mails = {
    tokens: mailTokens(keys('mail-links')),
    countMail: teamMailCounter(keys('sign-in')),
    origin: () => 'https://platform.example',
    platformName: 'Portico',
  }
  const routes = [
    ...organizationRoutes({ platform, cursors: cursorSealer(sealedBox(keys('cursors'))), brand: 'portico', mails }),
    ...invitationPageRoutes({
      ...{ platform, hasher: quickHasher, brand: 'portico', platformName: 'Portico' },
      ...{ settings: { ...settings, ...more }, deviceCookies: deviceCookies(keys, () => false) },
      passkeys: passkeysOf({ platform, keys, clock: systemClock, origin: mails.origin, serviceName: 'Portico' }),
    }),
  ]
  const ports = { databases, platform, signIns: signIns(databases), csrfKeys: keys('csrf') }
  return serveProbes(routes, { ports: { ...ports, answers: sealedBox(keys('stored-answers')) } })
}

/** A browser in which this account has signed in. */
const signedIn = async (account: Id<'account'>): Promise<TestBrowser> => {
  const browser = testBrowser(service.url)
  const value = randomBytes(32).toString('base64url')
  await db.sql(
    `insert into platform.sign_in_sessions (hash, account_id, expires_at) values ($1, $2, now() + interval '1 hour')`,
    [digestOf(value), account],
  )
  browser.cookies.set('portico', value)
  return browser
}
type Team = { readonly organization: Id<'organization'>; readonly owner: TestBrowser; readonly account: Id<'account'> }
const aTeam = async (name = 'Fieldbook'): Promise<Team> => {
  const organization = await anOrganization(db, { name })
  const account = await anAccount(db, { name: 'Grace Hopper' })
  await aMember(db, { organization, account, role: 'owner' })
  return { organization, owner: await signedIn(account), account }
}
const csrfOf = async ({ owner }: Team) => {
  const { csrf = '' } = JSON.parse((await owner.open('/portal/api/me')).text).meta as Record<string, string>
  return csrf
}
const invite = async (team: Team, email: string, role = 'developer') =>
  team.owner.send(`/portal/api/organizations/${team.organization}/members`, {
    ...{ method: 'POST', body: JSON.stringify({ email, role }) },
    headers: { 'content-type': 'application/json', 'x-portico-csrf': await csrfOf(team) },
  })
/** The status, and the limit that the header and the body of a 429 name. */
const limitOf = ({ status, headers, text }: Visit) => [
  status,
  headers.get('x-ratelimit-limit'),
  JSON.parse(text).error.details.limit,
]
/** Removes an invitation or a member. */
const removeFrom = async (team: Team, path: string) =>
  team.owner.send(`/portal/api/organizations/${team.organization}/${path}`, {
    method: 'DELETE',
    headers: { 'x-portico-csrf': await csrfOf(team) },
  })
const mailsTo = async (email: string) => {
  await sendMails({ platform: db.databases.platform, mailer, log: openLog('silent') }, 100)
  return sent.filter(({ to }) => to === email)
}
const linkTo = async (email: string) =>
  /https:\/\/platform\.example(\/invitations\/[\w-]{43})$/m.exec((await mailsTo(email)).at(-1)?.text ?? '')?.[1] ?? ''
const anAddress = () => `${newId('account').slice(5).toLowerCase()}@example.org`
const roleOf = ({ organization }: Team, account: Id<'account'>) =>
  findRole(db.databases.platform.reads, organization, account)
/** A person with an account, invited by mail. */
const anInvitedPerson = async (team: Team, role?: string) => {
  const account = await anAccount(db)
  const email = `${account}@example.org`.toLowerCase()
  expect((await invite(team, email, role)).status).toBe(201)
  return { account, email, browser: await signedIn(account), link: await linkTo(email) }
}
/** Sends only the fields of the invitation's form, because the page has a second form, to sign out. */
const answer = async (browser: TestBrowser, link: string, decision: string) => {
  const { csrf = '' } = hiddenFields((await browser.open(link)).text)
  return browser.send(link, { method: 'POST', body: new URLSearchParams({ csrf, decision }) })
}

describe('an invitation to a team', () => {
  test('is mailed with a link that the database does not contain; the link’s page shows the inviter and the team', async () => {
    const team = await aTeam()
    const email = anAddress()
    await invite(team, email, 'admin')
    const [row] = await db.sql<{ text: string }>(
      `select string_agg(m::text, '') || (select string_agg(i::text, '') from platform.organization_invitations i) as text
         from platform.mails m`,
    )
    const link = await linkTo(email)
    expect(row?.text).not.toContain(link.split('/').at(-1))
    const [mail] = await mailsTo(email)
    expect(mail?.subject).toBe('You are invited to a team at Portico')
    for (const words of ['Grace Hopper', 'Fieldbook', 'admin']) expect(mail?.text).toContain(words)
    const page = await testBrowser(service.url).open(link)
    expect(page.status).toBe(200)
    for (const words of ['Grace Hopper', 'Fieldbook', 'Admin', email]) expect(page.text).toContain(words)
  })

  test('escapes markup in the team’s name, on the page and in the mail', async () => {
    const team = await aTeam('<img src=x onerror=alert(1)>')
    const email = anAddress()
    await invite(team, email)
    const page = await testBrowser(service.url).open(await linkTo(email))
    const [mail] = await mailsTo(email)
    for (const text of [page.text, mail?.html]) expect(text).not.toContain('<img')
  })

  test.each(['accept', 'decline'])('the person with the invited address may %s it once', async (decision) => {
    const team = await aTeam()
    const { account, browser, link } = await anInvitedPerson(team)
    const done = await answer(browser, link, decision)
    expect([done.status, done.location]).toEqual([303, '/settings/organizations'])
    expect(await roleOf(team, account)).toBe(decision === 'accept' ? 'developer' : null)
    expect((await browser.open(link)).status).toBe(410)
  })

  test('makes one membership if it is accepted ten times at once', async () => {
    const team = await aTeam()
    const { account, browser, link } = await anInvitedPerson(team)
    const { csrf = '' } = hiddenFields((await browser.open(link)).text)
    const body = () => new URLSearchParams({ csrf, decision: 'accept' })
    const press = () => browser.send(link, { method: 'POST', body: body() })
    const statuses = (await Promise.all(Array.from({ length: 10 }, press))).map(({ status }) => status).sort()
    expect(statuses).toEqual([303, ...Array(9).fill(410)])
    expect(await roleOf(team, account)).toBe('developer')
  })

  test('cannot be accepted or declined by another person, who sees what to do', async () => {
    const team = await aTeam()
    const { link } = await anInvitedPerson(team)
    const other = await anAccount(db)
    const browser = await signedIn(other)
    const page = await browser.open(link)
    expect(page.text).toContain('sent to another address')
    expect(page.text).not.toContain('value="accept"')
    for (const decision of ['accept', 'decline']) expect((await answer(browser, link, decision)).status).toBe(403)
    expect(await roleOf(team, other)).toBeNull()
    expect((await browser.open(link)).status).toBe(200)
  })

  test('asks a signed-out person who has an account to sign in, and creates no second account', async () => {
    const { link } = await anInvitedPerson(await aTeam())
    const browser = testBrowser(service.url)
    const page = await browser.open(link)
    expect(page.text).toContain(`/sign-in?return_to=${encodeURIComponent(link)}`)
    expect(page.text).not.toContain('type="password"')
    // The form comes from the page of another invitation.
    const email = anAddress()
    await invite(await aTeam(), email)
    const signUp = await browser.submit(await linkTo(email), `${link}/sign-up`, { name: 'Ada', password: PASSWORD })
    expect(signUp.status).toBe(409)
  })

  test('lets a person without an account create one, without another mail, and join the team', async () => {
    const team = await aTeam()
    const email = anAddress()
    await invite(team, email, 'admin')
    const link = await linkTo(email)
    const browser = testBrowser(service.url)
    expect((await browser.submit(link, `${link}/sign-up`, { name: '', password: 'short' })).status).toBe(422)
    const made = await browser.submit(link, `${link}/sign-up`, { name: 'Ada', password: PASSWORD })
    expect([made.status, made.location]).toEqual([303, '/settings/organizations'])
    const [account] = await db.sql<{ id: Id<'account'> }>('select id from platform.accounts where email = $1', [email])
    expect(account && (await roleOf(team, account.id))).toBe('admin')
    expect(JSON.parse((await browser.open('/portal/api/me')).text).data.attributes.email).toBe(email)
    expect(await mailsTo(email)).toHaveLength(1)
  })

  test('makes one account if ten browsers sign up at its link at once', async () => {
    const team = await aTeam()
    const email = anAddress()
    await invite(team, email)
    const link = await linkTo(email)
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, () =>
        testBrowser(service.url).submit(link, `${link}/sign-up`, { name: 'Ada', password: PASSWORD }),
      ),
    )
    const statuses = outcomes.map(({ status }) => status).filter((status) => status !== 403)
    expect(statuses.filter((status) => status === 303)).toHaveLength(1)
    expect(statuses.filter((status) => status !== 303 && status !== 410)).toEqual([])
    expect(await db.sql('select id from platform.accounts where email = $1', [email])).toHaveLength(1)
  })

  test('creates no account if sign-up is closed, and the page has no form to create one', async () => {
    const email = anAddress()
    await invite(await aTeam(), email)
    const link = await linkTo(email)
    const browser = testBrowser(closed.url)
    expect((await browser.open(link)).text).not.toContain('type="password"')
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const shown = await fetch(`${service.url}${link}`, { headers: { cookie } })
    const { csrf = '' } = hiddenFields(await shown.text())
    const body = new URLSearchParams({ csrf, name: 'Ada', password: PASSWORD })
    expect((await browser.send(`${link}/sign-up`, { method: 'POST', body })).status).toBe(410)
    expect(await db.sql('select id from platform.accounts where email = $1', [email])).toEqual([])
  })

  test('is 410 after it was replaced or has expired, while its sender’s account is disabled, and for an unknown link', async () => {
    const team = await aTeam()
    const { browser, email, link } = await anInvitedPerson(team)
    await invite(team, email, 'admin')
    const newer = await linkTo(email)
    expect([(await browser.open(link)).status, (await browser.open(newer)).status]).toEqual([410, 200])
    await db.sql('update platform.accounts set disabled_at = now() where id = $1', [team.account])
    expect((await browser.open(newer)).status).toBe(410)
    expect((await answer(browser, newer, 'accept')).status).not.toBe(303)
    await db.sql('update platform.accounts set disabled_at = null where id = $1', [team.account])
    await db.sql(
      `update platform.organization_invitations set created_at = now() - interval '15 days', expires_at = now()`,
    )
    expect((await browser.open(newer)).status).toBe(410)
    expect((await browser.open(`/invitations/${'A'.repeat(43)}`)).status).toBe(410)
    expect((await browser.open('/invitations/short')).status).toBe(410)
  })

  test('is 410 after the team withdrew it', async () => {
    const team = await aTeam()
    const { account, browser, email, link } = await anInvitedPerson(team)
    const [row] = await db.sql<{ id: string }>('select id from platform.organization_invitations where email = $1', [
      email,
    ])
    const { csrf = '' } = hiddenFields((await browser.open(link)).text)
    expect((await removeFrom(team, `invitations/${row?.id}`)).status).toBe(204)
    expect((await browser.open(link)).status).toBe(410)
    const body = new URLSearchParams({ csrf, decision: 'accept' })
    expect((await browser.send(link, { method: 'POST', body })).status).toBe(410)
    expect(await roleOf(team, account)).toBeNull()
  })

  test('is 410 after its sender left the team', async () => {
    const team = await aTeam()
    const { account, browser, link } = await anInvitedPerson(team)
    await aMember(db, { organization: team.organization, account: await anAccount(db), role: 'owner' })
    const { csrf = '' } = hiddenFields((await browser.open(link)).text)
    expect((await removeFrom(team, `members/${team.account}`)).status).toBe(204)
    expect((await browser.open(link)).status).toBe(410)
    const body = new URLSearchParams({ csrf, decision: 'accept' })
    expect((await browser.send(link, { method: 'POST', body })).status).toBe(410)
    expect(await roleOf(team, account)).toBeNull()
  })

  test('is 429 if the team has invited the same address five times within an hour', async () => {
    const team = await aTeam()
    const email = anAddress()
    const statuses: number[] = []
    for (let at = 0; at < 6; at++) statuses.push((await invite(team, email)).status)
    expect(statuses).toEqual([201, 201, 201, 201, 201, 429])
    // Each invitation replaces the previous one, whose mail is deleted if it was not sent yet, because its link no longer works.
    expect(await mailsTo(email)).toHaveLength(1)
  })

  test('is 429 after ten mails an hour from all teams to one address; each 429 names the limit that was exceeded', async () => {
    const email = anAddress()
    const [first, second] = [await aTeam(), await aTeam()]
    for (const team of [first, second]) {
      for (let at = 0; at < 5; at++) expect((await invite(team, email)).status).toBe(201)
    }
    expect(limitOf(await invite(first, email))).toEqual([429, '5', 5])
    expect(limitOf(await invite(await aTeam(), email))).toEqual([429, '10', 10])
  })

  test('is 429 after 200 mails an hour by one person from all of their teams', async () => {
    const team = await aTeam()
    const other = { ...team, organization: await anOrganization(db, { name: 'Second' }) }
    await aMember(db, { organization: other.organization, account: team.account, role: 'owner' })
    expect((await invite(team, anAddress())).status).toBe(201)
    await db.sql('update platform.sign_in_attempts set attempts = 200')
    const email = anAddress()
    expect(limitOf(await invite(other, email))).toEqual([429, '200', 200])
    expect(await mailsTo(email)).toHaveLength(0)
    expect((await invite(await aTeam(), email)).status).toBe(201)
  })
})
