import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { quickHasher } from '#test/quick-hasher.ts'
import { createAccount } from '../index.ts'
import { purgeSignIns } from '../sign-in/sign-ins.ts'
import { type AccountService, accountService } from '../testing/account-service.ts'
import { hiddenFields, type TestBrowser } from '../testing/browser.ts'

const PASSWORD = 'lantern over a quiet harbour'

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
/** All sign-ups of this file come from one network address, which may cause fifty mails an hour. So earlier counts are deleted. */
beforeEach(() => db.sql('delete from platform.sign_in_attempts'))

const anAddress = () => `${newId('account').slice(5)}@example.org`
const anAccount = async (email = anAddress()) => {
  const passwordHash = await quickHasher.hash(PASSWORD)
  const id = await db.databases.platform.transaction((tx) => createAccount(tx, { email, name: 'Ada', passwordHash }))
  return { id, email }
}
const signUp = (browser: TestBrowser, fields: Readonly<Record<string, string>>, page = '/sign-up') =>
  browser.submit(page, '/sign-up', { name: 'Ada', password: PASSWORD, ...fields })
const signIn = (email: string, password = PASSWORD) =>
  service.browser().submit('/sign-in', '/sign-in', { email, password })
const accountsWith = (email: string) =>
  db.sql<{ id: string; name: string; staff_role: string | null }>(
    'select id, name, staff_role from platform.accounts where lower(email) = lower($1)',
    [email],
  )
const waiting = (email: string) => db.sql('select hash from platform.sign_ups where email = $1', [email])

