import { generateSync } from 'otplib'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Id, newId } from '#kernel/ids.ts'
import { launchBrowser } from '#test/browser.ts'
import { movableClock } from '#test/clock.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { openIdProvider, type TestOpenIdProvider } from '#test/openid-provider.ts'
import { quickHasher } from '#test/quick-hasher.ts'
import { expectAccessible } from '../../../../test/acceptance/accessibility.ts'
import { newTotpSecret, totpSecrets } from '../factors/codes.ts'
import { insertPasskey, insertTotp } from '../factors/store.ts'
import { createAccount, signIns } from '../index.ts'
import { type AccountService, accountService } from '../testing/account-service.ts'
import type { TestBrowser } from '../testing/browser.ts'
import { findAccountByIdentity } from './store.ts'

const PASSWORD = 'correct horse battery'
const STEP_MS = 30_000
const LINK = '/sign-in/openid/link'
const LINK_SIGNED_IN = '/settings/security/identity'
const SECOND_STEP = '/sign-in/second-step'

/** Begins in the middle of a time step. The tests advance it, because each code works only once. */
const clock = movableClock(Math.floor(Date.now() / STEP_MS) * STEP_MS + STEP_MS / 2)

let db: TestDatabase
let provider: TestOpenIdProvider
let service: AccountService
beforeAll(async () => {
  ;[db, provider] = await Promise.all([testDatabase(), openIdProvider()])
  const { issuer, clientId, clientSecret } = provider
  const openid = { issuer, clientId, clientSecret, name: 'Example ID' }
  service = await accountService(db, { settings: { openid }, clock })
})
afterAll(async () => {
  await service.close()
  await provider.close()
  await db.close()
})

/**
 * An account, and an identity at the provider with the same verified address. The identity may belong to the account's owner or to another
 * person who controls the mailbox.
 */
async function anAccount({ password = true } = {}) {
  const subject = newId('user')
  const email = `${subject}@example.org`
  provider.setPerson({ subject, email, emailVerified: true })
  const passwordHash = password ? await quickHasher.hash(PASSWORD) : null
  const id = await db.databases.platform.transaction((tx) => createAccount(tx, { email, name: 'Ada', passwordHash }))
  return { id, email, subject }
}

async function addApp(account: Id<'account'>) {
  const secret = newTotpSecret()
  const sealedSecret = totpSecrets(service.keys).seal(account, secret)
  await db.databases.platform.transaction((tx) => insertTotp(tx, { account, sealedSecret, step: 1 }))
  return () => {
    clock.advance(STEP_MS)
    return generateSync({ secret, epoch: Math.floor(clock.now() / 1_000) })
  }
}

const addPasskey = (account_id: Id<'account'>) => {
  const key = { credential_id: Buffer.from(account_id), public_key: Buffer.from('key'), counter: 0, name: 'Phone' }
  const passkey = { account_id, ...key, synced: false, backed_up: false, transports: [] }
  return db.databases.platform.transaction((tx) => insertPasskey(tx, passkey))
}

async function comeBack(browser: TestBrowser, subject: string) {
  const { location } = await browser.open('/sign-in/openid?return_to=/settings/apps')
  return browser.open(await provider.signIn(location ?? '', subject))
}

const linkedTo = (subject: string) =>
  findAccountByIdentity(db.databases.platform.reads, { issuer: provider.issuer, subject })
const callerOf = (browser: TestBrowser) => signIns(db.databases).find(browser.cookies.get('portico') ?? '')
const age = (id: Id<'account'>) =>
  db.sql(`update platform.sign_in_sessions set proven_at = now() - interval '11 minutes' where account_id = $1`, [id])

// This test is first, because the tests below move our clock, and the provider uses the real clock for the times in its tokens.
test('axe-core finds no problem on the pages for linking, at two widths and in both colour schemes', {
  timeout: 180_000,
}, async () => {
  const chromium = await launchBrowser()
  onTestFinished(() => chromium.close())
  const { url } = service
  const expectPage = async ({ cookies }: TestBrowser, path: string, heading: RegExp) => {
    const context = await chromium.newContext()
    await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url })))
    const page = await context.newPage()
    await page.goto(url + path)
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
    await expectAccessible(page)
    await context.close()
  }
  const [withPassword, withPasskey, other] = [
    await anAccount(),
    await anAccount({ password: false }),
    await anAccount(),
  ]
  await addPasskey(withPasskey.id)
  const [stranger, owner] = [service.browser(), service.browser()]
  await comeBack(stranger, withPassword.subject)
  await expectPage(stranger, LINK, /^Enter your password once$/)
  await comeBack(stranger, withPasskey.subject)
  await expectPage(stranger, LINK, /^Sign in once before you link$/)
  await owner.submit('/sign-in', '/sign-in', { email: other.email, password: PASSWORD })
  await comeBack(owner, other.subject)
  await expectPage(owner, LINK_SIGNED_IN, /^Link your account with Example ID\?$/)
})

