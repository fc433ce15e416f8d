import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readError } from '#http/testing/error-response.ts'
import { newId } from '#kernel/ids.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { changeStaffRole, createAccount, offerFirstAdministrator } from '../index.ts'
import type { SignInSettings } from '../settings.ts'
import { type AccountService, accountService, operatorKeyOf } from '../testing/account-service.ts'
import { hiddenFields, type TestBrowser } from '../testing/browser.ts'

const PASSWORD = 'lantern over a quiet harbour'

let db: TestDatabase
let service: AccountService
let live: { id: string; key: string }
beforeAll(async () => {
  db = await testDatabase()
  service = await accountService(db, { settings: { signUp: 'invitation' } })
  live = await operatorKeyOf(db, 'live')
})
afterAll(async () => {
  await service.close()
  await db.close()
})

const anAddress = () => `${newId('account').slice(5)}@example.org`
const invite = (email: string, { url } = service, key = live.key) =>
  fetch(`${url}/platform/accounts/invitations`, {
    ...{ method: 'POST', body: JSON.stringify({ email }) },
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  })
type Invited = { readonly data: { readonly type: string; readonly attributes: Readonly<Record<string, string>> } }
const accountsWith = (email: string) =>
  db.sql<{ id: string; name: string; staff_role: string | null }>(
    'select id, name, staff_role from platform.accounts where email = $1',
    [email],
  )
const isSignedIn = async (browser: TestBrowser) => (await browser.open('/sign-in')).status === 303
/** Ten browsers, each with the page of the link open, press the button at once. */
const tenAtOnce = async (link: string, fields: (at: number) => Readonly<Record<string, string>>) => {
  const pages = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const browser = service.browser()
      return { browser, csrf: hiddenFields((await browser.open(link)).text)['csrf'] ?? '' }
    }),
  )
  const press = ({ browser, csrf }: (typeof pages)[number], at: number) =>
    browser.send(link, { method: 'POST', body: new URLSearchParams({ csrf, ...fields(at) }) })
  return (await Promise.all(pages.map(press))).map(({ status }) => status).sort()
}

describe('POST /platform/accounts/invitations', () => {
  test('201: the mail and the response contain the same link, with which the person creates the account', async () => {
    const email = anAddress()
    const response = await invite(email)
    expect(response.status).toBe(201)
    const { data } = (await response.json()) as Invited
    expect(data.type).toBe('account_invitation')
    const link = await service.linkTo(email)
    expect(data.attributes).toMatchObject({ email, url: service.url + link })

    const browser = service.browser()
    const page = await browser.open(link)
    expect(page.text).toContain(email)
    expect((await browser.submit(link, link, { name: '', password: 'short' })).status).toBe(422)
    const used = await browser.submit(link, link, { name: 'Ada', password: PASSWORD })
    expect(used.status).toBe(303)
    expect(await isSignedIn(browser)).toBe(true)
    const [account] = await accountsWith(email)
    expect(account).toMatchObject({ name: 'Ada', staff_role: null })
    const entries = await db.sql('select actor, details from platform.audit_entries where subject = $1', [account?.id])
    expect(entries).toEqual([{ actor: account?.id, details: { by: 'invitation', invited_by: live.id } }])
    expect((await browser.open(link)).status).toBe(410)
  })

  test('the account gets the address of the invitation, not an address that a form sends', async () => {
    const [email, other] = [anAddress(), anAddress()]
    await invite(email)
    const link = await service.linkTo(email)
    await service.browser().submit(link, link, { name: 'Ada', password: PASSWORD, email: other })
    expect([await accountsWith(other), (await accountsWith(email)).length]).toEqual([[], 1])
  })

  test('a link that ten browsers use at once creates one account', async () => {
    const email = anAddress()
    await invite(email)
    const link = await service.linkTo(email)
    const statuses = await tenAtOnce(link, (at) => ({ name: `Ada ${at}`, password: PASSWORD }))
    expect(statuses).toEqual([303, ...Array(9).fill(410)])
    expect(await accountsWith(email)).toHaveLength(1)
  })

  test('422 for an address with an account, a lookalike address or a malformed address; 403 for a key of the sandbox', async () => {
    const email = anAddress()
    await db.databases.platform.transaction((tx) => createAccount(tx, { email, name: 'Ada', passwordHash: null }))
    expect((await readError(await invite(email.toUpperCase()))).type).toBe('validation_error')
    expect((await invite('\u0430da@example.org')).status).toBe(422)
    expect((await invite('ada')).status).toBe(422)
    const test = await operatorKeyOf(db, 'test')
    expect((await invite(anAddress(), service, test.key)).status).toBe(403)
  })

  const withSettings = async (settings: Partial<SignInSettings>, work: (other: AccountService) => Promise<void>) => {
    const other = await accountService(db, { settings })
    try {
      await work(other)
    } finally {
      await other.close()
    }
  }

  test('403 if sign-up is closed; links that were sent before do not work then', () =>
    withSettings({ signUp: 'closed' }, async (closed) => {
      expect((await invite(anAddress(), closed)).status).toBe(403)
      const email = anAddress()
      await invite(email)
      const link = await service.linkTo(email)
      expect((await closed.browser().open(link)).status).toBe(410)
      expect((await service.browser().open(link)).status).toBe(200)
    }))

  test('without mail, only the response has the link; without passwords, the link’s page has no password field', () =>
    withSettings({ signUp: 'invitation', mail: false, passwords: false }, async (other) => {
      const email = anAddress()
      const { data } = (await (await invite(email, other)).json()) as Invited
      expect(await other.mailsTo(email)).toEqual([])
      const link = new URL(data.attributes['url'] ?? '').pathname
      const browser = other.browser()
      expect((await browser.open(link)).text).not.toContain('type="password"')
      expect((await browser.submit(link, link, { name: 'Ada' })).status).toBe(303)
    }))
})