describe('POST /sign-up', () => {
  test('sends a mail; its link creates the account, signs this browser in and redirects to the requested page', async () => {
    const [browser, email] = [service.browser(), anAddress()]
    const sent = await signUp(browser, { email }, '/sign-up?return_to=%2Fsettings%2Fapps%3Fa%3D1')
    expect(sent.status).toBe(200)
    expect(sent.text).toContain(email)
    expect(sent.text).not.toContain('/demo/mail')
    expect(await accountsWith(email)).toEqual([])
    expect((await signIn(email)).status).toBe(422)

    const link = await service.linkTo(email)
    expect(link).toMatch(/^\/sign-up\/link\/[\w-]{43}$/)
    const opened = await browser.open(link)
    expect(opened.status).toBe(200)
    expect(opened.text).not.toContain('type="password"')
    // A mail scanner opens the link too. Opening a link does not use it up.
    expect((await service.browser().open(link)).status).toBe(200)
    expect(await accountsWith(email)).toEqual([])

    const used = await browser.submit(link, link, {})
    expect([used.status, used.location]).toEqual([303, '/settings/apps?a=1'])
    expect((await browser.open('/sign-in')).status).toBe(303)
    expect(await accountsWith(email)).toMatchObject([{ name: 'Ada', staff_role: null }])
    expect((await signIn(email)).status).toBe(303)
    expect(await waiting(email)).toEqual([])
  })

  test('lists the session of a new account with its browser', async () => {
    const [browser, email] = [service.browser(), anAddress()]
    await signUp(browser, { email })
    const link = await service.linkTo(email)
    const { csrf = '' } = hiddenFields((await browser.open(link)).text)
    const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0' }
    expect((await browser.send(link, { method: 'POST', body: new URLSearchParams({ csrf }), headers })).status).toBe(
      303,
    )
    expect((await browser.open('/settings/security')).text).toContain('Firefox on Linux')
  })

  test('does the same work and sends the same response, whether the address has an account or not', async () => {
    const { email: known } = await anAccount(`known-${anAddress()}`)
    const unknown = `other-${anAddress()}`
    const ask = async (email: string) => {
      const browser = service.browser()
      const { csrf = '' } = hiddenFields((await browser.open('/sign-up')).text)
      service.work()
      const body = new URLSearchParams({ csrf, name: 'Ada', email, password: PASSWORD })
      const { status, text, headers } = await browser.send('/sign-up', { method: 'POST', body })
      const lengths = [headers.get('content-type'), headers.get('content-security-policy')]
      return { status, text: text.replaceAll(email, 'ADDRESS'), work: service.work(), lengths }
    }
    const [first, second] = [await ask(known), await ask(unknown)]
    expect(first).toEqual(second)
    expect(first.work.filter((each) => each === 'hash')).toHaveLength(1)
    expect(first.work).toContain('mails.insert')
    expect(first.work).toContain('sign_ups.insert')
  })

  test('does the same work for a sign-up with a passkey, whether the address has an account or not', async () => {
    const other = await accountService(db, { host: 'localhost' })
    const { email: known } = await anAccount(`known-${anAddress()}`)
    const ask = async (email: string) => {
      const browser = other.browser()
      const { csrf = '' } = hiddenFields((await browser.open('/sign-up')).text)
      other.work()
      const body = new URLSearchParams({ csrf, name: 'Ada', email, password: '', way: 'passkey' })
      const { status, text } = await browser.send('/sign-up', { method: 'POST', body })
      return { status, text: text.replaceAll(email, 'ADDRESS'), work: other.work() }
    }
    const [first, second] = [await ask(known), await ask(`other-${anAddress()}`)]
    expect(first).toEqual(second)
    expect([first.status, first.work.includes('mails.insert')]).toEqual([200, true])
    await other.close()
  })

  test('does not offer a passkey if the service’s address is one at which passkeys do not work', async () => {
    const [browser, email] = [service.browser(), anAddress()]
    expect((await browser.open('/sign-up')).text).not.toContain('Use a passkey instead')
    expect((await signUp(browser, { email, password: '', way: 'passkey' })).status).toBe(422)
    expect(await waiting(email)).toEqual([])
  })

  test('sends a mail without a sign-up link to an address with an account, and changes nothing', async () => {
    const { id, email } = await anAccount()
    await signUp(service.browser(), { email, password: 'a stranger chose this one' })
    const [mail] = await service.mailsTo(email)
    expect(mail?.subject).toBe('You already have an account at Wefunder')
    expect(mail?.text).not.toContain('/sign-up/link/')
    expect(await accountsWith(email)).toMatchObject([{ id }])
    expect((await signIn(email, 'a stranger chose this one')).status).toBe(422)
  })

  test('stores no token: a person who reads the mail queue and the table of sign-ups cannot open the link', async () => {
    const email = anAddress()
    await signUp(service.browser(), { email })
    const [row] = await db.sql<{ text: string }>(
      `select (select string_agg(m::text, '') from platform.mails m) || (select string_agg(s::text, '') from platform.sign_ups s) as text`,
    )
    const token = (await service.linkTo(email)).split('/').at(-1) ?? ''
    expect(token).toHaveLength(43)
    expect(row?.text).toContain(email)
    expect(row?.text).not.toContain(token)
  })

  test.each([
    ['an empty name', { name: ' ' }, 'Enter your name.'],
    ['a web address as the name', { name: 'Prize: evil.example/win' }, 'Enter a name without a web address.'],
    ['a domain alone as the name', { name: 'evil.example' }, 'Enter a name without a web address.'],
    ['a name of two lines', { name: 'Ada\r\nBcc: all@example.org' }, 'Enter a name of one line'],
    ['a name that changes the writing direction', { name: 'Ada\u202Egro.live' }, 'Enter a name of one line'],
    ['no address', { email: 'ada' }, 'Enter an email address'],
    ['two addresses', { email: 'ada@example.org,eve@example.org' }, 'Enter an email address'],
    ['a header in the address', { email: 'ada@example.org\r\nBcc:eve@example.org' }, 'Enter an email address'],
    ['a lookalike address', { email: '\u0430da@example.org' }, 'letters that look like others'],
    ['a lookalike domain', { email: 'ada@xn--80ak6aa92e.com' }, 'letters that look like others'],
    ['a short password', { password: 'short' }, 'Choose a password of'],
    ['no password', { password: '' }, 'Choose a password.'],
  ])('422 for %s, with a message beside the field; no mail is sent', async (_, wrong, sentence) => {
    const email = anAddress()
    const { status, text } = await signUp(service.browser(), { email, ...wrong })
    expect(status).toBe(422)
    expect(text).toContain(sentence)
    expect(await service.mailsTo(email)).toEqual([])
    expect(await waiting(email)).toEqual([])
  })

  test('shows the typed name as text, and puts no part of it into the mail', async () => {
    const [browser, email] = [service.browser(), anAddress()]
    const name = '<img src=x onerror=alert(1)> call 555-0100'
    const again = await signUp(browser, { email, name, password: '' })
    expect(again.text).not.toContain('<img')
    await signUp(browser, { email, name })
    const [mail] = await service.mailsTo(email)
    for (const part of [mail?.subject, mail?.text, mail?.html]) expect(part).not.toContain('555-0100')
    const link = await service.linkTo(email)
    expect((await browser.open(link)).text).not.toContain('<img')
  })

  test('429 after five sign-ups an hour for one address from one network address; no sixth mail is sent', async () => {
    const [browser, email] = [service.browser(), anAddress()]
    const statuses: number[] = []
    for (let at = 0; at < 6; at++) statuses.push((await signUp(browser, { email })).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
    expect(await service.mailsTo(email)).toHaveLength(5)
  })

  test('403 for a form without the CSRF token, such as a form of another site', async () => {
    const body = new URLSearchParams({ name: 'Ada', email: anAddress(), password: PASSWORD })
    expect((await service.browser().send('/sign-up', { method: 'POST', body })).status).toBe(403)
  })
})

describe('the link of a sign-up', () => {
  const requested = async (fields: Readonly<Record<string, string>> = {}) => {
    const [browser, email] = [service.browser(), anAddress()]
    await signUp(browser, { email, ...fields })
    return { browser, email, link: await service.linkTo(email) }
  }

  test('asks for name and password if it is opened in another browser, so that a stranger’s values are never used', async () => {
    const { email, link } = await requested({ name: 'The Stranger', password: 'the stranger knows this one' })
    const owner = service.browser()
    const page = await owner.open(link)
    expect([page.text.includes('type="password"'), page.text.includes('Stranger')]).toEqual([true, false])
    expect((await owner.submit(link, link, {})).status).toBe(422)
    expect((await owner.submit(link, link, { password: PASSWORD })).status).toBe(422)
    expect((await owner.submit(link, link, { name: 'Grace', password: PASSWORD })).status).toBe(303)
    expect(await accountsWith(email)).toMatchObject([{ name: 'Grace' }])
    expect((await signIn(email, 'the stranger knows this one')).status).toBe(422)
    expect((await signIn(email)).status).toBe(303)
  })

  test('creates one account and one session if one browser sends its form ten times at once; every response redirects', async () => {
    const { browser, email, link } = await requested()
    const { csrf = '' } = hiddenFields((await browser.open(link)).text)
    const press = () => browser.send(link, { method: 'POST', body: new URLSearchParams({ csrf }) })
    const statuses = (await Promise.all(Array.from({ length: 10 }, press))).map(({ status }) => status)
    expect(statuses).toEqual(Array(10).fill(303))
    const [account, ...others] = await accountsWith(email)
    expect(others).toEqual([])
    const ofAccount = 'select hash from platform.sign_in_sessions where account_id = $1'
    expect(await db.sql(ofAccount, [account?.id])).toHaveLength(1)
    expect((await browser.open('/sign-in')).status).toBe(303)
    // In another browser the link no longer works.
    expect((await service.browser().open(link)).status).toBe(410)
  })

  test('creates one account if the links of ten sign-ups with one address are used at once', async () => {
    const email = anAddress()
    const all: { browser: TestBrowser; link: string }[] = []
    for (let at = 0; at < 10; at++) {
      await db.sql('delete from platform.sign_in_attempts')
      const browser = service.browser()
      await signUp(browser, { email })
      all.push({ browser, link: await service.linkTo(email) })
    }
    expect(new Set(all.map(({ link }) => link)).size).toBe(10)
    const outcomes = await Promise.all(all.map(({ browser, link }) => browser.submit(link, link, {})))
    const statuses = outcomes.map(({ status }) => status).filter((status) => status !== 410)
    expect(statuses.filter((status) => status === 303)).toHaveLength(1)
    expect(statuses.filter((status) => status !== 303 && status !== 409)).toEqual([])
    expect(await accountsWith(email)).toHaveLength(1)
  })

  test('410 for a link that was used, is expired, is unknown or has another purpose; expired sign-ups are purged', async () => {
    const { browser, email, link } = await requested()
    await browser.submit(link, link, {})
    expect((await browser.open(link)).status).toBe(410)
    expect((await browser.open(`/sign-up/link/${'A'.repeat(43)}`)).status).toBe(410)
    expect((await browser.open('/sign-up/link/short')).status).toBe(410)
    expect((await browser.open(link.replace('/sign-up/', '/sign-in/'))).status).toBe(410)

    const late = await requested()
    expect((await late.browser.open(late.link.replace('/sign-up/', '/sign-in/'))).status).toBe(410)
    await db.sql(`update platform.sign_ups set created_at = now() - interval '2 days', expires_at = now()`)
    expect((await late.browser.open(late.link)).status).toBe(410)
    await db.databases.platform.transaction((tx) => purgeSignIns(tx, 100))
    expect(await waiting(late.email)).toEqual([])
    expect(await accountsWith(email)).toHaveLength(1)
  })

  test('409 if the address got an account meanwhile; that account is not changed', async () => {
    const { browser, email, link } = await requested({ password: 'another password entirely' })
    const { id } = await anAccount(email)
    const used = await browser.submit(link, link, {})
    expect(used.status).toBe(409)
    expect((await browser.open('/sign-in')).status).toBe(200)
    expect(await accountsWith(email)).toMatchObject([{ id }])
    expect((await signIn(email)).status).toBe(303)
  })

  test('is audited without names and addresses', async () => {
    const { browser, email, link } = await requested()
    await browser.submit(link, link, {})
    const [account] = await accountsWith(email)
    const entries = await db.sql<{ actor: string; action: string; details: unknown }>(
      'select actor, action, details from platform.audit_entries where subject = $1',
      [account?.id],
    )
    expect(entries).toEqual([{ actor: account?.id, action: 'account.created', details: { by: 'sign_up' } }])
  })
})

describe('PORTICO_SIGN_UP', () => {
  test.each([
    ['invitation', { signUp: 'invitation' as const }, 'Accounts are made by invitation'],
    ['closed', { signUp: 'closed' as const }, 'New accounts are not made here'],
    ['open without mail', { mail: false }, 'New accounts are not made here'],
    ['open without passwords, where passkeys do not work', { passwords: false }, 'New accounts are not made here'],
  ])('%s: the form is not offered, and is rejected if it is sent', async (_, settings, sentence) => {
    const other = await accountService(db, { settings })
    try {
      const [browser, email] = [other.browser(), anAddress()]
      const page = await browser.open('/sign-up')
      expect([page.status, page.text.includes(sentence)]).toEqual([403, true])
      expect((await browser.open('/sign-in')).text).not.toContain('/sign-up')
      expect((await browser.submit('/sign-in', '/sign-up', { name: 'Ada', email, password: PASSWORD })).status).toBe(
        403,
      )
      expect(await waiting(email)).toEqual([])
    } finally {
      await other.close()
    }
  })

  test('open without passwords: the page of the link offers a passkey, or an account that signs in at the provider', async () => {
    const openid = { issuer: 'https://id.example', clientId: 'portico', clientSecret: null, name: 'Example ID' }
    const other = await accountService(db, { host: 'localhost', settings: { passwords: false, openid } })
    try {
      const [browser, email] = [other.browser(), anAddress()]
      expect((await browser.open('/sign-in')).text).toContain('href="/sign-up')
      const page = await browser.open('/sign-up?return_to=%2Fsettings')
      expect(page.text).not.toContain('type="password"')
      expect(page.text).toContain('href="/sign-in/openid?return_to=%2Fsettings"')
      expect((await browser.submit('/sign-up', '/sign-up', { name: 'Ada', email })).status).toBe(200)
      const link = await other.linkTo(email)
      const opened = await browser.open(link)
      expect(opened.text).toContain('Create the account with a passkey')
      expect(opened.text).toContain('Create it without one, and sign in with Example ID')
    } finally {
      await other.close()
    }
  })

  test('open, without passwords and at an address where passkeys do not work: accounts are created only through the provider', async () => {
    const openid = { issuer: 'https://id.example', clientId: 'portico', clientSecret: null, name: 'Example ID' }
    const other = await accountService(db, { settings: { passwords: false, openid } })
    try {
      const browser = other.browser()
      const page = await browser.open('/sign-up')
      expect([page.status, page.text.includes('Continue with Example ID')]).toEqual([200, true])
      expect(page.text).not.toContain('name="email"')
      const fields = { name: 'Ada', email: anAddress() }
      expect((await browser.submit('/sign-in', '/sign-up', fields)).status).toBe(403)
      expect(await waiting(fields.email)).toEqual([])
    } finally {
      await other.close()
    }
  })

  test('open: the sign-in page links to the sign-up page, which redirects a signed-in person', async () => {
    const { email } = await anAccount()
    const browser = service.browser()
    expect((await browser.open('/sign-in')).text).toContain('href="/sign-up?return_to=%2Fsettings%2Fapps"')
    await browser.submit('/sign-in', '/sign-in', { email, password: PASSWORD })
    expect((await browser.open('/sign-up')).status).toBe(303)
  })
})