describe('an account with a password and a factor', () => {
  test('is linked after password, code and one press of a button', async () => {
    const { id, email, subject } = await anAccount()
    const nextCode = await addApp(id)
    const browser = service.browser()
    expect((await comeBack(browser, subject)).location).toBe(LINK)
    const first = await browser.submit(LINK, LINK, { password: PASSWORD })
    expect(first.location).toBe(`${SECOND_STEP}?return_to=${encodeURIComponent(LINK_SIGNED_IN)}`)
    const second = await browser.submit(first.location ?? '', SECOND_STEP, { code: nextCode() })
    expect([second.location, await linkedTo(subject)]).toEqual([LINK_SIGNED_IN, null])
    const page = await browser.open(LINK_SIGNED_IN)
    expect(page.text).toContain('Link your account with Example ID?')
    expect(page.text).toContain(email)
    const done = await browser.submit(LINK_SIGNED_IN, LINK_SIGNED_IN, {})
    expect([done.status, done.location]).toEqual([303, '/settings/apps'])
    expect([await linkedTo(subject), (await callerOf(browser))?.accountId]).toEqual([id, id])
    expect(browser.cookies.has('portico-openid-link')).toBe(false)
    expect((await comeBack(service.browser(), subject)).location).toBe('/settings/apps')
  })

  test('is not linked, and not signed in, by a person who has only the mailbox and the password', async () => {
    const { id, subject } = await anAccount()
    await addApp(id)
    const thief = service.browser()
    await comeBack(thief, subject)
    expect((await thief.submit(LINK, LINK, { password: PASSWORD })).location).toContain(SECOND_STEP)
    expect((await thief.submit(SECOND_STEP, SECOND_STEP, { code: '000000' })).status).toBe(422)
    expect((await thief.open(LINK_SIGNED_IN)).location).toContain('/sign-in?')
    const forced = await thief.submit(LINK, LINK_SIGNED_IN, {})
    expect([forced.status, forced.location]).toEqual([303, expect.stringContaining('/sign-in')])
    expect((await comeBack(thief, subject)).location).toBe(LINK)
    expect([await linkedTo(subject), await callerOf(thief)]).toEqual([null, null])
  })

  test('does not reveal that it has a factor until the password is entered', async () => {
    const [plain, guarded] = [await anAccount(), await anAccount()]
    await addApp(guarded.id)
    const pages = await Promise.all(
      [plain, guarded].map(async ({ subject, email }) => {
        const browser = service.browser()
        const { location } = await comeBack(browser, subject)
        const wrong = await browser.submit(LINK, LINK, { password: 'a wrong password' })
        const text = wrong.text.replaceAll(email, 'EMAIL').replaceAll(/name="csrf" value="[^"]*"/g, '')
        return { location, status: wrong.status, text }
      }),
    )
    expect(pages[1]).toEqual(pages[0])
  })
})

describe.each([
  ['an authenticator app', addApp],
  ['a passkey', addPasskey],
])('an account without a password and with %s', (_, addFactor) => {
  test('is not linked by its address, nor by an empty password', async () => {
    const { id, subject } = await anAccount({ password: false })
    await addFactor(id)
    const thief = service.browser()
    expect((await comeBack(thief, subject)).location).toBe(LINK)
    const { status, text } = await thief.open(LINK)
    expect([status, text.includes('Sign in once before you link')]).toEqual([200, true])
    expect((await thief.submit('/sign-in', LINK, { password: '' })).status).toBe(422)
    expect((await thief.open(LINK_SIGNED_IN)).location).toContain('/sign-in?')
    expect([await linkedTo(subject), await callerOf(thief)]).toEqual([null, null])
  })
})

describe('a browser that is signed in', () => {
  test('links only after a recent proof; an old session is not enough', async () => {
    const { id, email, subject } = await anAccount()
    const browser = service.browser()
    await browser.submit('/sign-in', '/sign-in', { email, password: PASSWORD })
    await age(id)
    expect((await comeBack(browser, subject)).location).toBe(LINK_SIGNED_IN)
    const asked = await browser.open(LINK_SIGNED_IN)
    expect(asked.location).toContain('/sign-in/confirm?')
    const forced = await browser.submit('/settings/security', LINK_SIGNED_IN, {})
    expect([forced.status, await linkedTo(subject)]).toEqual([307, null])
    await browser.submit(asked.location ?? '', '/sign-in/confirm', { password: PASSWORD })
    await browser.submit(LINK_SIGNED_IN, LINK_SIGNED_IN, {})
    expect(await linkedTo(subject)).toBe(id)
  })

  test('links neither account if it is signed in to another account, and shows what to do', async () => {
    const [own, other] = [await anAccount(), await anAccount()]
    const browser = service.browser()
    await browser.submit('/sign-in', '/sign-in', { email: other.email, password: PASSWORD })
    expect((await comeBack(browser, own.subject)).location).toBe(LINK)
    expect((await browser.open(LINK_SIGNED_IN)).text).toContain('You are signed in to another account')
    expect((await browser.submit('/settings/security', LINK_SIGNED_IN, {})).status).toBe(400)
    expect(await linkedTo(own.subject)).toBeNull()
  })

  test('links once if the button is pressed ten times at once, with one audit entry', async () => {
    const { id, email, subject } = await anAccount()
    const browser = service.browser()
    await browser.submit('/sign-in', '/sign-in', { email, password: PASSWORD })
    await comeBack(browser, subject)
    const { text } = await browser.open(LINK_SIGNED_IN)
    const csrf = /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? ''
    const press = () => browser.send(LINK_SIGNED_IN, { method: 'POST', body: new URLSearchParams({ csrf }) })
    await Promise.all(Array.from({ length: 10 }, press))
    const rows = await db.sql(
      `select 1 from platform.audit_entries where subject = $1 and action = 'account.identity_linked'`,
      [id],
    )
    expect([rows.length, await linkedTo(subject)]).toEqual([1, id])
  })

  test('400 if no identity waits to be linked, or after ten minutes', async () => {
    const { email, subject } = await anAccount()
    const browser = service.browser()
    await browser.submit('/sign-in', '/sign-in', { email, password: PASSWORD })
    expect((await browser.open(LINK_SIGNED_IN)).status).toBe(400)
    await comeBack(browser, subject)
    clock.advance(600_000)
    expect((await browser.submit('/settings/security', LINK_SIGNED_IN, {})).status).toBe(400)
    expect(await linkedTo(subject)).toBeNull()
  })
})
