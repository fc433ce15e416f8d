import { randomBytes } from 'node:crypto'
import { generateSync } from 'otplib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { movableClock } from '#test/clock.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { quickHasher } from '#test/quick-hasher.ts'
import { createAccount, eraseAccount } from '../index.ts'
import { forgetAttemptsOf } from '../sign-in/throttle.ts'
import { type AccountService, accountService, operatorKeyOf } from '../testing/account-service.ts'
import { hiddenFields, type TestBrowser } from '../testing/browser.ts'
import { totpSecrets, withCode } from './codes.ts'
import { asksSecondStep, findFactors, useTicket } from './store.ts'

const PASSWORD = 'correct horse battery'
const STEP_MS = 30_000

/** Begins in the middle of a time step. The tests advance it, because each code works only once. */
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
  test('is in force after the person has entered one of its codes; the person gets ten recovery codes', async () => {
    const { browser, codes } = await withApp()
    expect(codes).toHaveLength(10)
    expect(new Set(codes).size).toBe(10)
    const { text } = await browser.open('/settings/security')
    expect(text).toContain('10 left')
  })

  test('is stored with a sealed secret; recovery codes are stored only as digests', async () => {
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

  test('is needed after the password: the session starts only after a code of the app is entered', async () => {
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

  test('is also needed in a browser that signed in before', async () => {
    const { email, browser } = await withApp()
    await browser.submit('/settings/security', '/sign-out', {})
    expect((await signIn(browser, email)).location).toContain('/sign-in/second-step')
  })
})

/** A browser in which the person has entered the password, but not yet the code. */
async function betweenSteps(email: string) {
  const browser = service.browser()
  await signIn(browser, email)
  return browser
}

const enter = (browser: TestBrowser, code: string) =>
  browser.submit('/sign-in/second-step', '/sign-in/second-step', { code })

const sessionsOf = (id: string) => db.sql('select id from platform.sign_in_sessions where account_id = $1', [id])

describe('of several requests at once, one passes the second step', () => {
  test.each(['code of the app', 'recovery code'])('with the same %s, tried from ten addresses', async (kind) => {
    const { id: account, secret, codes } = await withApp()
    const code = kind === 'recovery code' ? (codes[0] ?? '') : codeAt(secret, clock.now())
    const { platform } = db.databases
    const deps = { platform, keys: service.keys, clock, totp: totpSecrets(service.keys), origin: () => service.url }
    const attempts = Array.from({ length: 10 }, (_, at) =>
      withCode(deps, { account, code, address: `203.0.113.${at}` }, async () => ({ kind: 'in' as const })),
    )
    const kinds = (await Promise.all(attempts)).map((outcome) => outcome.kind)
    expect(kinds.filter((each) => each === 'in')).toHaveLength(1)
    clock.advance(STEP_MS)
  })

  test('with the same ticket or challenge', async () => {
    const hash = randomBytes(32)
    const uses = Array.from({ length: 10 }, () => useTicket(db.databases.platform.reads, hash, 600))
    expect((await Promise.all(uses)).filter((isFirst) => isFirst)).toHaveLength(1)
  })

  test('with the same code of the app, in several browsers', async () => {
    const { email, id, secret, browser: own } = await withApp()
    await own.submit('/settings/security', '/sign-out', {})
    const browsers = await Promise.all(Array.from({ length: 4 }, () => betweenSteps(email)))
    const code = codeAt(secret, clock.now())
    const results = await Promise.all(browsers.map((browser) => enter(browser, code)))
    expect(results.filter(({ status }) => status === 303)).toHaveLength(1)
    expect(await sessionsOf(id)).toHaveLength(1)
    clock.advance(STEP_MS)
  })

  test('with the same recovery code, which is then used up; the person gets a mail', async () => {
    const { email, id, codes, browser: own } = await withApp()
    await own.submit('/settings/security', '/sign-out', {})
    const browsers = await Promise.all(Array.from({ length: 4 }, () => betweenSteps(email)))
    const typed = (codes[0] ?? '').toLowerCase().replaceAll('-', ' ')
    const results = await Promise.all(browsers.map((browser) => enter(browser, typed)))
    expect(results.filter(({ status }) => status === 303)).toHaveLength(1)
    expect(await sessionsOf(id)).toHaveLength(1)
    const left = await db.sql('select hash from platform.account_recovery_codes where account_id = $1', [id])
    expect(left).toHaveLength(9)
    const subjects = (await service.mailsTo(email)).map(({ subject }) => subject)
    expect(subjects.filter((subject) => subject === 'A recovery code was used')).toHaveLength(1)
  })

  test('with the same ticket and different recovery codes', async () => {
    const { email, id, codes, browser: own } = await withApp()
    await own.submit('/settings/security', '/sign-out', {})
    const browser = await betweenSteps(email)
    const { text } = await browser.open('/sign-in/second-step')
    const csrf = /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? ''
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const send = (code: string) =>
      fetch(`${service.url}/sign-in/second-step`, {
        method: 'POST',
        headers: { cookie, origin: service.url },
        body: new URLSearchParams({ csrf, code }),
        redirect: 'manual',
      })
    await Promise.all(codes.slice(0, 5).map(send))
    expect(await sessionsOf(id)).toHaveLength(1)
  })
})

describe('the second step is not passed', () => {
  test('with a code from two steps ago, or a code of another account', async () => {
    const { email, secret } = await withApp()
    const other = await withApp()
    const browser = await betweenSteps(email)
    const codes = [codeAt(secret, clock.now() - 2 * STEP_MS), codeAt(other.secret, clock.now()), other.codes[0] ?? '']
    for (const code of codes) expect((await enter(browser, code)).status).toBe(422)
    expect((await enter(browser, codeAt(secret, clock.now()))).status).toBe(303)
    clock.advance(STEP_MS)
  })

  test('with the code of the previous time step, if that code was used already', async () => {
    const { email, secret } = await withApp()
    clock.advance(STEP_MS / 2)
    const code = codeAt(secret, clock.now() - 1)
    const [first, second] = [await betweenSteps(email), await betweenSteps(email)]
    expect([(await enter(first, code)).status, (await enter(second, code)).status]).toEqual([303, 422])
    clock.advance(STEP_MS / 2)
  })

  test('with a ticket in another browser, or after ten minutes', async () => {
    const { email, secret } = await withApp()
    const browser = await betweenSteps(email)
    const thief = service.browser()
    await thief.open('/sign-in')
    thief.cookies.set('portico-second-step', browser.cookies.get('portico-second-step') ?? '')
    expect((await thief.open('/sign-in/second-step')).location).toContain('/sign-in')
    expect((await browser.open('/sign-in/second-step')).status).toBe(200)
    clock.advance(601_000)
    expect((await browser.open('/sign-in/second-step')).location).toContain('/sign-in')
    const late = await browser.submit('/sign-in', '/sign-in/second-step', { code: codeAt(secret, clock.now()) })
    expect(late.location).toContain('/sign-in')
  })

  test('with a ticket from before the password was changed, or for an account that was disabled', async () => {
    const { email, id, secret } = await withApp()
    const [changed, disabled] = [await betweenSteps(email), await betweenSteps(email)]
    const before = await db.sql<{ password_hash: string }>(
      'select password_hash from platform.accounts where id = $1',
      [id],
    )
    const another = await quickHasher.hash('another password')
    await db.sql('update platform.accounts set password_hash = $2 where id = $1', [id, another])
    expect((await changed.open('/sign-in/second-step')).location).toContain('/sign-in')
    await db.sql('update platform.accounts set password_hash = $2, disabled_at = now() where id = $1', [
      id,
      before[0]?.password_hash ?? '',
    ])
    expect((await enter(disabled, codeAt(secret, clock.now()))).status).toBe(403)
    clock.advance(STEP_MS)
  })

  test('with a ticket of an account that was deleted meanwhile', async () => {
    const { email, id, secret } = await withApp()
    const [shown, entered] = [await betweenSteps(email), await betweenSteps(email)]
    const { csrf = '' } = hiddenFields((await entered.open('/sign-in/second-step')).text)
    const { platform } = db.databases
    await platform.transaction((tx) => eraseAccount(tx, id, { organizations: 0, connections: 0 }))
    const post = { method: 'POST', body: new URLSearchParams({ csrf, code: codeAt(secret, clock.now()) }) }
    for (const response of [
      await shown.open('/sign-in/second-step'),
      await entered.send('/sign-in/second-step', post),
    ]) {
      expect(response).toMatchObject({ status: 303, location: expect.stringMatching(/^\/sign-in(\?|$)/) })
    }
    expect(await sessionsOf(id)).toEqual([])
  })

  test('for an unknown account: the query finds no factors and no password digest', async () => {
    const factors = await findFactors(db.databases.platform.reads, newId('account'))
    expect([asksSecondStep(factors), factors.has_password, factors.password_digest]).toEqual([false, false, ''])
  })

  test('after five wrong codes from an address, until an operator unlocks the account', async () => {
    const { email, id, secret } = await withApp()
    const browser = await betweenSteps(email)
    for (let tries = 0; tries < 5; tries++) expect((await enter(browser, 'ABC')).status).toBe(422)
    const rejected = await enter(browser, codeAt(secret, clock.now()))
    expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^\d+$/)])
    const { platform } = db.databases
    await platform.transaction((tx) => forgetAttemptsOf(tx, service.keys('sign-in'), { id, email }))
    expect((await enter(browser, codeAt(secret, clock.now()))).status).toBe(303)
    clock.advance(STEP_MS)
  })
})

