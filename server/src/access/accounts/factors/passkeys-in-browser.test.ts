import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { launchBrowser } from '#test/browser.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { quickHasher } from '#test/quick-hasher.ts'
import { expectAccessible } from '../../../../test/acceptance/accessibility.ts'
import { createAccount } from '../index.ts'
import { type AccountService, accountService } from '../testing/account-service.ts'

const PASSWORD = 'correct horse battery'

let db: TestDatabase
let service: AccountService
let browser: Browser
beforeAll(async () => {
  db = await testDatabase()
  service = await accountService(db, { host: 'localhost' })
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser.close()
  await service.close()
  await db.close()
})

async function anAccount() {
  const email = `${newId('account')}@example.org`.toLowerCase()
  const passwordHash = await quickHasher.hash(PASSWORD)
  const id = await db.databases.platform.transaction((tx) => createAccount(tx, { email, name: 'Ada', passwordHash }))
  return { email, id }
}

type Device = {
  readonly context: BrowserContext
  readonly page: Page
  /** Presses the button and answers the browser's question. */
  press(label: string): Promise<void>
  verifies(verified: boolean): Promise<void>
  /** Whether the person answers by themself what the browser asks. */
  answers(all: boolean): Promise<void>
}

/** A browser with an authenticator of its own, which verifies its user until the test says otherwise. */
async function aDevice({ autofill = false } = {}): Promise<Device> {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 } })
  // The virtual authenticator answers autofill by itself, which would race with the buttons.
  if (!autofill) await context.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = undefined')
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: false,
  } as const
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', { options })
  const verifies = async (isUserVerified: boolean) => {
    await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
  }
  const answers = async (enabled: boolean) => {
    await cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
  }
  const press = async (label: string) => {
    await answers(true)
    await page.getByRole('button', { name: label }).click()
    await page.getByRole('button', { name: label }).waitFor({ state: 'detached' })
    await answers(false)
  }
  return { context, page, press, verifies, answers }
}

