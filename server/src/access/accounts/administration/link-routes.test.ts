import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readError } from '#http/testing/error-response.ts'
import { newId } from '#kernel/ids.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { quickHasher } from '#test/quick-hasher.ts'
import { createAccount, type PasswordHash } from '../index.ts'
import { purgeSignIns } from '../sign-in/sign-ins.ts'
import { type AccountService, accountService, operatorKeyOf } from '../testing/account-service.ts'
import { hiddenFields, type TestBrowser } from '../testing/browser.ts'

const PASSWORD = 'correct horse'
const NEW_PASSWORD = 'battery staple'

let db: TestDatabase
let service: AccountService
let live: { id: string; key: string }
let hash: PasswordHash
beforeAll(async () => {
  db = await testDatabase()
  service = await accountService(db)
  live = await operatorKeyOf(db, 'live')
  hash = await quickHasher.hash(PASSWORD)
})
afterAll(async () => {
  await service.close()
  await db.close()
})

const anAccount = async () => {
  const email = `${newId('account')}@example.org`
  const { platform } = db.databases
  const id = await platform.transaction((tx) => createAccount(tx, { email, name: 'Ada', passwordHash: hash }))
  return { id, email }
}
type Issued = { readonly data: { readonly attributes: { readonly url: string; readonly expires_at: string } } }
const issue = (id: string, kind = 'sign_in_link', { url } = service) =>
  fetch(`${url}/platform/accounts/${id}/${kind}`, { method: 'POST', headers: { authorization: `Bearer ${live.key}` } })
const pathOf = async (response: Response) => new URL(((await response.json()) as Issued).data.attributes.url).pathname
const aLink = async (id: string, kind?: string) => pathOf(await issue(id, kind))
const isSignedIn = async (browser: TestBrowser) => (await browser.open('/sign-in')).status === 303
const signIn = (browser: TestBrowser, email: string, password: string) =>
  browser.submit('/sign-in', '/sign-in', { email, password })
/** Sends the form of a link's page, like a browser that opened the page while the link still worked. */
const press = async (browser: TestBrowser, path: string) => {
  const { csrf = '' } = hiddenFields((await browser.open('/sign-in')).text)
  return browser.send(path, { method: 'POST', body: new URLSearchParams({ csrf }) })
}
const setPassword = (browser: TestBrowser, path: string, password = NEW_PASSWORD) =>
  browser.submit(path, path, { password })
const auditOf = (subject: string) =>
  db.sql<{ actor: string; action: string }>(
    'select actor, action from platform.audit_entries where subject = $1 order by id',
    [subject],
  )
const expire = (id: string) =>
  db.sql(
    `update platform.account_links set created_at = now() - interval '2 days', expires_at = now() where account_id = $1`,
    [id],
  )

describe('POST /platform/accounts/{id}/sign_in_link', () => {
  test('201 with a link that works for 15 minutes; the database stores only a digest, and the audit names the operator key', async () => {
    const { id } = await anAccount()
    const response = await issue(id)
    expect(response.status).toBe(201)
    expect(response.headers.get('cache-control')).toBe('no-store')
    const { data } = (await response.json()) as Issued
    expect(data).toEqual({
      type: 'account_link',
      attributes: {
        account: id,
        purpose: 'sign_in',
        url: expect.stringMatching(new RegExp(`^${service.url}/sign-in/link/[\\w-]{43}$`)),
        expires_at: expect.stringMatching(/Z$/),
      },
    })
    const [row] = await db.sql<{ row: string; minutes: number }>(
      `select l::text as row, round(extract(epoch from expires_at - created_at) / 60)::int as minutes
         from platform.account_links l where account_id = $1`,
      [id],
    )
    expect(row?.minutes).toBe(15)
    expect(row?.row).not.toContain(data.attributes.url.split('/').at(-1))
    expect(await auditOf(id)).toEqual([{ actor: live.id, action: 'account.sign_in_link_issued' }])
  })

  test('404 for an unknown account, 409 for a disabled one', async () => {
    expect((await issue(newId('account'))).status).toBe(404)
    const { id } = await anAccount()
    await db.sql('update platform.accounts set disabled_at = now() where id = $1', [id])
    const rejected = await issue(id)
    expect(rejected.status).toBe(409)
    expect((await readError(rejected)).type).toBe('illegal_transition')
  })

  test('a new link replaces the previous link', async () => {
    const { id } = await anAccount()
    const [first, second] = [await aLink(id), await aLink(id)]
    expect((await service.browser().open(first)).status).toBe(410)
    expect((await service.browser().open(second)).status).toBe(200)
  })
})

