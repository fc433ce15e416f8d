import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deactivateUser } from '#access/people/index.ts'
import { worldTime } from '#kernel/clock.ts'
import { newId } from '#kernel/ids.ts'
import { movableClock } from '#test/clock.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { openIdProvider, type TestOpenIdProvider } from '#test/openid-provider.ts'
import { makeUser } from '#test/people.ts'
import { quickHasher } from '#test/quick-hasher.ts'
import { createAccount, findUserOf, linkAccount, signIns } from '../index.ts'
import { type AccountService, accountService } from '../testing/account-service.ts'
import { hiddenFields, type TestBrowser } from '../testing/browser.ts'
import { findAccountByIdentity } from './store.ts'
import { tickets } from './ticket.ts'

const TICKET = 'portico-openid'

let db: TestDatabase
let provider: TestOpenIdProvider
let service: AccountService
const clock = movableClock(Date.now())
beforeAll(async () => {
  ;[db, provider] = await Promise.all([testDatabase(), openIdProvider()])
  service = await accountService(db, { settings: { openid: settings() }, clock })
})
afterAll(async () => {
  await service.close()
  await provider.close()
  await db.close()
})

const settings = () => {
  const { issuer, clientId, clientSecret } = provider
  return { issuer, clientId, clientSecret, name: 'Example ID' }
}
const aPerson = (claims: { email?: string; emailVerified?: boolean; name?: string } = {}) => {
  const subject = newId('user')
  const person = { subject, email: `${subject}@example.org`, emailVerified: true, name: 'Grace Hopper', ...claims }
  provider.setPerson(person)
  return person
}
const start = async (browser: TestBrowser, returnTo = '/settings/apps') => {
  const { location } = await browser.open(`/sign-in/openid?return_to=${encodeURIComponent(returnTo)}`)
  if (location === null) throw new Error('the response has no Location header')
  return location
}
/** Goes to the provider, signs in there as this person, and opens the callback. */
const signIn = async (browser: TestBrowser, subject: string, returnTo?: string) =>
  browser.open(await provider.signIn(await start(browser, returnTo), subject))
const callerOf = (browser: TestBrowser) => signIns(db.databases).find(browser.cookies.get('portico') ?? '')
const accountOf = (subject: string) =>
  findAccountByIdentity(db.databases.platform.reads, { issuer: provider.issuer, subject })
const PASSWORD = 'correct horse battery'
const hasher = quickHasher
const anAccount = (email: string) =>
  db.databases.platform.transaction((tx) => createAccount(tx, { email, name: 'Ada', passwordHash: null }))
const anAccountWithPassword = async (email: string) => {
  const passwordHash = await hasher.hash(PASSWORD)
  return db.databases.platform.transaction((tx) => createAccount(tx, { email, name: 'Ada', passwordHash }))
}
const LINK = '/sign-in/openid/link'
const auditOf = async (subject: string | null) => {
  const rows = await db.sql<{ action: string }>(
    'select action from platform.audit_entries where subject = $1 order by id',
    [subject],
  )
  return rows.map(({ action }) => action)
}

