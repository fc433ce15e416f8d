import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { quickHasher } from '#test/quick-hasher.ts'
import { createAccount } from '../index.ts'
import { type AccountService, accountService, operatorKeyOf } from '../testing/account-service.ts'
import { hiddenFields, type TestBrowser } from '../testing/browser.ts'

const PASSWORD = 'lantern over a quiet harbour'
const NEW_PASSWORD = 'seven geese above the mill'

const CHANGED = 'Your password for Wefunder was changed'
let db: TestDatabase
let service: AccountService
beforeAll(async () => {
  db = await testDatabase()
  service = await accountService(db)
})
afterAll(async () => {
  await service.close()
  await db.close()
})
/** All mail requests come from one network address, which may cause fifty mails an hour. So earlier counts are deleted. */
beforeEach(() => db.sql('delete from platform.sign_in_attempts'))

const anAddress = () => `${newId('account').slice(5)}@example.org`
const anAccount = async ({
  password = PASSWORD,
  email = anAddress(),
}: {
  password?: string | null
  email?: string
} = {}) => {
  const passwordHash = password === null ? null : await quickHasher.hash(password)
  const id = await db.databases.platform.transaction((tx) => createAccount(tx, { email, name: 'Ada', passwordHash }))
  return { id, email }
}
const signIn = async (email: string, password = PASSWORD) => {
  const browser = service.browser()
  const { status } = await browser.submit('/sign-in', '/sign-in', { email, password })
  return { browser, status }
}
const isSignedIn = async (browser: TestBrowser) => (await browser.open('/sign-in')).status === 303
const disable = (id: string) => db.sql('update platform.accounts set disabled_at = now() where id = $1', [id])
const emailOf = async (id: string) =>
  (await db.sql<{ email: string }>('select email from platform.accounts where id = $1', [id]))[0]?.email
const linksOf = (id: string) =>
  db.sql<{ purpose: string }>('select purpose from platform.account_links where account_id = $1', [id])
const expire = (id: string) =>
  db.sql(
    `update platform.account_links set created_at = now() - interval '2 days', expires_at = now() where account_id = $1`,
    [id],
  )
/** Presses the button of one page ten times at once. */
const pressTenTimes = async (browser: TestBrowser, link: string, fields: Readonly<Record<string, string>>) => {
  const { csrf = '' } = hiddenFields((await browser.open(link)).text)
  const press = () => browser.send(link, { method: 'POST', body: new URLSearchParams({ csrf, ...fields }) })
  const outcomes = await Promise.all(Array.from({ length: 10 }, press))
  return outcomes.map(({ status }) => status).sort()
}
/** The response to a request, with the address removed, and the statements and hashes that the request caused. */
const seen = async (browser: TestBrowser, page: string, fields: Readonly<Record<string, string>>) => {
  const { csrf = '' } = hiddenFields((await browser.open(page)).text)
  service.work()
  const { status, text } = await browser.send(page, { method: 'POST', body: new URLSearchParams({ csrf, ...fields }) })
  return { status, text: text.replaceAll(fields['email'] ?? '', 'ADDRESS'), work: service.work() }
}