describe('sign-in sessions', () => {
  test('are listed with a mark on this browser; a person ends one session, or all other sessions', async () => {
    const { email } = await anAccount()
    const [own, second, third] = [service.browser(), service.browser(), service.browser()]
    for (const browser of [own, second, third]) await signIn(browser, email)
    const { text } = await own.open('/settings/security')
    expect(text.match(/This browser/g)).toHaveLength(1)
    const [action = ''] = /\/settings\/security\/sessions\/[0-9a-f-]{36}\/end/.exec(text) ?? []
    expect((await own.submit('/settings/security', action, {})).location).toContain('done=session_ended')
    await own.submit('/settings/security', '/settings/security/sessions/end-others', {})
    const statuses = await Promise.all([own, second, third].map((browser) => browser.open('/settings/security')))
    expect(statuses.map(({ status }) => status)).toEqual([200, 303, 303])
  })

  test('cannot be ended by another person', async () => {
    const [ada, bob] = [await anAccount(), await anAccount()]
    const [adas, bobs] = [service.browser(), service.browser()]
    await signIn(adas, ada.email)
    await signIn(bobs, bob.email)
    const [row] = await db.sql<{ id: string }>('select id from platform.sign_in_sessions where account_id = $1', [
      bob.id,
    ])
    await adas.submit('/settings/security', `/settings/security/sessions/${row?.id}/end`, {})
    expect((await bobs.open('/settings/security')).status).toBe(200)
  })

  test('from an unknown browser cause a mail to the person; those from a known browser do not', async () => {
    const { email } = await anAccount()
    const browser = service.browser()
    await signIn(browser, email)
    await browser.submit('/settings/security', '/sign-out', {})
    await signIn(browser, email)
    const subjects = (await service.mailsTo(email)).map(({ subject }) => subject)
    expect(subjects).toEqual(['New sign-in to your account'])
  })
})

