import { generateSync } from 'otplib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { movableClock } from '#test/clock.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { quickHasher } from '#test/quick-hasher.ts'
import { createAccount } from '../index.ts'
import { type AccountService, accountService } from '../testing/account-service.ts'
import type { TestBrowser } from '../testing/browser.ts'

const PASSWORD = 'correct horse battery'
const STEP_MS = 30_000

/** In the middle of a step, and moved by the test: each code is used once. */
const clock = movableClock(Math.floor(Date.now() / STEP_MS) * STEP_MS + STEP_MS / 2)

let db: TestDatabase
let service: AccountService
beforeAll(async () => {
  db = await testDatabase()
  service = await accountService(db, { clock })
})
afterAll(async () => {
  await service.close()
  await db.close()
})

async function anAccount() {
  const email = `${newId('account')}@example.org`
  const passwordHash = await quickHasher.hash(PASSWORD)
  const id = await db.databases.platform.transaction((tx) => createAccount(tx, { email, name: 'Ada', passwordHash }))
  return { email, id }
}

const signIn = (browser: TestBrowser, email: string) =>
  browser.submit('/sign-in?return_to=/settings/security', '/sign-in', { email, password: PASSWORD })

const codeAt = (secret: string, ms: number) => generateSync({ secret, epoch: Math.floor(ms / 1_000) })

/** Sets up an authenticator app in a browser that has just signed in. */
async function withApp() {
  const account = await anAccount()
  const browser = service.browser()
  await signIn(browser, account.email)
  const { text } = await browser.open('/settings/security/authenticator')
  const secret = /<code class="whole">([^<]+)</.exec(text)?.[1]?.replaceAll(' ', '') ?? ''
  const shown = await browser.submit('/settings/security/authenticator', '/settings/security/authenticator', {})
  expect(shown.status).toBe(422)
  const ticket = /name="ticket" value="([^"]+)"/.exec(text)?.[1] ?? ''
  const csrf = /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? ''
  const body = new URLSearchParams({ csrf, ticket, code: codeAt(secret, clock.now()) })
  const done = await browser.send('/settings/security/authenticator', { method: 'POST', body })
  expect(done.status).toBe(200)
  const codes = [...done.text.matchAll(/<li><code>([^<]+)</g)].map(([, code = '']) => code)
  clock.advance(STEP_MS)
  return { ...account, browser, secret, codes }
}

describe('an authenticator app', () => {
  test('is in force once a code has confirmed it, and gives ten recovery codes', async () => {
    const { browser, codes } = await withApp()
    expect(codes).toHaveLength(10)
    expect(new Set(codes).size).toBe(10)
    const { text } = await browser.open('/settings/security')
    expect(text).toContain('10 left')
  })

  test('keeps its secret sealed, and the digests of the codes alone', async () => {
    const { secret, codes, id } = await withApp()
    const rows = await db.sql(
      `select t::text as row from platform.account_totp t where account_id = $1
       union all select c::text from platform.account_recovery_codes c where account_id = $1`,
      [id],
    )
    expect(rows).toHaveLength(11)
    const stored = JSON.stringify(rows)
    for (const secretText of [secret, ...codes, ...codes.map((code) => code.replaceAll('-', ''))]) {
      expect(stored).not.toContain(secretText)
      expect(stored).not.toContain(Buffer.from(secretText).toString('hex'))
    }
  })

  test('asks for its code after the password: no session before, one after', async () => {
    const { email, secret } = await withApp()
    const browser = service.browser()
    const first = await signIn(browser, email)
    expect(first.location).toBe('/sign-in/second-step?return_to=%2Fsettings%2Fsecurity')
    expect((await browser.open('/settings/security')).location).toContain('/sign-in?')
    const second = await browser.submit(first.location ?? '', '/sign-in/second-step', {
      code: codeAt(secret, clock.now()),
    })
    expect(second).toMatchObject({ status: 303, location: '/settings/security' })
    expect((await browser.open('/settings/security')).status).toBe(200)
    clock.advance(STEP_MS)
  })

  test('is asked for in a browser that signed in before, too', async () => {
    const { email, browser } = await withApp()
    await browser.submit('/settings/security', '/sign-out', {})
    expect((await signIn(browser, email)).location).toContain('/sign-in/second-step')
  })
})