describe('GET /sign-in/openid', () => {
  test('is offered on the sign-in page, with the return address', async () => {
    const { text } = await service.browser().open('/sign-in?return_to=%2Foauth%2Fauthorize%3Fa%3D1')
    expect(text).toContain('href="/sign-in/openid?return_to=%2Foauth%2Fauthorize%3Fa%3D1">Continue with Example ID</a>')
  })

  test('303 to the provider, with a sealed cookie that scripts cannot read and that expires after ten minutes', async () => {
    const browser = service.browser()
    const { status, location, headers } = await browser.open('/sign-in/openid')
    expect(status).toBe(303)
    const url = new URL(location ?? '')
    expect(url.origin).toBe(provider.issuer)
    expect(url.searchParams.get('redirect_uri')).toBe(`${service.url}/sign-in/openid/callback`)
    const cookies = headers.getSetCookie().filter((set) => set.startsWith(TICKET))
    expect(cookies).toEqual([
      expect.stringMatching(/^portico-openid=[\w-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/),
    ])
    const plain = Buffer.from(browser.cookies.get(TICKET) ?? '', 'base64url').toString('latin1')
    expect(plain).not.toContain(url.searchParams.get('state'))
    expect(plain).not.toContain(url.searchParams.get('nonce'))
  })

  test('503 with the next step while the provider is down; the reason is in the log', async () => {
    const gone = await unusedAddress()
    const other = await accountService(db, { settings: { openid: { ...settings(), issuer: gone } } })
    const { status, text } = await other.browser().open('/sign-in/openid?return_to=%2Fx')
    expect(status).toBe(503)
    expect(text).toContain('We cannot reach Example ID at the moment.')
    expect(text).toContain('href="/sign-in?return_to=%2Fx"')
    expect(other.logLines.join()).toContain('"reason":"down"')
    await other.close()
  })

  test('400 for a link that does not fit into the cookie', async () => {
    const { status, text } = await service.browser().open(`/sign-in/openid?return_to=${`/${'a'.repeat(5_000)}`}`)
    expect(status).toBe(400)
    expect(text).toContain('too long')
  })

  test('404 without a provider, for the start and for the callback', async () => {
    const other = await accountService(db)
    expect((await other.browser().open('/sign-in/openid')).status).toBe(404)
    expect((await other.browser().open('/sign-in/openid/callback?code=x&state=y')).status).toBe(404)
    expect((await other.browser().open('/sign-in')).text).not.toContain('Continue with')
    await other.close()
  })
})

describe('GET /sign-in/openid/callback', () => {
  test('creates an account for a new person, signs them in, and redirects to the requested page', async () => {
    const [browser, person] = [service.browser(), aPerson()]
    const { status, location } = await signIn(browser, person.subject, '/oauth/authorize?client_id=pk_test_x')
    expect([status, location]).toEqual([303, '/oauth/authorize?client_id=pk_test_x'])
    expect(await callerOf(browser)).toMatchObject({ name: 'Grace Hopper', email: person.email })
    expect(browser.cookies.has(TICKET)).toBe(false)
    expect(await auditOf(await accountOf(person.subject))).toEqual(['account.created', 'account.identity_linked'])
  })

  test.each(['Win at https://evil.example', 'evil.example', 'Grace\nHopper'])(
    'uses the address as the account’s name if the provider’s name is not valid: %j',
    async (name) => {
      const [browser, person] = [service.browser(), aPerson({ name })]
      await signIn(browser, person.subject)
      expect(await callerOf(browser)).toMatchObject({ name: person.email, email: person.email })
    },
  )

  test('finds the same account at the second sign-in, also if the person’s address at the provider has changed', async () => {
    const [browser, person] = [service.browser(), aPerson()]
    await signIn(browser, person.subject)
    const first = await callerOf(browser)
    provider.setPerson({ ...person, email: `new-${person.email}` })
    await signIn(browser, person.subject)
    const second = await callerOf(browser)
    expect(second?.accountId).toBe(first?.accountId)
    expect(second?.email).toBe(person.email)
    provider.setPerson({ subject: person.subject, email: person.email, emailVerified: false })
    expect((await signIn(service.browser(), person.subject)).status).toBe(303)
  })

  test('gives the browser a new cookie, and ends the browser’s earlier session', async () => {
    const [browser, stranger, person] = [service.browser(), service.browser(), aPerson()]
    await browser.open('/sign-in')
    stranger.cookies.set('portico', browser.cookies.get('portico') ?? '')
    await signIn(browser, person.subject)
    expect(browser.cookies.get('portico')).not.toBe(stranger.cookies.get('portico'))
    expect(await callerOf(stranger)).toBeNull()
    stranger.cookies.set('portico', browser.cookies.get('portico') ?? '')
    await signIn(browser, person.subject)
    expect(await callerOf(stranger)).toBeNull()
  })

  test('finds an existing account by a verified address, in upper or lower case, and links the account', async () => {
    const person = aPerson()
    const account = await anAccount(person.email.toUpperCase())
    await signIn(service.browser(), person.subject)
    expect(await accountOf(person.subject)).toBe(account)
    expect(await auditOf(account)).toEqual(['account.identity_linked'])
  })

  test.each([
    ['is not verified', (email: string) => ({ email, emailVerified: false })],
    ['is missing', () => ({})],
    ['is not an address', () => ({ email: 'nobody', emailVerified: true })],
  ])('403 for a new person whose address %s; neither an account nor a link is created', async (_, claims) => {
    const [browser, subject] = [service.browser(), newId('user')]
    const email = `${subject}@example.org`
    const owner = await anAccount(email)
    provider.setPerson({ subject, ...claims(email) })
    const { status, text } = await signIn(browser, subject)
    expect(status).toBe(403)
    expect(text).toContain('Confirm your address at Example ID')
    expect([await callerOf(browser), await accountOf(subject), await auditOf(owner)]).toEqual([null, null, []])
  })

  test('403 for another subject with the address of an account that is linked to the provider already', async () => {
    const [person, browser] = [aPerson(), service.browser()]
    await signIn(service.browser(), person.subject)
    const newOwner = aPerson({ email: person.email })
    const { status, text } = await signIn(browser, newOwner.subject)
    expect(status).toBe(403)
    expect(text).toContain('This email address belongs to another sign-in')
    expect([await callerOf(browser), await accountOf(newOwner.subject)]).toEqual([null, null])
  })

  test('403 for a disabled account, which does not change', async () => {
    const [person, browser] = [aPerson(), service.browser()]
    const account = await anAccount(person.email)
    await db.sql('update platform.accounts set disabled_at = now() where id = $1', [account])
    const { status, text } = await signIn(browser, person.subject)
    expect(status).toBe(403)
    expect(text).toContain('This account has been switched off')
    expect([await callerOf(browser), await accountOf(person.subject)]).toEqual([null, null])
  })

  test('creates one account for a new person who signs in with ten browsers at once', async () => {
    const person = aPerson()
    const browsers = Array.from({ length: 10 }, () => service.browser())
    const callbacks = await Promise.all(
      browsers.map(async (browser) => provider.signIn(await start(browser), person.subject)),
    )
    const visits = await Promise.all(browsers.map((browser, i) => browser.open(callbacks[i] ?? '')))
    expect(visits.map(({ status }) => status)).toEqual(Array(10).fill(303))
    const accounts = await Promise.all(browsers.map(callerOf))
    expect(new Set(accounts.map((caller) => caller?.accountId)).size).toBe(1)
  })
})

describe('an account with a password, before it is linked', () => {
  test('is linked after the person enters its password once; later sign-ins at the provider need no password', async () => {
    const [browser, person] = [service.browser(), aPerson()]
    const account = await anAccountWithPassword(person.email.toUpperCase())
    const back = await signIn(browser, person.subject, '/oauth/authorize?a=1')
    expect([back.status, back.location, await callerOf(browser)]).toEqual([303, LINK, null])
    const { status, text } = await browser.open(LINK)
    expect(status).toBe(200)
    expect(text).toContain(person.email.toUpperCase())
    expect([await accountOf(person.subject), await auditOf(account)]).toEqual([null, []])
    const linked = await browser.submit(LINK, LINK, { password: PASSWORD })
    expect([linked.status, linked.location]).toEqual([303, '/oauth/authorize?a=1'])
    expect((await callerOf(browser))?.accountId).toBe(account)
    expect(await auditOf(account)).toEqual(['account.identity_linked'])
    expect(browser.cookies.has('portico-openid-link')).toBe(false)
    const next = service.browser()
    expect((await signIn(next, person.subject)).location).toBe('/settings/apps')
    expect((await callerOf(next))?.accountId).toBe(account)
  })

  test('is not linked by a wrong password; each wrong password counts as a failed sign-in', async () => {
    const [browser, person] = [service.browser(), aPerson()]
    await anAccountWithPassword(person.email)
    await signIn(browser, person.subject)
    for (let tries = 0; tries < 5; tries += 1) {
      const { status, text } = await browser.submit(LINK, LINK, { password: 'a wrong password' })
      expect(status).toBe(422)
      expect(text).toContain('This password is wrong')
    }
    const rejected = await browser.submit(LINK, LINK, { password: PASSWORD })
    expect([rejected.status, Number(rejected.headers.get('retry-after')) > 0]).toEqual([429, true])
    const fields = { email: person.email, password: PASSWORD }
    expect((await service.browser().submit('/sign-in', '/sign-in', fields)).status).toBe(429)
    expect([await callerOf(browser), await accountOf(person.subject)]).toEqual([null, null])
  })

  test('is not linked with the password of another account', async () => {
    const [browser, person, other] = [service.browser(), aPerson(), aPerson()]
    await anAccountWithPassword(person.email)
    const another = 'staple of another person'
    const passwordHash = await hasher.hash(another)
    await db.databases.platform.transaction((tx) =>
      createAccount(tx, { email: other.email, name: 'Bob', passwordHash }),
    )
    expect((await signIn(browser, person.subject)).location).toBe(LINK)
    // A field with the other account’s address changes nothing: the password is compared with the account to be linked.
    for (const more of [{}, { email: other.email }]) {
      expect((await browser.submit(LINK, LINK, { password: another, ...more })).status).toBe(422)
    }
    expect([await callerOf(browser), await accountOf(person.subject)]).toEqual([null, null])
  })

  test('is linked by the press of a button in a browser that is signed in to it, and needs no password again', async () => {
    const [browser, person] = [service.browser(), aPerson()]
    const account = await anAccountWithPassword(person.email)
    await browser.submit('/sign-in', '/sign-in', { email: person.email, password: PASSWORD })
    const asked = await signIn(browser, person.subject)
    expect([asked.location, await accountOf(person.subject)]).toEqual(['/settings/security/identity', null])
    const linked = await browser.submit('/settings/security/identity', '/settings/security/identity', {})
    expect(linked.location).toBe('/settings/apps')
    expect(await accountOf(person.subject)).toBe(account)
  })

  test('is not linked in a browser that is signed in to another account', async () => {
    const [browser, person, another] = [service.browser(), aPerson(), aPerson()]
    await anAccountWithPassword(person.email)
    await anAccountWithPassword(another.email)
    await browser.submit('/sign-in', '/sign-in', { email: another.email, password: PASSWORD })
    expect((await signIn(browser, person.subject)).location).toBe(LINK)
    expect(await accountOf(person.subject)).toBeNull()
  })

  test('is linked only in the browser that returned from the provider, within ten minutes, and not by a form of another site', async () => {
    const own = movableClock(Date.now())
    const other = await accountService(db, { settings: { openid: settings() }, clock: own })
    const [browser, person] = [other.browser(), aPerson()]
    await anAccountWithPassword(person.email)
    await signIn(browser, person.subject)
    expect((await other.browser().open(LINK)).status).toBe(400)
    const [stranger, sent] = [other.browser(), { password: PASSWORD }]
    const { csrf = '' } = hiddenFields((await stranger.open('/sign-in')).text)
    const strange = { method: 'POST', body: new URLSearchParams({ csrf, ...sent }), headers: { origin: other.url } }
    expect((await stranger.send(LINK, strange)).status).toBe(400)
    const forged = { method: 'POST', body: new URLSearchParams(sent), headers: { origin: other.url } }
    expect((await browser.send(LINK, forged)).status).toBe(403)
    const page = await browser.open(LINK)
    own.advance(600_000)
    const body = new URLSearchParams({ ...hiddenFields(page.text), password: PASSWORD })
    const late = await browser.send(LINK, { method: 'POST', body, headers: { origin: other.url } })
    expect([late.status, await accountOf(person.subject)]).toEqual([400, null])
    await other.close()
  })

  test('is shown as disabled only after its password was entered', async () => {
    const [browser, person] = [service.browser(), aPerson()]
    const account = await anAccountWithPassword(person.email)
    await db.sql('update platform.accounts set disabled_at = now() where id = $1', [account])
    expect((await signIn(browser, person.subject)).location).toBe(LINK)
    const { status, text } = await browser.submit(LINK, LINK, { password: PASSWORD })
    expect([status, text.includes('This account has been switched off')]).toEqual([403, true])
    expect([await callerOf(browser), await accountOf(person.subject)]).toEqual([null, null])
  })
})

describe('a browser that signed in through the provider', () => {
  test('is recorded as a known browser of the account, as after a sign-in with a password', async () => {
    const [browser, person] = [service.browser(), aPerson()]
    const account = await anAccount(person.email)
    await signIn(browser, person.subject)
    expect(browser.cookies.has('portico-device')).toBe(true)
    const rows = await db.sql('select 1 from platform.sign_in_devices where account_id = $1', [account])
    expect(rows).toHaveLength(1)
  })

  test('confirms the person’s identity by another sign-in at the provider, requested with prompt=login', async () => {
    const [browser, person] = [service.browser(), aPerson()]
    await signIn(browser, person.subject)
    const account = await accountOf(person.subject)
    const age = `update platform.sign_in_sessions set proven_at = now() - interval '11 minutes' where account_id = $1`
    await db.sql(age, [account])
    const PROTECTED = '/settings/security/authenticator'
    const asked = await browser.open(PROTECTED)
    expect(asked.location).toContain('/sign-in/confirm?')
    const { text } = await browser.open(asked.location ?? '')
    const way = /href="(\/sign-in\/openid\?[^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const { location } = await browser.open(way)
    const { searchParams } = new URL(location ?? '')
    expect([searchParams.get('prompt'), searchParams.get('max_age')]).toEqual(['login', '0'])
    const back = await browser.open(await provider.signIn(location ?? '', person.subject))
    expect(back.location).toBe(PROTECTED)
    expect((await browser.open(PROTECTED)).status).toBe(200)
  })
})

describe('an address that looks like another address', () => {
  test.each(['\u200b', '\u0430'])('is rejected for a new person (%j), and no account is created', async (letter) => {
    const [browser, subject] = [service.browser(), newId('user')]
    provider.setPerson({ subject, email: `a${letter}da-${subject}@example.org`, emailVerified: true })
    const { status, text } = await signIn(browser, subject)
    expect([status, text.includes('This email address cannot be used')]).toEqual([403, true])
    expect([await callerOf(browser), await accountOf(subject)]).toEqual([null, null])
  })

  test('does not lock out a person who is linked already', async () => {
    const person = aPerson()
    await signIn(service.browser(), person.subject)
    provider.setPerson({ ...person, email: `\u0430${person.email}` })
    expect((await signIn(service.browser(), person.subject)).status).toBe(303)
  })

  test('is rejected on the sign-in page too', async () => {
    const fields = { email: 'ad\u0430@example.org', password: PASSWORD }
    const { status, text } = await service.browser().submit('/sign-in', '/sign-in', fields)
    expect([status, text.includes('letters that look like others')]).toEqual([422, true])
  })
})

describe('the number of callbacks from the provider', () => {
  const limited = (perAddress: number, perBrowser: number) =>
    accountService(db, { settings: { openid: { ...settings(), callbackLimits: { perAddress, perBrowser } } } })

  test('is limited per browser: 429 with a page; another browser is signed in', async () => {
    const other = await limited(0, 2)
    const [browser, { subject }] = [other.browser(), aPerson()]
    await browser.open('/sign-in')
    for (let tries = 0; tries < 2; tries += 1) await browser.open('/sign-in/openid/callback?code=x')
    const rejected = await browser.open(await provider.signIn(await start(browser), subject))
    expect([rejected.status, rejected.text.includes('Too many tries')]).toEqual([429, true])
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await signIn(other.browser(), subject)).status).toBe(303)
    await other.close()
  })

  test('is limited per network address: 429 for every browser there', async () => {
    const other = await limited(2, 0)
    const { subject } = aPerson()
    for (let tries = 0; tries < 2; tries += 1) expect((await signIn(other.browser(), subject)).status).toBe(303)
    expect((await signIn(other.browser(), subject)).status).toBe(429)
    await other.close()
  })
})

