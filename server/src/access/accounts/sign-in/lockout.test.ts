import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { keyring } from '#system/crypto/keyring.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { quickHasher } from '#test/quick-hasher.ts'
import { createAccount, type PasswordHash } from '../index.ts'
import { type AccountService, accountService, operatorKeyOf } from '../testing/account-service.ts'
import type { TestBrowser } from '../testing/browser.ts'
import { signInWithPassword } from './sign-in.ts'
import { DEVICE_FAILURES_MAX, deviceCookies, purgeSignIns } from './sign-ins.ts'

const PASSWORD = 'correct horse'
const DEVICE = 'portico-device'

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
  return platformAccount()
}
const platformAccount = async () => {
  const email = `${newId('account')}@example.org`
  const { platform } = db.databases
  const id = await platform.transaction((tx) => createAccount(tx, { email, name: 'Ada', passwordHash: hash }))
  return { id, email }
}
const signIn = (browser: TestBrowser, email: string, password = PASSWORD) =>
  browser.submit('/sign-in', '/sign-in', { email, password })
const isSignedIn = async (browser: TestBrowser) => (await browser.open('/sign-in')).status === 303
const signOut = (browser: TestBrowser) => browser.submit('/sign-in?x', '/sign-out', {})

/** Strangers use up the account's limit: fifty failed attempts from ten addresses. */
const lockOut = async (email: string) => {
  const quick = { ...quickHasher, verify: async () => false }
  for (let i = 0; i < 50; i++) {
    const attempt = { email, password: 'wrong', address: `203.0.113.${i % 10}`, cookieBefore: null }
    const outcome = await signInWithPassword(
      { platform: db.databases.platform, hasher: quick, keys: service.keys, origin: () => service.url },
      attempt,
    )
    expect(outcome).toEqual({ kind: 'wrong' })
  }
}
/** A browser that signed in before and whose session has ended. */
const knownBrowser = async (email: string) => {
  const browser = service.browser()
  expect((await signIn(browser, email)).status).toBe(303)
  browser.cookies.delete('portico')
  return browser
}

describe('a browser that has signed in to the account before', () => {
  test('signs in with the right password while strangers have locked the account', async () => {
    const { email } = await anAccount()
    const browser = await knownBrowser(email)
    await lockOut(email)
    expect((await signIn(service.browser(), email)).status).toBe(429)
    expect((await signIn(browser, email)).status).toBe(303)
    expect(await isSignedIn(browser)).toBe(true)
  })

  test('keeps, for half a year, a sealed cookie that no script can read and that names no person', async () => {
    const { id, email } = await anAccount()
    const browser = service.browser()
    const { headers } = await signIn(browser, email)
    const set = headers.getSetCookie().filter((cookie) => cookie.startsWith(DEVICE))
    expect(set).toEqual([
      expect.stringMatching(/^portico-device=[\w-]+; Path=\/; Max-Age=15552000; HttpOnly; SameSite=Lax$/),
    ])
    const plain = Buffer.from(browser.cookies.get(DEVICE) ?? '', 'base64url').toString('latin1')
    expect(plain).not.toContain(id)
    const rows = await db.sql<{ row: string }>('select d::text as row from platform.sign_in_devices d')
    expect(JSON.stringify(rows)).not.toContain(browser.cookies.get(DEVICE))
  })

  test('may send five wrong passwords; then it counts as a stranger and is rejected while the account is locked', async () => {
    const { email } = await anAccount()
    const browser = await knownBrowser(email)
    await lockOut(email)
    for (let i = 0; i < DEVICE_FAILURES_MAX; i++) expect((await signIn(browser, email, 'wrong')).status).toBe(422)
    expect((await signIn(browser, email)).status).toBe(429)
  })

  test('uses up none of its five attempts by a confirmation with the right password', async () => {
    const { email } = await anAccount()
    const browser = service.browser()
    await signIn(browser, email)
    for (let i = 0; i <= DEVICE_FAILURES_MAX; i++) {
      const confirmed = await browser.submit('/sign-in/confirm', '/sign-in/confirm', { password: PASSWORD })
      expect(confirmed.status).toBe(303)
    }
    browser.cookies.delete('portico')
    await lockOut(email)
    expect((await signIn(browser, email)).status).toBe(303)
  })

  test('gets exactly five of sixteen concurrent guesses verified', async () => {
    const { id, email } = await anAccount()
    const browser = await knownBrowser(email)
    await lockOut(email)
    let verified = 0
    const counting = { ...quickHasher, verify: async () => ++verified < 0 }
    const devices = deviceCookies(service.keys, () => false).read(`${DEVICE}=${browser.cookies.get(DEVICE)}`)
    expect(devices.map(({ account }) => account)).toEqual([id])
    const deps = { platform: db.databases.platform, hasher: counting, keys: service.keys, origin: () => service.url }
    const attempt = { email, password: 'x', address: '198.51.100.7', cookieBefore: null, devices }
    await Promise.all(Array.from({ length: 16 }, () => signInWithPassword(deps, attempt)))
    expect(verified).toBe(DEVICE_FAILURES_MAX)
  })

  test('gets five attempts again after it has signed in; a copy of its earlier cookie gets none', async () => {
    const { email } = await anAccount()
    const browser = await knownBrowser(email)
    const stolen = browser.cookies.get(DEVICE) ?? ''
    await lockOut(email)
    for (let i = 0; i < DEVICE_FAILURES_MAX - 1; i++) await signIn(browser, email, 'wrong')
    expect((await signIn(browser, email)).status).toBe(303)
    browser.cookies.delete('portico')
    const thief = service.browser()
    thief.cookies.set(DEVICE, stolen)
    expect((await signIn(thief, email)).status).toBe(429)
    for (let i = 0; i < DEVICE_FAILURES_MAX; i++) expect((await signIn(browser, email, 'wrong')).status).toBe(422)
  })

  test('cannot sign in to another account that strangers have locked', async () => {
    const [mine, other] = [await anAccount(), await anAccount()]
    const browser = await knownBrowser(mine.email)
    await lockOut(other.email)
    expect((await signIn(browser, other.email)).status).toBe(429)
  })

  test('is a known browser for the last five accounts that signed in with it', async () => {
    const people = await Promise.all(Array.from({ length: 6 }, () => anAccount()))
    const browser = service.browser()
    for (const { email } of people) {
      expect((await signIn(browser, email)).status).toBe(303)
      await signOut(browser)
      browser.cookies.delete('portico')
    }
    const [first, second] = people
    if (first === undefined || second === undefined) throw new Error('no accounts')
    await lockOut(first.email)
    expect((await signIn(browser, first.email)).status).toBe(429)
    await db.sql('delete from platform.sign_in_attempts')
    await lockOut(second.email)
    expect((await signIn(browser, second.email)).status).toBe(303)
  })

  test.each([
    ['that was not sealed by us', () => 'A'.repeat(200)],
    ['that is empty', () => ''],
    ['that is too long', () => 'A'.repeat(6_000)],
    [
      'sealed with another secret',
      () => {
        const cookie = deviceCookies(keyring('x'.repeat(64)), () => false).write([])
        return /=([^;]*)/.exec(cookie)?.[1] ?? ''
      },
    ],
  ])('is not recognized if its cookie is one %s', async (_, value) => {
    const { email } = await anAccount()
    await lockOut(email)
    const browser = service.browser()
    browser.cookies.set(DEVICE, value())
    expect((await signIn(browser, email)).status).toBe(429)
  })

  test('is no longer recognized after half a year, and its row is purged', async () => {
    const { id, email } = await anAccount()
    const browser = await knownBrowser(email)
    await db.sql(
      `update platform.sign_in_devices set created_at = now() - interval '181 days', expires_at = now() where account_id = $1`,
      [id],
    )
    await lockOut(email)
    expect((await signIn(browser, email)).status).toBe(429)
    await db.databases.platform.transaction((tx) => purgeSignIns(tx, 1_000))
    expect(await db.sql('select 1 from platform.sign_in_devices where account_id = $1', [id])).toEqual([])
  })

  test('cannot sign in to a disabled account', async () => {
    const { id, email } = await anAccount()
    const browser = await knownBrowser(email)
    await db.sql('update platform.accounts set disabled_at = now() where id = $1', [id])
    expect((await signIn(browser, email)).status).toBe(403)
  })
})