describe('the first administrator', () => {
  beforeEach(() => db.sql('update platform.accounts set disabled_at = coalesce(disabled_at, now()), staff_role = null'))
  const offer = async () => {
    const offered = await offerFirstAdministrator(db.databases.platform, service.url)
    return offered === null ? null : new URL(offered.url).pathname
  }
  const person = (at = 0) => ({ name: 'Ada', email: `${at}-${anAddress()}`, password: PASSWORD })

  test('is created through a link, which is offered while no account can sign in', async () => {
    const link = (await offer()) ?? ''
    const [browser, ada] = [service.browser(), person()]
    expect((await browser.open(link)).text).toContain('the first administrator')
    expect((await browser.submit(link, link, { ...ada, email: 'ada' })).status).toBe(422)
    expect((await browser.submit(link, link, ada)).status).toBe(303)
    expect(await isSignedIn(browser)).toBe(true)
    expect(await accountsWith(ada.email)).toMatchObject([{ staff_role: 'admin' }])
    expect(await offer()).toBeNull()
    expect((await browser.open(link)).status).toBe(410)
  })

  test('is one account, even if ten browsers use one link at once or ten links are used at once', async () => {
    const one = (await offer()) ?? ''
    expect(await tenAtOnce(one, person)).toEqual([303, ...Array(9).fill(410)])
    await db.sql('update platform.accounts set disabled_at = coalesce(disabled_at, now()), staff_role = null')
    const links = await Promise.all(Array.from({ length: 10 }, offer))
    const outcomes = await Promise.all(
      links.map((link, at) => service.browser().submit(link ?? '', link ?? '', person(at))),
    )
    // 403 for a link that another start replaced: the page of that link no longer exists, so the request lacks its CSRF token.
    const statuses = outcomes.map(({ status }) => status)
    expect(statuses.filter((status) => status === 303)).toHaveLength(1)
    expect(statuses.filter((status) => ![303, 403, 410].includes(status))).toEqual([])
    const [admins] = await db.sql<{ count: number }>(
      `select count(*)::int from platform.accounts where staff_role = 'admin' and disabled_at is null`,
    )
    expect(admins?.count).toBe(1)
  })

  test('can be created only through the newest link: each start of the service replaces the previous link', async () => {
    const [old, newest] = [(await offer()) ?? '', (await offer()) ?? '']
    const browser = service.browser()
    expect((await browser.open(old)).status).toBe(410)
    expect((await browser.open(newest)).status).toBe(200)
  })

  test('cannot be created any more after another person became an administrator', async () => {
    const link = (await offer()) ?? ''
    const account = { email: anAddress(), name: 'Ada', passwordHash: null }
    const id = await db.databases.platform.transaction((tx) => createAccount(tx, account))
    expect((await service.browser().open(link)).status).toBe(200)
    await db.databases.platform.transaction((tx) => changeStaffRole(tx, id, { role: 'admin', actor: 'shell:tester' }))
    expect((await service.browser().open(link)).status).toBe(410)
  })

  test('is not offered if an enabled account exists; an expired link does not work', async () => {
    const link = (await offer()) ?? ''
    await db.sql(`update platform.sign_ups set created_at = now() - interval '2 hours', expires_at = now()`)
    expect((await service.browser().open(link)).status).toBe(410)
    const account = { email: anAddress(), name: 'Ada', passwordHash: null }
    await db.databases.platform.transaction((tx) => createAccount(tx, account))
    expect(await offer()).toBeNull()
  })
})

test('granting a staff role twice and revoking it twice makes one audit entry for each of the two changes', async () => {
  const account = { email: anAddress(), name: 'Ada', passwordHash: null }
  const id = await db.databases.platform.transaction((tx) => createAccount(tx, account))
  const change = (role: 'admin' | null) =>
    db.databases.platform.transaction((tx) => changeStaffRole(tx, id, { role, actor: 'shell:tester' }))
  for (const role of ['admin', 'admin', null, null] as const) expect((await change(role)).staff_role).toBe(role)
  const entries = await db.sql<{ action: string }>(
    'select action from platform.audit_entries where subject = $1 order by id',
    [id],
  )
  expect(entries.map(({ action }) => action)).toEqual(['account.staff_role_granted', 'account.staff_role_revoked'])
})