async function enterPassword(page: Page, email: string, returnTo = '/settings/security') {
  await page.goto(`${service.url}/sign-in?return_to=${encodeURIComponent(returnTo)}`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

async function withPasskey(options?: { readonly autofill: boolean }) {
  const account = await anAccount()
  const device = await aDevice(options)
  await enterPassword(device.page, account.email)
  await device.page.getByRole('heading', { name: 'Security' }).waitFor()
  await device.page.goto(`${service.url}/settings/security/passkeys/new`)
  await device.page.getByLabel('Name').fill('Work laptop')
  await device.press('Create the passkey')
  await device.page.getByRole('heading', { name: 'Your recovery codes' }).waitFor()
  return { ...account, ...device }
}

const signOut = (context: BrowserContext) => context.clearCookies({ name: 'portico' })

describe('a passkey, in Chromium with a virtual authenticator', () => {
  test('is added, listed with its name, and signs in without a password or a second step', async () => {
    const { page, context, press, id } = await withPasskey()
    const rows = await db.sql(
      'select name, backed_up, last_used_at from platform.account_passkeys where account_id = $1',
      [id],
    )
    expect(rows).toMatchObject([{ name: 'Work laptop', last_used_at: null }])
    await signOut(context)
    await page.goto(`${service.url}/sign-in?return_to=/settings/security`)
    await press('Sign in with a passkey')
    await page.getByRole('heading', { name: 'Security' }).waitFor()
    await page.getByRole('heading', { name: 'Work laptop' }).waitFor()
    const [used] = await db.sql<{ used: boolean }>(
      'select last_used_at is not null as used from platform.account_passkeys where account_id = $1',
      [id],
    )
    expect(used?.used).toBe(true)
    await context.close()
  })

  test('is offered in the autofill of the sign-in page', async () => {
    const { page, context, answers } = await withPasskey({ autofill: true })
    await signOut(context)
    await answers(true)
    await page.goto(`${service.url}/sign-in?return_to=/settings/security`)
    await page.getByRole('heading', { name: 'Security' }).waitFor()
    expect(page.url()).toBe(`${service.url}/settings/security`)
    await context.close()
  })

  test('is the second step after the password, in a browser that signed in before too', async () => {
    const { page, context, press, email } = await withPasskey()
    await signOut(context)
    await enterPassword(page, email)
    await page.getByRole('heading', { name: 'Use your passkey' }).waitFor()
    await press('Use a passkey')
    await page.getByRole('heading', { name: 'Security' }).waitFor()
    expect(page.url()).toBe(`${service.url}/settings/security`)
    await context.close()
  })

  test('confirms who a person is when their last proof is old', async () => {
    const { page, context, press, id } = await withPasskey()
    await db.sql(
      `update platform.sign_in_sessions set proven_at = now() - interval '11 minutes' where account_id = $1`,
      [id],
    )
    await page.goto(`${service.url}/settings/security/recovery-codes`)
    await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor()
    await press('Use a passkey')
    await page.getByRole('heading', { name: 'Make new recovery codes?' }).waitFor()
    expect(page.url()).toBe(`${service.url}/settings/security/recovery-codes`)
    await context.close()
  })

  test('whose user was not verified signs nobody in', async () => {
    const { page, context, verifies, answers } = await withPasskey()
    await signOut(context)
    await verifies(false)
    await page.goto(`${service.url}/sign-in`)
    await answers(true)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByText('No passkey was used').waitFor()
    expect((await context.cookies()).filter(({ name }) => name === 'portico')).toHaveLength(1)
    await page.goto(`${service.url}/settings/security`)
    await page.getByRole('heading', { name: /^Sign in to/ }).waitFor()
    await context.close()
  })

  test('answers that were sent before, changed, or come from another browser sign nobody in', async () => {
    const { page, context, press } = await withPasskey()
    await signOut(context)
    const sent: string[] = []
    await page.route('**/sign-in/passkey', async (route) => {
      sent.push(route.request().postData() ?? '')
      await route.continue()
    })
    await page.goto(`${service.url}/sign-in?return_to=/settings/security`)
    await press('Sign in with a passkey')
    await page.getByRole('heading', { name: 'Security' }).waitFor()
    const answer = new URLSearchParams(sent[0])
    const stranger = service.browser()
    const replayed = await stranger.submit('/sign-in', '/sign-in/passkey', {
      ticket: answer.get('ticket') ?? '',
      credential: answer.get('credential') ?? '',
    })
    expect(replayed.status).toBe(422)
    expect(replayed.text).toContain('This passkey could not be verified')
    await context.close()
  })
})

describe('a sign-up with a passkey', () => {
  const accountsWith = (email: string) =>
    db.sql<{ id: string; has_password: boolean; passkeys: number }>(
      `select id, password_hash is not null as has_password,
              (select count(*)::int from platform.account_passkeys p where p.account_id = a.id) as passkeys
         from platform.accounts a where email = $1`,
      [email],
    )
  const askFor = async (page: Page) => {
    const email = `${newId('account')}@example.org`.toLowerCase()
    await page.goto(`${service.url}/sign-up?return_to=/settings/security`)
    await page.getByLabel('Name').fill('Grace')
    await page.getByLabel('Email').fill(email)
    await page.getByRole('button', { name: 'Use a passkey instead' }).click()
    await page.getByRole('heading', { name: 'Check your mail' }).waitFor()
    return { email, link: `${service.url}${await service.linkTo(email)}` }
  }

  test('makes an account without a password, shows its recovery codes, and signs in again', async () => {
    const { page, context, press } = await aDevice()
    const { email, link } = await askFor(page)
    await page.goto(link)
    expect(await accountsWith(email)).toEqual([])
    await expectAccessible(page)
    await press('Use a passkey instead')
    await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor()
    expect(await page.locator('.codes li').count()).toBe(10)
    await page.getByRole('link', { name: 'I have saved them' }).click()
    await page.getByRole('heading', { name: 'Security' }).waitFor()
    expect(await accountsWith(email)).toMatchObject([{ has_password: false, passkeys: 1 }])
    // The person has just done this: no mail tells them so.
    expect(
      await db.sql(`select letter->>'subject' as subject from platform.mails where recipient = $1`, [email]),
    ).toEqual([])
    await signOut(context)
    await page.goto(`${service.url}/sign-in?return_to=/settings/security`)
    await press('Sign in with a passkey')
    await page.getByRole('heading', { name: 'Security' }).waitFor()
    expect((await service.browser().open(new URL(link).pathname)).status).toBe(410)
    await context.close()
  })

  test('takes a password on the page of the link as well', async () => {
    const { page, context } = await aDevice()
    const { email, link } = await askFor(page)
    await page.goto(link)
    await page.getByLabel('Password').fill('lantern over a quiet harbour')
    await page.getByRole('button', { name: 'Create the account' }).click()
    await page.getByRole('heading', { name: 'Security' }).waitFor()
    expect(await accountsWith(email)).toMatchObject([{ has_password: true, passkeys: 0 }])
    await context.close()
  })

  test('makes nothing with an answer for another browser or another account, or with none', async () => {
    const { page, context, answers } = await aDevice()
    const { email, link } = await askFor(page)
    const path = new URL(link).pathname
    const sent: string[] = []
    await page.route(`**${path}`, async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      sent.push(route.request().postData() ?? '')
      return route.abort()
    })
    await page.goto(link)
    await answers(true)
    await page.getByRole('button', { name: 'Use a passkey instead' }).click()
    await expect.poll(() => sent.length).toBe(1)
    const answer = Object.fromEntries(new URLSearchParams(sent[0]))
    const { ticket = '', credential = '', account = '' } = answer
    const stranger = service.browser()
    for (const forged of [
      { ticket, credential, account },
      { ticket, credential, account: newId('account') },
    ]) {
      const { status, text } = await stranger.submit(path, path, forged)
      expect([status, text.includes('The passkey could not be verified')]).toEqual([422, true])
    }
    expect((await stranger.submit(path, path, {})).status).toBe(422)
    expect(await accountsWith(email)).toEqual([])
    await context.close()
  })
})

describe('the pages about factors are accessible, on a phone and a desktop, light and dark', () => {
  test('settings, second step and confirmation', async () => {
    const { page, context, email, id } = await withPasskey()
    await expectAccessible(page)
    for (const path of ['', '/authenticator', '/recovery-codes', '/passkeys/new']) {
      await page.goto(`${service.url}/settings/security${path}`)
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      await expectAccessible(page)
    }
    const age = `update platform.sign_in_sessions set proven_at = now() - interval '11 minutes' where account_id = $1`
    await db.sql(age, [id])
    await page.goto(`${service.url}/settings/security/recovery-codes`)
    await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor()
    await expectAccessible(page)
    await signOut(context)
    await enterPassword(page, email)
    await page.getByRole('heading', { name: 'Use your passkey' }).waitFor()
    await expectAccessible(page)
    await context.close()
  })
})

describe('without JavaScript', () => {
  test('the sign-in page says that passkeys need it, and the password works on', async () => {
    const { email } = await anAccount()
    const context = await browser.newContext({ javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto(`${service.url}/sign-in`)
    const { text } = await service.browser().open('/sign-in')
    expect(text).toContain(
      '<noscript><p class="muted">Passkeys need JavaScript. Sign in with your password.</p></noscript>',
    )
    expect(await page.getByRole('button', { name: 'Sign in with a passkey' }).count()).toBe(0)
    await enterPassword(page, email)
    await page.getByRole('heading', { name: 'Security' }).waitFor()
    await context.close()
  })
})
