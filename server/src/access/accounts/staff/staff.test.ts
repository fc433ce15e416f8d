import { generateSync } from 'otplib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Id, newId } from '#kernel/ids.ts'
import { movableClock } from '#test/clock.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { quickHasher } from '#test/quick-hasher.ts'
import { aStaffMember, type Staff } from '#test/staff.ts'
import { changeStaffRole, createAccount, disableAccount } from '../index.ts'
import { type AccountService, accountService, operatorKeyOf } from '../testing/account-service.ts'
import { hiddenFields, type TestBrowser } from '../testing/browser.ts'

const PASSWORD = 'correct horse battery'
const STEP_MS = 30_000
const clock = movableClock(Math.floor(Date.now() / STEP_MS) * STEP_MS + STEP_MS / 2)

let db: TestDatabase
let service: AccountService
beforeAll(async () => {
  db = await testDatabase()
  service = await accountService(db, { clock })
})
afterAll(async () => {
  await service?.close()
  await db?.close()
})

type Seen = { readonly status: number; readonly reason?: unknown; readonly data?: unknown }

async function ask(path: string, init: RequestInit): Promise<Seen> {
  const response = await fetch(service.url + path, init)
  const { error, data } = (await response.json()) as { error?: { details?: { reason?: unknown } }; data?: unknown }
  return { status: response.status, reason: error?.details?.reason, data }
}

const me = (browser: TestBrowser) => ask('/platform/me', { headers: { cookie: cookieOf(browser) } })
const cookieOf = (browser: TestBrowser) => `portico=${browser.cookies.get('portico')}`

async function aPerson(role: 'support' | 'admin' | null) {
  const email = `${newId('account')}@example.org`
  const passwordHash = await quickHasher.hash(PASSWORD)
  const id = await db.databases.platform.transaction(async (tx) => {
    const made = await createAccount(tx, { email, name: 'Grace', passwordHash })
    if (role !== null) await changeStaffRole(tx, made, { role, actor: 'shell:tester' })
    return made
  })
  const browser = service.browser()
  await signIn(browser, email)
  return { id, email, browser }
}

const signIn = (browser: TestBrowser, email: string) =>
  browser.submit('/sign-in', '/sign-in', { email, password: PASSWORD })

const codeOf = (secret: string) => generateSync({ secret, epoch: Math.floor(clock.now() / 1_000) })

/** Sets up an authenticator app in the person's browser; each code is used once. */
async function setUpApp(browser: TestBrowser): Promise<string> {
  const { text } = await browser.open('/settings/security/authenticator')
  const secret = /<code class="whole">([^<]+)</.exec(text)?.[1]?.replaceAll(' ', '') ?? ''
  const body = new URLSearchParams({ ...hiddenFields(text), code: codeOf(secret) })
  expect((await browser.send('/settings/security/authenticator', { method: 'POST', body })).status).toBe(200)
  clock.advance(STEP_MS)
  return secret
}

const setRole = (id: Id<'account'>, role: 'viewer' | null) =>
  db.databases.platform.transaction((tx) => changeStaffRole(tx, id, { role, actor: 'shell:tester' }))

describe('a person with a staff role', () => {
  test('must have proved a second factor in this session; a password is not enough', async () => {
    const { browser, email } = await aPerson('support')
    expect(await me(browser)).toMatchObject({ status: 403, reason: 'second_factor_required' })
    const secret = await setUpApp(browser)
    expect(await me(browser)).toMatchObject({ status: 403, reason: 'staff_session_ended' })
    const confirm = '/sign-in/confirm'
    expect((await browser.submit(confirm, confirm, { password: PASSWORD })).status).toBe(303)
    expect(await me(browser)).toMatchObject({ status: 403, reason: 'staff_session_ended' })
    expect((await browser.submit(confirm, confirm, { code: codeOf(secret) })).status).toBe(303)
    clock.advance(STEP_MS)
    const attributes = { name: 'Grace', role: 'support', mode: 'live', session_ends_at: expect.any(String) }
    expect(await me(browser)).toMatchObject({ status: 200, data: { type: 'account', attributes } })

    const another = service.browser()
    await signIn(another, email)
    await another.submit('/sign-in/second-step', '/sign-in/second-step', { code: codeOf(secret) })
    clock.advance(STEP_MS)
    expect(await me(another)).toMatchObject({ status: 200 })
  })

  test('is rejected from the next request on, after the role was revoked or the account was disabled', async () => {
    const [dismissed, disabled] = [await aStaff('admin'), await aStaff('admin')]
    expect([await statusOf(dismissed), await statusOf(disabled)]).toEqual([200, 200])
    await setRole(dismissed.account, null)
    await db.databases.platform.transaction((tx) => disableAccount(tx, disabled.account, 'shell:tester'))
    expect([await statusOf(dismissed), await statusOf(disabled)]).toEqual([403, 401])
    await setRole(dismissed.account, 'viewer')
    expect(await read('/platform/staff', dismissed)).toMatchObject({ status: 403, reason: 'role_too_low' })
  })

  test('is rejected after the last factor was removed', async () => {
    const staff = await aStaff('admin')
    await db.sql('delete from platform.account_totp where account_id = $1', [staff.account])
    expect(await read('/platform/me', staff)).toMatchObject({ status: 403, reason: 'second_factor_required' })
  })

  test('cannot continue an ended session by sending another request', async () => {
    const staff = await aStaffMember(db, service.url, { role: 'admin', provenMinutesAgo: 60, seenMinutesAgo: 31 })
    for (const _ of [1, 2, 3]) expect(await statusOf(staff)).toBe(403)
    const [row] = await db.sql<{ idle: boolean }>(
      `select staff_seen_at < now() - interval '30 minutes' as idle from platform.sign_in_sessions where account_id = $1`,
      [staff.account],
    )
    expect(row).toEqual({ idle: true })
  })

  test('stays signed in while working, because each request counts as use', async () => {
    const staff = await aStaffMember(db, service.url, { role: 'admin', provenMinutesAgo: 60, seenMinutesAgo: 29 })
    expect(await statusOf(staff)).toBe(200)
    const seen = () =>
      db.sql(
        `select 1 from platform.sign_in_sessions where account_id = $1 and staff_seen_at > now() - interval '5 minutes'`,
        [staff.account],
      )
    await expect.poll(seen).toHaveLength(1)
  })
})