describe('strangers', () => {
  test('get no further guess when the owner signs in with a known browser', async () => {
    const { email } = await anAccount()
    const browser = await knownBrowser(email)
    await lockOut(email)
    for (let i = 0; i < 3; i++) {
      expect((await signIn(browser, email)).status).toBe(303)
      browser.cookies.delete('portico')
    }
    expect((await signIn(service.browser(), email)).status).toBe(429)
  })
})

describe('an operator’s sign-in link', () => {
  test('signs the owner in with any browser while the account is locked, and makes that browser a known browser', async () => {
    const { id, email } = await anAccount()
    await lockOut(email)
    const { key } = await operatorKeyOf(db, 'live')
    const response = await fetch(`${service.url}/platform/accounts/${id}/sign_in_link`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
    })
    const { data } = (await response.json()) as { data: { attributes: { url: string } } }
    const path = new URL(data.attributes.url).pathname
    const browser = service.browser()
    expect((await browser.submit(path, path, {})).status).toBe(303)
    expect(await isSignedIn(browser)).toBe(true)
    browser.cookies.delete('portico')
    expect((await signIn(browser, email)).status).toBe(303)
  })
})

describe('POST /platform/accounts/{id}/unlock', () => {
  const unlock = async (id: string) => {
    const { key } = await operatorKeyOf(db, 'live')
    const headers = { authorization: `Bearer ${key}` }
    const result = await fetch(`${service.url}/platform/accounts/${id}/unlock`, { method: 'POST', headers })
    expect(result.status).toBe(200)
  }

  test('lets the owner of a locked account sign in at once; more wrong passwords lock the account again', async () => {
    const { id, email } = await anAccount()
    for (let round = 0; round < 2; round++) {
      await lockOut(email)
      expect((await signIn(service.browser(), email)).status).toBe(429)
      await unlock(id)
      expect((await signIn(service.browser(), email)).status).toBe(303)
    }
    const stranger = service.browser()
    for (let wrong = 0; wrong < 5; wrong++) expect((await signIn(stranger, email, 'wrong')).status).toBe(422)
    expect((await signIn(stranger, email)).status).toBe(429)
    const audited = await db.sql('select from platform.audit_entries where subject = $1 and action = $2', [
      id,
      'account.unlocked',
    ])
    expect(audited).toHaveLength(2)
  })

  test('unlocks only this account, and a wrong password is still rejected', async () => {
    const { id, email } = await anAccount()
    const other = await platformAccount()
    await lockOut(email)
    await lockOut(other.email)
    await unlock(id)
    expect((await signIn(service.browser(), other.email)).status).toBe(429)
    expect((await signIn(service.browser(), email, 'wrong')).status).toBe(422)
  })

  test('404 for an unknown account', async () => {
    const { key } = await operatorKeyOf(db, 'live')
    const path = `/platform/accounts/${newId('account')}/unlock`
    const result = await fetch(service.url + path, { method: 'POST', headers: { authorization: `Bearer ${key}` } })
    expect(result.status).toBe(404)
  })
})