describe('the user of a world, after a sign-in at the provider', () => {
  const userOf = async (subject: string, world: 'test' | 'live') => {
    const account = await accountOf(subject)
    return account === null ? null : findUserOf(db.databases.platform.reads, account, world)
  }
  const aUser = (world: 'test' | 'live', email: string) =>
    db.databases[world].transaction((tx) => makeUser(tx, { email }))

  test('is the active user with the verified address, in each world, in upper or lower case', async () => {
    const person = aPerson()
    const users = [await aUser('test', person.email.toUpperCase()), await aUser('live', person.email)]
    await signIn(service.browser(), person.subject)
    expect([await userOf(person.subject, 'test'), await userOf(person.subject, 'live')]).toEqual(users)
    const linked = (await auditOf(await accountOf(person.subject))).filter((action) => action === 'account.user_linked')
    expect(linked).toHaveLength(2)
  })

  test('is linked at a later sign-in if it did not exist before, and the link never changes', async () => {
    const person = aPerson()
    await signIn(service.browser(), person.subject)
    expect(await userOf(person.subject, 'test')).toBeNull()
    const user = await aUser('test', person.email)
    await signIn(service.browser(), person.subject)
    expect(await userOf(person.subject, 'test')).toBe(user)
    const another = aPerson()
    await aUser('test', another.email)
    provider.setPerson({ ...person, email: another.email })
    await signIn(service.browser(), person.subject)
    expect(await userOf(person.subject, 'test')).toBe(user)
  })

  test('is not linked while the address is not verified', async () => {
    const person = aPerson()
    await signIn(service.browser(), person.subject)
    await aUser('test', person.email)
    provider.setPerson({ ...person, emailVerified: false })
    await signIn(service.browser(), person.subject)
    expect(await userOf(person.subject, 'test')).toBeNull()
  })

  test('is never another person’s user, nor a deactivated user', async () => {
    const [taken, left] = [aPerson(), aPerson()]
    const owner = await anAccount(`owner-${taken.email}`)
    const user = await aUser('test', taken.email)
    await db.databases.platform.transaction((tx) => linkAccount(tx, { account: owner, world: 'test', user }))
    const gone = await aUser('test', left.email)
    const at = { occurredAt: worldTime('2026-03-01T00:00:00.000000Z') }
    await db.databases.test.transaction((tx) => deactivateUser(tx, gone, at))
    for (const { subject } of [taken, left]) {
      expect((await signIn(service.browser(), subject)).status).toBe(303)
      expect(await userOf(subject, 'test')).toBeNull()
    }
    expect(await findUserOf(db.databases.platform.reads, owner, 'test')).toBe(user)
  })
})

