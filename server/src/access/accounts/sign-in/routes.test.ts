import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { csrfToken } from '#http/browser/cookies.ts'
import { newId } from '#kernel/ids.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { quickHasher } from '#test/quick-hasher.ts'
import { createAccount, type PasswordHash } from '../index.ts'
import { type AccountService, accountService } from '../testing/account-service.ts'
import { hiddenFields, type TestBrowser, type Visit } from '../testing/browser.ts'

const PASSWORD = 'correct horse'
const COOKIE = 'portico'

let db: TestDatabase
let service: AccountService
let hash: PasswordHash
beforeAll(async () => {
  db = await testDatabase()
  service = await accountService(db)
  hash = await quickHasher.hash(PASSWORD)
})
afterAll(async () => {
  await service.close()
  await db.close()
})

/** All tests use one network address. They do not test the limit of an address, so the attempts of earlier tests are deleted. */
const anAccount = async () => {
  await db.sql('delete from platform.sign_in_attempts')
  const email = `${newId('account')}@example.org`
  const id = await db.databases.platform.transaction((tx) =>
    createAccount(tx, { email, name: 'Ada Lovelace', passwordHash: hash }),
  )
  return { id, email }
}
const signIn = (browser: TestBrowser, fields: Record<string, string>, page = '/sign-in') =>
  browser.submit(page, '/sign-in', { password: PASSWORD, ...fields })
/** A redirect (303) shows that the person is signed in: other people get the sign-in page. */
const isSignedIn = async (browser: TestBrowser) => (await browser.open('/sign-in')).status === 303

describe('GET /sign-in', () => {
  test('200 with a form that works without scripts, is bound to this browser, and has the attributes that password managers need', async () => {
    const browser = service.browser()
    const { status, text, headers } = await browser.open('/sign-in')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(text).toContain('<h1>Sign in to Wefunder</h1>')
    expect(text).toMatch(/<form method="post" action="\/sign-in"/)
    expect(text).toMatch(/type="email"[^>]*autocomplete="username"/)
    expect(text).toMatch(/type="password"[^>]*autocomplete="current-password"/)
    expect(text).not.toContain('<script')
    expect(hiddenFields(text)).toEqual({ csrf: expect.any(String), return_to: '/settings/apps' })
    expect(browser.cookies.get(COOKIE)).toMatch(/^[\w-]{43}$/)
  })

  test.each([
    ['/oauth/authorize?client_id=pk_live_x', 'An app would like to connect'],
    ['/apps/pk_live_x/install', 'You are about to install an app'],
    ['/settings/apps', 'Manage your account'],
    ['/anything', 'for people who are signed in'],
  ])('says to a visitor from %s why they have to sign in', async (returnTo, why) => {
    const { text } = await service.browser().open(`/sign-in?return_to=${encodeURIComponent(returnTo)}`)
    expect(text).toContain(why)
    expect(hiddenFields(text)['return_to']).toBe(returnTo)
  })

  test('shows the sandbox’s band only to a visitor from a test app', async () => {
    const from = (key: string) =>
      service.browser().open(`/sign-in?return_to=${encodeURIComponent(`/oauth/authorize?client_id=${key}`)}`)
    expect((await from('pk_test_x')).text).toContain('Sandbox.')
    expect((await from('pk_live_x')).text).not.toContain('Sandbox.')
  })

  test('escapes the parameters of a link, and drops a return address on another site', async () => {
    const { text } = await service.browser().open(`/sign-in?return_to=${encodeURIComponent('/x?"><script>')}`)
    expect(text).not.toContain('<script>')
    const away = await service.browser().open(`/sign-in?return_to=${encodeURIComponent('//evil.example')}`)
    expect(away.text).not.toContain('evil.example')
  })

  test('lets its form redirect to the app that sent the person here, also when the page is shown again', async () => {
    const [browser, { email }] = [service.browser(), await anAccount()]
    const app = `/oauth/authorize?redirect_uri=${encodeURIComponent('com.fieldbook.app:/back')}`
    const page = `/sign-in?return_to=${encodeURIComponent(app)}`
    const policyOf = ({ headers }: Visit) => `${headers.get('content-security-policy')};`
    const policy = "form-action 'self' com.fieldbook.app:;"
    expect(policyOf(await browser.open(page))).toContain(policy)
    expect(policyOf(await signIn(browser, { email, password: '' }, page))).toContain(policy)
    expect(policyOf(await signIn(browser, { email, password: 'wrong' }, page))).toContain(policy)
    expect(policyOf(await browser.open('/sign-in'))).toContain("form-action 'self';")
  })

  test('400 for a return address that is too long, whether the person is signed in or not', async () => {
    const [browser, { email }] = [service.browser(), await anAccount()]
    const long = encodeURIComponent(`/oauth/authorize?state=${'x'.repeat(8_000)}`)
    for (let round = 0; round < 2; round++) {
      const { status, text } = await browser.open(`/sign-in?return_to=${long}`)
      expect(status).toBe(400)
      expect(text).toContain('The link that brought you here is too long')
      await signIn(browser, { email })
    }
    const csrf = await csrfOf(browser)
    const body = new URLSearchParams({ csrf, email, password: PASSWORD, return_to: decodeURIComponent(long) })
    expect((await browser.send('/sign-in', { method: 'POST', body })).status).toBe(400)
  })

  test('303 to the requested page for a person who is already signed in', async () => {
    const [browser, { email }] = [service.browser(), await anAccount()]
    await signIn(browser, { email })
    const { status, location } = await browser.open('/sign-in?return_to=%2Fsettings%2Fapps%3Fa%3D1')
    expect([status, location]).toEqual([303, '/settings/apps?a=1'])
    expect((await browser.open('/sign-in?return_to=%2F%5Cevil.example')).location).toBe('/settings/apps')
  })
})