describe('POST /forgot-password', () => {
  const forget = (email: string) => service.browser().submit('/forgot-password', '/forgot-password', { email })

  test('mails a link with which the person sets a new password; the new password ends every session and link', async () => {
    const { id, email } = await anAccount()
    const { browser: elsewhere } = await signIn(email)
    expect((await forget(email)).status).toBe(200)
    const link = await service.linkTo(email)
    expect(link).toMatch(/^\/sign-in\/link\/[\w-]{43}$/)
    const browser = service.browser()
    const page = await browser.open(link)
    expect(page.text).toContain('Set a password')
    expect(page.text).toContain('This signs every browser out of this account and ends its command lines.')
    expect(await isSignedIn(elsewhere)).toBe(true)

    const used = await browser.submit(link, link, { password: NEW_PASSWORD })
    expect(used.status).toBe(200)
    expect(used.text).toContain('Every browser was signed out of your account, and your command lines ended.')
    expect(used.text).toContain('Sign in with the new password')
    // Access to the mailbox alone starts no session.
    expect([await isSignedIn(browser), await isSignedIn(elsewhere)]).toEqual([false, false])
    expect([(await signIn(email)).status, (await signIn(email, NEW_PASSWORD)).status]).toEqual([422, 303])
    expect(await linksOf(id)).toEqual([])
    expect((await service.mailsTo(email)).map(({ subject }) => subject)).toContain(CHANGED)
    expect((await browser.open(link)).status).toBe(410)
  })

  test('does the same work and sends the same response for an active account, a disabled account, an account without a password, and an unknown address', async () => {
    const known = await anAccount()
    const disabled = await anAccount()
    await disable(disabled.id)
    const elsewhere = await anAccount({ password: null })
    const all: Awaited<ReturnType<typeof seen>>[] = []
    for (const email of [known.email, disabled.email, elsewhere.email, anAddress()]) {
      all.push(await seen(service.browser(), '/forgot-password', { email }))
    }
    const [first] = all
    for (const each of all) expect(each).toEqual(first)
    expect(first?.work).toContain('mails.insert')
    expect(first?.work).not.toContain('hash')
  })

  test('mails no link to an address without an account, or with a disabled account', async () => {
    const unknown = anAddress()
    await forget(unknown)
    const [mail] = await service.mailsTo(unknown)
    expect(mail?.text).toContain('No account has this address')
    expect(mail?.text).not.toContain('/sign-in/link/')
    const { id, email } = await anAccount()
    await disable(id)
    await forget(email)
    expect((await service.mailsTo(email))[0]?.text).toContain('switched off')
    expect(await linksOf(id)).toEqual([])
  })

  test('a link does nothing if it is expired, was replaced, or has another purpose, or if the account is disabled', async () => {
    const { id, email } = await anAccount()
    await forget(email)
    const first = await service.linkTo(email)
    await forget(email)
    const second = await service.linkTo(email)
    expect(second).not.toBe(first)
    const browser = service.browser()
    expect((await browser.open(first)).status).toBe(410)
    expect((await browser.open(second.replace('/sign-in/link', '/confirm-email'))).status).toBe(410)
    expect((await browser.open(second.replace('/sign-in/link', '/sign-up/link'))).status).toBe(410)
    expect((await browser.open(second)).status).toBe(200)
    await disable(id)
    expect((await browser.open(second)).status).toBe(410)
    await db.sql('update platform.accounts set disabled_at = null where id = $1', [id])
    await expire(id)
    expect((await browser.open(second)).status).toBe(410)
    expect((await signIn(email)).status).toBe(303)
  })

  test('a link used ten times at once sets one password', async () => {
    const { email } = await anAccount()
    await forget(email)
    const link = await service.linkTo(email)
    const fields = { password: NEW_PASSWORD }
    expect(await pressTenTimes(service.browser(), link, fields)).toEqual([200, ...Array(9).fill(410)])
    const notices = (await service.mailsTo(email)).filter(({ subject }) => subject.includes('was changed'))
    expect(notices).toHaveLength(1)
  })

  test('422 for an invalid address, 429 after five requests an hour, 403 if the service sends no mail', async () => {
    expect((await forget('ada')).status).toBe(422)
    const email = anAddress()
    const statuses: number[] = []
    for (let at = 0; at < 6; at++) statuses.push((await forget(email)).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
    const other = await accountService(db, { settings: { mail: false } })
    try {
      expect((await other.browser().open('/forgot-password')).status).toBe(403)
      expect((await other.browser().open('/sign-in')).text).not.toContain('/forgot-password')
    } finally {
      await other.close()
    }
  })
})

describe('POST /settings/password', () => {
  const change = (browser: TestBrowser, current: string, password = NEW_PASSWORD) =>
    browser.submit('/settings/password', '/settings/password', { current, password })

  test('changes the password, signs out all other browsers, ends links, and mails the person', async () => {
    const { id, email } = await anAccount()
    const [{ browser }, { browser: other }] = [await signIn(email), await signIn(email)]
    await service.browser().submit('/forgot-password', '/forgot-password', { email })
    const lead = 'This signs you out of every other browser and ends your command lines.'
    expect((await browser.open('/settings/password')).text).toContain(lead)
    const changed = await change(browser, PASSWORD)
    expect([changed.status, changed.location]).toEqual([303, '/settings/password?changed=yes'])
    const { text } = await browser.open('/settings/password?changed=yes')
    expect(text).toContain('Your password was changed')
    expect(text).toContain('signed out of every other browser, and your command lines ended')
    expect([await isSignedIn(browser), await isSignedIn(other)]).toEqual([true, false])
    expect([(await signIn(email)).status, (await signIn(email, NEW_PASSWORD)).status]).toEqual([422, 303])
    expect(await linksOf(id)).toEqual([])
    const notice = (await service.mailsTo(email)).find(({ subject }) => subject === CHANGED)
    expect(notice?.text).toContain('Other browsers were signed out, and your command lines ended.')
    const actions = await db.sql<{ action: string }>('select action from platform.audit_entries where subject = $1', [
      id,
    ])
    expect(actions.map(({ action }) => action)).toContain('account.password_changed')
  })

  test('422 with a message beside the field for a wrong current password or a bad new password; nothing changes', async () => {
    const { email } = await anAccount()
    const { browser } = await signIn(email)
    const wrong = await change(browser, 'not the current one')
    expect([wrong.status, wrong.text.includes('This is not your current password')]).toEqual([422, true])
    expect((await change(browser, PASSWORD, 'short')).status).toBe(422)
    expect((await change(browser, '')).status).toBe(422)
    expect((await signIn(email)).status).toBe(303)
  })

  test('429 after too many wrong passwords, also for the right password', async () => {
    const { email } = await anAccount()
    const { browser } = await signIn(email)
    const statuses: number[] = []
    for (let at = 0; at < 11; at++) statuses.push((await change(browser, 'not the current one')).status)
    expect(statuses.at(-1)).toBe(429)
    expect((await change(browser, PASSWORD)).status).toBe(429)
  })

  test('a signed-out person is redirected to the sign-in page; for an account without a password the page offers a link instead of the form', async () => {
    const stranger = service.browser()
    expect((await stranger.open('/settings/password')).location).toContain('/sign-in')
    const { id, email } = await anAccount()
    const { browser } = await signIn(email)
    await db.sql('update platform.accounts set password_hash = null where id = $1', [id])
    const page = await browser.open('/settings/password')
    expect(page.text).toContain('This account has no password')
    expect((await change(browser, PASSWORD)).status).toBe(422)
    expect((await browser.submit('/settings/password', '/forgot-password', {})).status).toBe(200)
    expect(await service.linkTo(email)).toContain('/sign-in/link/')
  })
})

describe('POST /settings/email', () => {
  const ask = (browser: TestBrowser, email: string, current = PASSWORD) =>
    browser.submit('/settings/email', '/settings/email', { email, current })

  test('the address changes only when the link mailed to the new address is used; the old address gets a notice of the request and of the change', async () => {
    const { id, email } = await anAccount()
    const { browser } = await signIn(email)
    const wanted = anAddress()
    expect((await ask(browser, wanted)).status).toBe(200)
    expect(await emailOf(id)).toBe(email)
    expect((await service.mailsTo(email)).at(-1)?.text).toContain(wanted)
    const link = await service.linkTo(wanted)
    expect(link).toMatch(/^\/confirm-email\/[\w-]{43}$/)
    const phone = service.browser()
    expect((await phone.open(link)).text).toContain(wanted)
    expect(await emailOf(id)).toBe(email)
    expect((await phone.submit(link, link, {})).status).toBe(200)
    expect(await emailOf(id)).toBe(wanted)
    expect([(await signIn(email)).status, (await signIn(wanted)).status]).toEqual([422, 303])
    expect((await service.mailsTo(email)).at(-1)?.subject).toContain('was changed')
    expect(await isSignedIn(phone)).toBe(false)
  })

  test('a right password is not counted as a failed attempt', async () => {
    const { email } = await anAccount()
    const { browser } = await signIn(email)
    const counted = async () => {
      const rows = await db.sql<{ bucket: Buffer }>('select bucket from platform.sign_in_attempts where attempts > 0')
      return rows.map(({ bucket }) => bucket.toString('hex'))
    }
    // Makes this browser unknown again, because a known browser has a count of its own.
    await db.sql('delete from platform.sign_in_devices')
    await db.sql('delete from platform.sign_in_attempts')
    expect((await ask(browser, anAddress(), 'not the current one')).status).toBe(422)
    const ofPasswords = new Set(await counted())
    expect(ofPasswords.size).toBeGreaterThan(0)
    await db.sql('delete from platform.sign_in_attempts')
    expect((await ask(browser, anAddress())).status).toBe(200)
    expect((await counted()).filter((bucket) => ofPasswords.has(bucket))).toEqual([])
  })

  test('does the same work and sends the same response, whether another account has the address or not', async () => {
    const { email } = await anAccount()
    const other = await anAccount()
    const { browser } = await signIn(email)
    const taken = await seen(browser, '/settings/email', { email: other.email, current: PASSWORD })
    const free = await seen(browser, '/settings/email', { email: anAddress(), current: PASSWORD })
    expect(taken).toEqual(free)
    expect(taken.status).toBe(200)
    expect(taken.work.filter((each) => each === 'hash')).toHaveLength(1)
    const [mail] = await service.mailsTo(other.email)
    expect(mail?.text).toContain('It has an account already')
    expect(mail?.text).not.toContain('/confirm-email/')
  })

  test('a link does nothing if another account got the address, if it is expired or was replaced, or if the account is disabled', async () => {
    const { id, email } = await anAccount()
    const { browser } = await signIn(email)
    const [first, second] = [anAddress(), anAddress()]
    await ask(browser, first)
    const replaced = await service.linkTo(first)
    await ask(browser, second)
    const link = await service.linkTo(second)
    expect((await browser.open(replaced)).status).toBe(410)
    expect((await browser.open(link.replace('/confirm-email', '/sign-in/link'))).status).toBe(410)
    await disable(id)
    expect((await browser.open(link)).status).toBe(410)
    await db.sql('update platform.accounts set disabled_at = null where id = $1', [id])
    const owner = service.browser()
    const { csrf = '' } = hiddenFields((await owner.open(link)).text)
    await anAccount({ email: second.toUpperCase() })
    expect((await owner.send(link, { method: 'POST', body: new URLSearchParams({ csrf }) })).status).toBe(410)
    expect(await emailOf(id)).toBe(email)
    await expire(id)
    expect((await browser.open(link)).status).toBe(410)
  })

  test('a link used ten times at once changes the address once', async () => {
    const { id, email } = await anAccount()
    const { browser } = await signIn(email)
    const wanted = anAddress()
    await ask(browser, wanted)
    const link = await service.linkTo(wanted)
    expect(await pressTenTimes(service.browser(), link, {})).toEqual([200, ...Array(9).fill(410)])
    expect(await emailOf(id)).toBe(wanted)
    expect((await service.mailsTo(email)).filter(({ subject }) => subject.includes('was changed'))).toHaveLength(1)
  })

  test('422 for a wrong password, the account’s own address, a lookalike address or two lines; no mail is sent', async () => {
    const { email } = await anAccount()
    const { browser } = await signIn(email)
    const wanted = anAddress()
    expect((await ask(browser, wanted, 'not the current one')).status).toBe(422)
    expect((await ask(browser, wanted, '')).status).toBe(422)
    expect((await ask(browser, email.toUpperCase())).status).toBe(422)
    expect((await ask(browser, '\u0430da@example.org')).status).toBe(422)
    expect((await ask(browser, `${wanted}\r\nBcc: eve@example.org`)).status).toBe(422)
    expect(await service.mailsTo(wanted)).toEqual([])
  })
})

test('PUT /platform/accounts/{id}/password mails the owner that the password was changed', async () => {
  const { id, email } = await anAccount()
  const { key } = await operatorKeyOf(db, 'live')
  const response = await fetch(`${service.url}/platform/accounts/${id}/password`, {
    ...{ method: 'PUT', body: JSON.stringify({ password: NEW_PASSWORD }) },
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  })
  expect(response.status).toBe(200)
  expect((await service.mailsTo(email)).map(({ subject }) => subject)).toEqual([
    'Your password for Wefunder was changed',
  ])
})