describe('a callback is rejected', () => {
  const expectRefused = async (browser: TestBrowser, address: string, title: string, status = 400) => {
    const visit = await browser.open(address)
    expect(visit.status).toBe(status)
    expect(visit.text).toContain(title)
    expect(visit.text).toMatch(/href="\/sign-in/)
    expect(visit.headers.get('content-type')).toContain('text/html')
    expect(await callerOf(browser)).toBeNull()
  }

  test('in another browser, or after the cookie was changed', async () => {
    const [browser, { subject }] = [service.browser(), aPerson()]
    const back = await provider.signIn(await start(browser), subject)
    await expectRefused(service.browser(), back, 'This sign-in has expired')
    const ticket = browser.cookies.get(TICKET) ?? ''
    for (const at of [0, 10, 40, ticket.length - 3]) {
      const other = ticket[at] === 'A' ? 'B' : 'A'
      browser.cookies.set(TICKET, ticket.slice(0, at) + other + ticket.slice(at + 1))
      await expectRefused(browser, back, 'This sign-in has expired')
    }
    browser.cookies.set(TICKET, 'x')
    await expectRefused(browser, back, 'This sign-in has expired')
  })

  test('if its ticket is sealed with another key', async () => {
    const [browser, { subject }] = [service.browser(), aPerson()]
    const other = await accountService(db, { settings: { openid: settings() } })
    const stranger = other.browser()
    const back = await provider.signIn(await start(stranger), subject)
    browser.cookies.set(TICKET, stranger.cookies.get(TICKET) ?? '')
    await expectRefused(browser, back.replace(other.url, service.url), 'This sign-in has expired')
    await other.close()
  })

  test('if an attacker starts the sign-in and another person’s browser opens the callback: the state does not match', async () => {
    const [attacker, victim, { subject }] = [service.browser(), service.browser(), aPerson()]
    const back = await provider.signIn(await start(attacker), subject)
    await start(victim)
    await expectRefused(victim, back, 'This is not the sign-in you started')
    expect((await attacker.open(back)).status).toBe(303)
  })

  const CHANGES: readonly (readonly [what: string, change: (url: URL, stolen: string) => void])[] = [
    ['a changed state', (url) => url.searchParams.set('state', 'guessed')],
    ['a foreign issuer', (url) => url.searchParams.set('iss', 'https://evil.example')],
    ['a code of another sign-in', (url, stolen) => url.searchParams.set('code', stolen)],
    ['a second state', (url) => url.searchParams.append('state', 'again')],
  ]
  test.each(CHANGES)(
    'with %s, which also uses up the sign-in: the right callback is rejected afterwards',
    async (_, change) => {
      const [browser, another, { subject }] = [service.browser(), service.browser(), aPerson()]
      const back = await provider.signIn(await start(browser), subject)
      const stolen = new URL(await provider.signIn(await start(another), subject)).searchParams.get('code') ?? ''
      const changed = new URL(back)
      change(changed, stolen)
      const ticket = browser.cookies.get(TICKET) ?? ''
      await expectRefused(browser, changed.href, 'This is not the sign-in you started')
      browser.cookies.set(TICKET, ticket)
      await expectRefused(browser, back, 'This is not the sign-in you started')
    },
  )

  test('if it was opened before; of ten requests at once, one signs in', async () => {
    const [browser, { subject }] = [service.browser(), aPerson()]
    const back = await provider.signIn(await start(browser), subject)
    const ticket = browser.cookies.get(TICKET) ?? ''
    const copies = Array.from({ length: 10 }, () => {
      const copy = service.browser()
      copy.cookies.set(TICKET, ticket)
      return copy
    })
    const visits = await Promise.all(copies.map((copy) => copy.open(back)))
    expect(visits.map(({ status }) => status).toSorted()).toEqual([303, ...Array(9).fill(400)])
    await expectRefused(browser, back, 'This is not the sign-in you started')
  })

  test('if the ID token was issued for another sign-in: the nonce does not match', async () => {
    const [browser, { subject }] = [service.browser(), aPerson()]
    const back = await provider.signIn(await start(browser), subject)
    const sealed = tickets(service.keys, clock)
    const ticket = sealed.open(browser.cookies.get(TICKET))
    if (ticket === null) throw new Error('no ticket')
    browser.cookies.set(TICKET, sealed.seal({ ...ticket, nonce: 'of another sign-in' }))
    await expectRefused(browser, back, 'This is not the sign-in you started')
  })

  test('after ten minutes', async () => {
    const [browser, { subject }] = [service.browser(), aPerson()]
    const back = await provider.signIn(await start(browser), subject)
    clock.advance(600_000)
    await expectRefused(browser, back, 'This sign-in has expired')
  })

  test('if the person pressed Cancel at the provider', async () => {
    const browser = service.browser()
    const back = await provider.cancel(await start(browser, '/x'))
    await expectRefused(browser, back, 'You did not finish signing in', 403)
  })

  test('while the provider is down: the page reports it, and the log has the reason', async () => {
    const temporary = await openIdProvider()
    temporary.setPerson({ subject: 'x', email: 'x@example.org', emailVerified: true })
    const { issuer, clientId, clientSecret } = temporary
    const openid = { issuer, clientId, clientSecret, name: 'Example ID' }
    const other = await accountService(db, { settings: { openid } })
    const browser = other.browser()
    const back = await temporary.signIn(await start(browser), 'x')
    await temporary.close()
    await expectRefused(browser, back, 'The sign-in service does not answer', 503)
    expect(other.logLines.join()).toContain('"reason":"down"')
    expect(other.logLines.join()).not.toContain(new URL(back).searchParams.get('code'))
    await other.close()
  })

  test.each(['', '?code', '?error=x&state=%zz', '?code=a&code=b&state=c', '?response=x'])(
    'if it is malformed (%s): 400, and not an internal error',
    async (query) => {
      const browser = service.browser()
      await start(browser)
      const { status } = await browser.open(`/sign-in/openid/callback${query}`)
      expect(status).toBe(400)
    },
  )
})

async function unusedAddress(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${port}`
}