describe('a recent proof', () => {
  const makeProofOld = (id: string) =>
    db.sql(`update platform.sign_in_sessions set proven_at = now() - interval '11 minutes' where account_id = $1`, [id])

  test('is needed before a factor is changed; entering the password is a proof', async () => {
    const { email, id } = await anAccount()
    const browser = service.browser()
    await signIn(browser, email)
    await makeProofOld(id)
    const sent = await browser.open('/settings/security/authenticator')
    expect(sent.location).toBe('/sign-in/confirm?return_to=%2Fsettings%2Fsecurity%2Fauthenticator')
    const page = sent.location ?? ''
    expect((await browser.submit(page, '/sign-in/confirm', { password: 'wrong' })).status).toBe(422)
    const confirmed = await browser.submit(page, '/sign-in/confirm', { password: PASSWORD })
    expect(confirmed.location).toBe('/settings/security/authenticator')
    expect((await browser.open('/settings/security/authenticator')).status).toBe(200)
  })

  test('can be a code of the app, which works once', async () => {
    const { id, secret, browser } = await withApp()
    await makeProofOld(id)
    const code = codeAt(secret, clock.now())
    expect((await browser.submit('/sign-in/confirm', '/sign-in/confirm', { code })).status).toBe(303)
    await makeProofOld(id)
    expect((await browser.submit('/sign-in/confirm', '/sign-in/confirm', { code })).status).toBe(422)
    clock.advance(STEP_MS)
  })

  test('is needed for a form too: without a recent proof the form changes nothing', async () => {
    const { id, browser } = await withApp()
    const csrf = /name="csrf" value="([^"]+)"/.exec((await browser.open('/settings/security')).text)?.[1] ?? ''
    await makeProofOld(id)
    const path = '/settings/security/authenticator/remove'
    const removed = await browser.send(path, { method: 'POST', body: new URLSearchParams({ csrf }) })
    expect(removed.location).toContain('/sign-in/confirm')
    expect(await db.sql('select account_id from platform.account_totp where account_id = $1', [id])).toHaveLength(1)
  })
})

test('after the operator has reset the factors, the password alone signs in; the person gets a mail', async () => {
  const { id, email } = await withApp()
  const { key } = await operatorKeyOf(db, 'live')
  const headers = { authorization: `Bearer ${key}` }
  const reset = await fetch(`${service.url}/platform/accounts/${id}/factors/reset`, { method: 'POST', headers })
  expect(reset.status).toBe(200)
  expect((await signIn(service.browser(), email)).location).toBe('/settings/security')
  expect((await service.mailsTo(email)).map(({ subject }) => subject)).toContain('Your sign-in factors were reset')
  const audit = await db.sql(
    `select action from platform.audit_entries where subject = $1 and action = 'account.factors_reset'`,
    [id],
  )
  expect(audit).toHaveLength(1)
})