describe('POST /sign-in', () => {
  test('303 to the requested page, with a cookie that scripts cannot read', async () => {
    const [browser, { email }] = [service.browser(), await anAccount()]
    const page = `/sign-in?return_to=${encodeURIComponent('/oauth/authorize?client_id=pk_test_x&state=a+b')}`
    const { status, location, headers } = await signIn(browser, { email }, page)
    expect([status, location]).toEqual([303, '/oauth/authorize?client_id=pk_test_x&state=a+b'])
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(/^portico=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/),
      expect.stringMatching(/^portico-device=[\w-]+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/),
    ])
    expect(await isSignedIn(browser)).toBe(true)
  })

  test('always replaces the browser’s cookie, so a stranger who planted the earlier cookie gains nothing', async () => {
    const [browser, stranger, { email }] = [service.browser(), service.browser(), await anAccount()]
    await browser.open('/sign-in')
    const before = browser.cookies.get(COOKIE) ?? ''
    stranger.cookies.set(COOKIE, before)
    await signIn(browser, { email })
    expect(browser.cookies.get(COOKIE)).not.toBe(before)
    expect(await isSignedIn(stranger)).toBe(false)
  })

  test('ends the earlier session of this browser, even if it was another person’s', async () => {
    const [browser, ada, grace] = [service.browser(), await anAccount(), await anAccount()]
    await signIn(browser, { email: ada.email })
    const stale = service.browser()
    stale.cookies.set(COOKIE, browser.cookies.get(COOKIE) ?? '')
    // Sent from a form that was still open in another tab, because the page itself redirects a signed-in person.
    const body = new URLSearchParams({ csrf: await csrfOf(browser), email: grace.email, password: PASSWORD })
    expect((await browser.send('/sign-in', { method: 'POST', body })).status).toBe(303)
    expect(await isSignedIn(stale)).toBe(false)
    expect(await isSignedIn(browser)).toBe(true)
  })

  test('422 for a missing field: the error is at the field, the address stays in the form, the password does not', async () => {
    const { status, text } = await signIn(service.browser(), { email: 'ada@example.org', password: '' })
    expect(status).toBe(422)
    expect(text).toContain('<p class="error" id="field-password-error">Enter your password.</p>')
    expect(text.split('Enter your password.')).toHaveLength(2)
    expect(text).toMatch(/<input type="password"[^>]* aria-invalid="true" autofocus/)
    expect(text).toContain('value="ada@example.org"')
    const nothing = await signIn(service.browser(), { email: ' ', password: '' })
    expect(nothing.text).toContain('Enter your email address.')
    expect(nothing.text).toContain('Enter your password.')
  })

  test('422 and the same page for an unknown address and a wrong password', async () => {
    const { email } = await anAccount()
    const page = async (fields: Record<string, string>) => {
      const browser = service.browser()
      const { status, text } = await signIn(browser, fields)
      const { csrf = '' } = hiddenFields(text)
      return { status, text: text.replace(csrf, '').replaceAll(fields['email'] ?? '', '') }
    }
    const [wrong, unknown] = [
      await page({ email, password: 'wrong horse' }),
      await page({ email: 'x@example.org', password: 'wrong horse' }),
    ]
    expect(wrong.status).toBe(422)
    expect(wrong.text).toContain('Email or password is wrong.')
    expect(wrong.text).not.toContain('wrong horse')
    expect(unknown).toEqual(wrong)
  })

  test('403 for a disabled account after the right password', async () => {
    const { id, email } = await anAccount()
    await db.sql('update platform.accounts set disabled_at = now() where id = $1', [id])
    const { status, text } = await signIn(service.browser(), { email })
    expect(status).toBe(403)
    expect(text).toContain('This account has been switched off.')
  })

  test('429 after five attempts, with the time to wait, with or without an account', async () => {
    for (const email of [(await anAccount()).email, 'nobody@example.org']) {
      const browser = service.browser()
      for (let i = 0; i < 5; i++) expect((await signIn(browser, { email, password: 'wrong' })).status).toBe(422)
      const { status, text, headers } = await signIn(browser, { email })
      expect(status).toBe(429)
      expect(text).toMatch(/There were too many tries\. Try again in 1[45] minutes\./)
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(14 * 60)
      expect(await isSignedIn(browser)).toBe(false)
    }
  })

  test('403 without the CSRF token, with that of another browser, and from another site', async () => {
    const { email } = await anAccount()
    const fields = { email, password: PASSWORD }
    const [browser, another] = [service.browser(), service.browser()]
    const csrf = await csrfOf(browser)
    const post = (body: Record<string, string>, headers: Record<string, string> = {}) =>
      browser.send('/sign-in', { method: 'POST', body: new URLSearchParams(body), headers })
    expect((await post(fields)).status).toBe(403)
    expect((await post({ ...fields, csrf: await csrfOf(another) })).status).toBe(403)
    expect((await post({ ...fields, csrf }, { origin: 'https://evil.example' })).status).toBe(403)
    expect(await isSignedIn(browser)).toBe(false)
    expect((await post({ ...fields, csrf })).status).toBe(303)
  })

  test.each([
    ['the same field twice', 'email=a%40b.c&email=d%40e.f&password=x', 422],
    ['an unknown field', 'email=a%40b.c&password=x&admin=1', 422],
    ['a NUL', 'email=a%00%40b.c&password=x', 422],
    ['bad percent-encoding', 'email=%zz&password=x', 400],
  ])('%s gets an error page, and is not an internal error', async (_, body, status) => {
    const browser = service.browser()
    const csrf = encodeURIComponent(await csrfOf(browser))
    const visit = await browser.send('/sign-in', {
      method: 'POST',
      body: `${body}&csrf=${csrf}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(visit.status).toBe(status)
    expect(visit.headers.get('content-type')).toContain('text/html')
  })

  test('never redirects to another site, even if the form contains one', async () => {
    const [browser, { email }] = [service.browser(), await anAccount()]
    const { location } = await signIn(browser, { email, return_to: 'https://evil.example/' })
    expect(location).toBe('/settings/apps')
  })
})

describe('POST /sign-out', () => {
  const signOut = async (browser: TestBrowser, csrf: string, more: Record<string, string> = {}) =>
    browser.send('/sign-out', { method: 'POST', body: new URLSearchParams({ csrf, ...more }) })

  test('303 to the sign-in page, which confirms the sign-out; only this browser is signed out', async () => {
    const [here, there, { email }] = [service.browser(), service.browser(), await anAccount()]
    await signIn(here, { email })
    await signIn(there, { email })
    const stolen = service.browser()
    stolen.cookies.set(COOKIE, here.cookies.get(COOKIE) ?? '')
    const { status, location } = await signOut(here, await csrfOf(here))
    expect([status, location]).toEqual([303, '/sign-in?signed_out=yes'])
    expect(here.cookies.has(COOKIE)).toBe(false)
    expect([await isSignedIn(stolen), await isSignedIn(there)]).toEqual([false, true])
    expect((await here.open(location ?? '')).text).toContain('You are signed out')
  })

  test('redirects to the sign-in page with the requested return address, but never to another site', async () => {
    const browser = service.browser()
    const to = async (wanted: string) => (await signOut(browser, await csrfOf(browser), { return_to: wanted })).location
    expect(await to('/oauth/authorize?a=1&b=2')).toBe('/sign-in?return_to=%2Foauth%2Fauthorize%3Fa%3D1%26b%3D2')
    expect(await to('//evil.example')).toBe('/sign-in?signed_out=yes')
  })

  test('403 from another site, and the person stays signed in', async () => {
    const [browser, { email }] = [service.browser(), await anAccount()]
    await signIn(browser, { email })
    const csrf = await csrfOf(browser)
    const foreign: Record<string, string>[] = [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]
    for (const headers of foreign) {
      const body = new URLSearchParams({ csrf })
      expect((await browser.send('/sign-out', { method: 'POST', body, headers })).status).toBe(403)
    }
    expect(await isSignedIn(browser)).toBe(true)
    expect((await signOut(browser, csrf)).status).toBe(303)
  })

  test('403 with a wrong CSRF token, and the person stays signed in', async () => {
    const [browser, { email }] = [service.browser(), await anAccount()]
    await signIn(browser, { email })
    expect((await signOut(browser, 'guessed')).status).toBe(403)
    expect(await isSignedIn(browser)).toBe(true)
  })
})

describe('if sign-in with passwords is off', () => {
  test('the page has no password form, and a password that is sent is rejected', async () => {
    const openid = { issuer: 'https://id.example', clientId: 'x', clientSecret: null, name: 'Example ID' }
    const other = await accountService(db, { settings: { passwords: false, openid } })
    const browser = other.browser()
    const { text } = await browser.open('/sign-in')
    expect(text).not.toContain('type="password"')
    expect(text).toContain('Continue with Example ID')
    const { email } = await anAccount()
    const csrf = csrfToken(other.keys('csrf'), browser.cookies.get(COOKIE) ?? '')
    const body = new URLSearchParams({ csrf, email, password: PASSWORD })
    expect((await browser.send('/sign-in', { method: 'POST', body })).status).toBe(403)
    await other.close()
  })
})

/** The CSRF token of this browser. For a signed-in person it is derived from the cookie, because /sign-in redirects and shows no form. */
async function csrfOf(browser: TestBrowser): Promise<string> {
  const { text } = await browser.open('/sign-in')
  const { csrf } = hiddenFields(text)
  if (csrf !== undefined) return csrf
  return csrfToken(service.keys('csrf'), browser.cookies.get(COOKIE) ?? '')
}