const aStaff = (role: 'support' | 'admin') => aStaffMember(db, service.url, { role, keys: service.keys })
const read = (path: string, { cookie }: Staff) => ask(path, { headers: { cookie, 'x-portico-reason': 'A%20test' } })
const statusOf = async (staff: Staff) => (await read('/platform/me', staff)).status

describe('/platform/accounts/{id}/staff_role', () => {
  const send = (method: string, id: string, by: Readonly<Record<string, string>>, role?: string) =>
    ask(`/platform/accounts/${id}/staff_role`, {
      method,
      headers: { ...by, 'content-type': 'application/json' },
      ...(role === undefined ? {} : { body: JSON.stringify({ role }) }),
    })

  test('an admin sets, changes and revokes a role; the audit has the admin’s account', async () => {
    const admin = await aStaff('admin')
    const { id } = await aPerson(null)
    expect(await send('PUT', id, admin.headers, 'support')).toMatchObject({
      data: { attributes: { staff_role: 'support' } },
    })
    expect(await send('PUT', id, admin.headers, 'viewer')).toMatchObject({
      data: { attributes: { staff_role: 'viewer' } },
    })
    expect(await read('/platform/staff?per_page=100', admin)).toMatchObject({
      data: expect.arrayContaining([expect.objectContaining({ id })]),
    })
    expect(await send('DELETE', id, admin.headers)).toMatchObject({ data: { attributes: { staff_role: null } } })
    const audit = await db.sql(
      'select actor, action, details from platform.audit_entries where subject = $1 order by id',
      [id],
    )
    const actor = admin.account
    expect(audit).toEqual([
      { actor, action: 'account.staff_role_granted', details: { role: 'support' } },
      { actor, action: 'account.staff_role_granted', details: { role: 'viewer' } },
      { actor, action: 'account.staff_role_revoked', details: {} },
    ])
  })

  test('404 for an unknown account, 422 for a role that does not exist', async () => {
    const { headers } = await aStaff('admin')
    expect((await send('PUT', newId('account'), headers, 'viewer')).status).toBe(404)
    expect((await send('PUT', (await aPerson(null)).id, headers, 'owner')).status).toBe(422)
  })
})

describe('the accounts of the staff', () => {
  test.each([
    ['POST', 'disable'],
    ['POST', 'factors/reset'],
    ['POST', 'unlock'],
    ['POST', 'sign_in_link'],
    ['POST', 'password_link'],
    ['PUT', 'users/live'],
  ])(
    '%s …/%s for an admin’s account: 403 for support, so that support cannot gain the admin’s role; no 403 for an operator key',
    async (method, what) => {
      const support = await aStaff('support')
      const target = await aStaff('admin')
      const path = `/platform/accounts/${target.account}/${what}`
      const body = what === 'users/live' ? JSON.stringify({ user: newId('user') }) : undefined
      const request = (headers: Readonly<Record<string, string>>): RequestInit => ({
        method,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body }),
      })
      expect(await ask(path, request(support.headers))).toMatchObject({ status: 403, reason: 'staff_account' })
      const { key } = await operatorKeyOf(db, 'live')
      const { status } = await ask(path, request({ authorization: `Bearer ${key}` }))
      expect(status).not.toBe(403)
    },
  )

  test('support may change the account of a partner', async () => {
    const support = await aStaff('support')
    const { id } = await aPerson(null)
    const { status } = await ask(`/platform/accounts/${id}/disable`, { method: 'POST', headers: support.headers })
    expect(status).toBe(200)
  })
})