describe('a sign-in link', () => {
  test('still works after a link scanner has opened it; the button of its page signs in once', async () => {
    const { id, email } = await anAccount()
    const path = await aLink(id)
    const scanner = service.browser()
    for (let i = 0; i < 3; i++) {
      const { status, text, headers } = await scanner.open(path)
      expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
      expect(text).toContain('Sign in as Ada')
      expect(text).toContain(email)
      expect(await isSignedIn(scanner)).toBe(false)
    }
    const browser = service.browser()
    const { status, location } = await browser.submit(path, path, {})
    expect([status, location]).toEqual([303, '/settings/apps'])
    expect(await isSignedIn(browser)).toBe(true)
    expect((await scanner.open(path)).status).toBe(410)
    expect((await press(service.browser(), path)).status).toBe(410)
    expect((await auditOf(id)).map(({ actor, action }) => [actor, action])).toEqual([
      [live.id, 'account.sign_in_link_issued'],
      [id, 'account.sign_in_link_used'],
    ])
  })

  test('signs in one browser if ten browsers press the button of its page at once', async () => {
    const path = await aLink((await anAccount()).id)
    const responses = await Promise.all(Array.from({ length: 10 }, () => press(service.browser(), path)))
    expect(responses.map(({ status }) => status).toSorted()).toEqual([303, ...Array.from({ length: 9 }, () => 410)])
  })

  test('403 for a POST without the CSRF token of its page, or from another site; the link still works', async () => {
    const { id } = await anAccount()
    const path = await aLink(id)
    const browser = service.browser()
    await browser.open(path)
    expect((await browser.send(path, { method: 'POST', body: new URLSearchParams() })).status).toBe(403)
    const foreign = { method: 'POST', body: new URLSearchParams(), headers: { origin: 'https://evil.example' } }
    expect((await browser.send(path, foreign)).status).toBe(403)
    expect((await browser.open(path)).status).toBe(200)
  })

  test('410 for a link that expired, that was never issued, or whose account was disabled meanwhile', async () => {
    const [expired, disabled] = [await anAccount(), await anAccount()]
    const [first, second] = [await aLink(expired.id), await aLink(disabled.id)]
    await expire(expired.id)
    await db.sql('update platform.accounts set disabled_at = now() where id = $1', [disabled.id])
    for (const path of [first, second, `/sign-in/link/${'A'.repeat(43)}`, '/sign-in/link/x']) {
      const browser = service.browser()
      const { status, text } = await browser.open(path)
      expect([path, status]).toEqual([path, 410])
      expect(text).toContain('This link no longer works')
      expect((await press(browser, path)).status).toBe(410)
    }
    await db.databases.platform.transaction((tx) => purgeSignIns(tx, 1_000))
    expect(await db.sql('select 1 from platform.account_links where account_id = $1', [expired.id])).toEqual([])
  })

  test('does not set a password, even if the request contains one', async () => {
    const { id, email } = await anAccount()
    await setPassword(service.browser(), await aLink(id))
    expect((await signIn(service.browser(), email, NEW_PASSWORD)).status).toBe(422)
  })
})

describe('POST /platform/accounts/{id}/password_link', () => {
  test('the person sets a password and is signed in only in this browser; the old password stops working', async () => {
    const { id, email } = await anAccount()
    const elsewhere = service.browser()
    await signIn(elsewhere, email, PASSWORD)
    const [path, signInPath] = [await aLink(id, 'password_link'), await aLink(id)]
    const browser = service.browser()
    expect((await browser.open(path)).text).toContain('Set a password')
    expect((await setPassword(browser, path)).status).toBe(303)
    expect([await isSignedIn(browser), await isSignedIn(elsewhere)]).toEqual([true, false])
    expect((await signIn(service.browser(), email, PASSWORD)).status).toBe(422)
    expect((await signIn(service.browser(), email, NEW_PASSWORD)).status).toBe(303)
    expect((await browser.open(path)).status).toBe(410)
    expect((await browser.open(signInPath)).status).toBe(410)
    expect((await auditOf(id)).map(({ action }) => action)).toEqual([
      'account.set_password_link_issued',
      'account.sign_in_link_issued',
      'account.set_password_link_used',
      'account.password_set',
    ])
  })

  test.each([
    ['', 'Choose a password.'],
    ['short', '12 to 200 characters'],
    ['x'.repeat(201), '12 to 200 characters'],
  ])('422 for the password "%s", and the link still works', async (password, message) => {
    const { id } = await anAccount()
    const path = await aLink(id, 'password_link')
    const browser = service.browser()
    const { status, text } = await setPassword(browser, path, password)
    expect(status).toBe(422)
    expect(text).toContain(message)
    expect((await setPassword(browser, path)).status).toBe(303)
  })

  test('403 if sign-in with passwords is off; a sign-in link is still issued', async () => {
    const other = await accountService(db, { settings: { passwords: false } })
    const { id } = await anAccount()
    expect((await issue(id, 'password_link', other)).status).toBe(403)
    expect((await issue(id, 'sign_in_link', other)).status).toBe(201)
    await other.close()
  })
})

describe('PUT /platform/accounts/{id}/password', () => {
  const put = (id: string, password: string) =>
    fetch(`${service.url}/platform/accounts/${id}/password`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${live.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ password }),
    })

  test('200: sessions, remembered browsers and links end; audited with the key and without the password', async () => {
    const { id, email } = await anAccount()
    const browser = service.browser()
    await signIn(browser, email, PASSWORD)
    const path = await aLink(id)
    expect((await put(id, NEW_PASSWORD)).status).toBe(200)
    expect(await isSignedIn(browser)).toBe(false)
    expect((await browser.open(path)).status).toBe(410)
    expect(await db.sql('select 1 from platform.sign_in_devices where account_id = $1', [id])).toEqual([])
    expect((await signIn(service.browser(), email, PASSWORD)).status).toBe(422)
    expect((await signIn(service.browser(), email, NEW_PASSWORD)).status).toBe(303)
    const audit = await db.sql('select actor, action, details from platform.audit_entries where subject = $1', [id])
    expect(audit).toContainEqual({ actor: live.id, action: 'account.password_set', details: { sessions_ended: 1 } })
    expect(JSON.stringify(audit)).not.toContain(NEW_PASSWORD)
  })

  test('422 for a bad password, 404 for an unknown account', async () => {
    const { id } = await anAccount()
    expect((await put(id, 'short')).status).toBe(422)
    expect((await put(newId('account'), NEW_PASSWORD)).status).toBe(404)
  })
})
