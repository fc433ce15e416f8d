import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { launchBrowser } from '#test/browser.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { quickHasher } from '#test/quick-hasher.ts'
import { addAuthenticator } from '#test/virtual-authenticator.ts'
import { expectAccessible } from '../../../../test/acceptance/accessibility.ts'
import { createAccount, offerFirstAdministrator } from '../index.ts'
import { type AccountService, accountService, operatorKeyOf } from '../testing/account-service.ts'

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

/** A browser with its own authenticator. */
async function aDevice(options?: { readonly autofill: boolean }) {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 } })
  const page = await context.newPage()
  return { context, page, ...(await addAuthenticator(page, options)) }
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
    const { page, context, setAutomaticAnswers } = await withPasskey({ autofill: true })
    await signOut(context)
    await setAutomaticAnswers(true)
    await page.goto(`${service.url}/sign-in?return_to=/settings/security`)
    await page.getByRole('heading', { name: 'Security' }).waitFor()
    expect(page.url()).toBe(`${service.url}/settings/security`)
    await context.close()
  })

  test('is the second step after the password, even in a browser that has signed in before', async () => {
    const { page, context, press, email } = await withPasskey()
    await signOut(context)
    await enterPassword(page, email)
    await page.getByRole('heading', { name: 'Use your passkey' }).waitFor()
    await press('Use a passkey')
    await page.getByRole('heading', { name: 'Security' }).waitFor()
    expect(page.url()).toBe(`${service.url}/settings/security`)
    await context.close()
  })

  test('confirms a person’s identity when their last proof is too old', async () => {
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

  test('confirms the person’s identity if they send a form without a recent proof; the form is then submitted as it was', async () => {
    const { page, context, press, id } = await withPasskey()
    await page.goto(`${service.url}/settings/security`)
    await page.getByRole('link', { name: 'Make new codes' }).click()
    await page.getByRole('heading', { name: 'Make new recovery codes?' }).waitFor()
    await db.sql(
      `update platform.sign_in_sessions set proven_at = now() - interval '11 minutes' where account_id = $1`,
      [id],
    )
    await page.getByRole('button', { name: 'Make new codes' }).click()
    await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor()
    await expectAccessible(page)
    await press('Use a passkey')
    await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor()
    await page.getByText('Your earlier codes no longer work.').waitFor()
    expect(page.url()).toBe(`${service.url}/settings/security/recovery-codes`)
    await context.close()
  })

  test('does not sign in without user verification', async () => {
    const { page, context, setUserVerification, setAutomaticAnswers } = await withPasskey()
    await signOut(context)
    await setUserVerification(false)
    await page.goto(`${service.url}/sign-in`)
    await setAutomaticAnswers(true)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByText('No passkey was used').waitFor()
    expect((await context.cookies()).filter(({ name }) => name === 'portico')).toHaveLength(1)
    await page.goto(`${service.url}/settings/security`)
    await page.getByRole('heading', { name: /^Sign in to/ }).waitFor()
    await context.close()
  })

  test('a response sent ten times at once signs in once; a changed response does not sign in and uses up its challenge', async () => {
    const { page, context, press } = await withPasskey()
    await signOut(context)
    const aResponse = async () => {
      const caught = Promise.withResolvers<string>()
      await page.unroute('**/sign-in/passkey')
      await page.route('**/sign-in/passkey', async (route) => {
        caught.resolve(route.request().postData() ?? '')
        await route.abort()
      })
      await page.goto(`${service.url}/sign-in?return_to=/settings/security`)
      await press('Sign in with a passkey')
      return new URLSearchParams(await caught.promise)
    }
    const send = async (body: URLSearchParams) => {
      const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ')
      const headers = { cookie, origin: service.url }
      return (await fetch(`${service.url}/sign-in/passkey`, { method: 'POST', headers, body, redirect: 'manual' }))
        .status
    }
    const [first, second] = [await aResponse(), await aResponse()]
    const changed = new URLSearchParams(first)
    changed.set('credential', (first.get('credential') ?? '').replace(/"signature":"..../, '"signature":"AAAA'))
    expect(changed.get('credential')).not.toBe(first.get('credential'))
    expect([await send(changed), await send(first)]).toEqual([422, 422])
    const statuses = await Promise.all(Array.from({ length: 10 }, () => send(second)))
    expect(statuses.toSorted()).toEqual([303, ...Array.from({ length: 9 }, () => 422)])
    expect(await send(second)).toBe(422)
    await context.close()
  })

  test('a response that another browser sends does not sign in', async () => {
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

const accountsWith = (email: string) =>
  db.sql<{ id: string; name: string; staff_role: string | null; has_password: boolean; passkeys: number }>(
    `select id, name, staff_role, password_hash is not null as has_password,
            (select count(*)::int from platform.account_passkeys p where p.account_id = a.id) as passkeys
       from platform.accounts a where email = $1`,
    [email],
  )

describe('a sign-up with a passkey', () => {
  const requestSignUp = async (page: Page) => {
    const email = `${newId('account')}@example.org`.toLowerCase()
    await page.goto(`${service.url}/sign-up?return_to=/settings/security`)
    await page.getByLabel('Name').fill('Grace')
    await page.getByLabel('Email').fill(email)
    await page.getByRole('button', { name: 'Use a passkey instead' }).click()
    await page.getByRole('heading', { name: 'Check your mail' }).waitFor()
    return { email, link: `${service.url}${await service.linkTo(email)}` }
  }

  test('creates an account without a password, shows its recovery codes, and signs in again', async () => {
    const { page, context, press } = await aDevice()
    const { email, link } = await requestSignUp(page)
    await page.goto(link)
    expect(await accountsWith(email)).toEqual([])
    await expectAccessible(page)
    await press('Use a passkey instead')
    await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor()
    await expectAccessible(page)
    expect(await page.locator('.codes li').count()).toBe(10)
    await page.getByRole('link', { name: 'I have saved them' }).click()
    await page.getByRole('heading', { name: 'Security' }).waitFor()
    expect(await accountsWith(email)).toMatchObject([{ has_password: false, passkeys: 1 }])
    // No mail reports the new passkey, because the person has just added it.
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

  test('can be completed with a password instead, on the page of the link', async () => {
    const { page, context } = await aDevice()
    const { email, link } = await requestSignUp(page)
    await page.goto(link)
    await page.getByLabel('Password').fill('lantern over a quiet harbour')
    await page.getByRole('button', { name: 'Create the account' }).click()
    await page.getByRole('heading', { name: 'Security' }).waitFor()
    expect(await accountsWith(email)).toMatchObject([{ has_password: true, passkeys: 0 }])
    await context.close()
  })

  test('creates no account with a passkey response for another browser or another account, or without a response', async () => {
    const { page, context, setAutomaticAnswers } = await aDevice()
    const { email, link } = await requestSignUp(page)
    const path = new URL(link).pathname
    const sent: string[] = []
    await page.route(`**${path}`, async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      sent.push(route.request().postData() ?? '')
      return route.abort()
    })
    await page.goto(link)
    await setAutomaticAnswers(true)
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

describe('an account that a person creates through a link, with a passkey', () => {
  test('for an invitation to the platform, the page asks for the name', async () => {
    const email = `${newId('account')}@example.org`.toLowerCase()
    const { key } = await operatorKeyOf(db, 'live')
    await fetch(`${service.url}/platform/accounts/invitations`, {
      ...{ method: 'POST', body: JSON.stringify({ email }) },
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    })
    const link = `${service.url}${await service.linkTo(email)}`
    const { page, context, press, setAutomaticAnswers } = await aDevice()
    await page.goto(link)
    await expectAccessible(page)
    // While the name is missing, our script does not ask the browser for a passkey.
    await setAutomaticAnswers(true)
    await page.getByRole('button', { name: 'Use a passkey instead' }).click()
    expect(await page.evaluate('document.activeElement.name')).toBe('name')
    await page.getByLabel('Name').fill('Grace')
    await press('Use a passkey instead')
    await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor()
    expect(await accountsWith(email)).toMatchObject([{ name: 'Grace', has_password: false, passkeys: 1 }])
    await signOut(context)
    await page.goto(`${service.url}/sign-in?return_to=/settings/security`)
    await press('Sign in with a passkey')
    await page.getByRole('heading', { name: 'Security' }).waitFor()
    expect((await service.browser().open(new URL(link).pathname)).status).toBe(410)
    await context.close()
  })

  test('if passwords are off, sign-up asks for no password, and the page of its link asks for a passkey', async () => {
    const openid = { issuer: 'https://id.example', clientId: 'portico', clientSecret: null, name: 'Example ID' }
    const other = await accountService(db, { host: 'localhost', settings: { passwords: false, openid } })
    const { page, context, press } = await aDevice()
    try {
      const email = `${newId('account')}@example.org`.toLowerCase()
      await page.goto(`${other.url}/sign-up?return_to=/settings/security`)
      await expectAccessible(page)
      await page.getByLabel('Name').fill('Grace')
      await page.getByLabel('Email').fill(email)
      await page.getByRole('button', { name: 'Create the account' }).click()
      await page.getByRole('heading', { name: 'Check your mail' }).waitFor()
      await page.goto(`${other.url}${await other.linkTo(email)}`)
      await expectAccessible(page)
      await press('Create the account with a passkey')
      await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor()
      expect(await accountsWith(email)).toMatchObject([{ has_password: false, passkeys: 1 }])
    } finally {
      await context.close()
      await other.close()
    }
  })

  test('for the first administrator, the page asks for name and email address', async () => {
    await db.sql('update platform.accounts set disabled_at = now() where disabled_at is null')
    const offered = await offerFirstAdministrator(db.databases.platform, service.url)
    const email = `${newId('account')}@example.org`.toLowerCase()
    const { page, context, press } = await aDevice()
    await page.goto(offered?.url ?? '')
    await expectAccessible(page)
    await page.getByLabel('Name').fill('Grace')
    await page.getByLabel('Email').fill(email)
    await press('Use a passkey instead')
    await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor()
    expect(await accountsWith(email)).toMatchObject([{ staff_role: 'admin', has_password: false, passkeys: 1 }])
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

  test('the confirmation of a command line', async () => {
    const { email, id } = await anAccount()
    const { page, context } = await aDevice()
    const verifier = randomBytes(32).toString('base64url')
    // This server responds, so that the browser's navigation ends. Without a listener the browser would show an error
    // page at an unknown time.
    const commandLine = createServer((_, response) => response.end('You are signed in.')).listen(0, '127.0.0.1')
    await once(commandLine, 'listening')
    const { port } = commandLine.address() as AddressInfo
    const request = new URLSearchParams({
      redirect_uri: `http://127.0.0.1:${port}/callback`,
      state: randomBytes(16).toString('base64url'),
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      device: 'ada-laptop',
    })
    await enterPassword(page, email, `/command-line?${request}`)
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await page.waitForURL(`http://127.0.0.1:${port}/**`)
    const code = new URL(page.url()).searchParams.get('code')
    const body = JSON.stringify({ code, code_verifier: verifier })
    const headers = { 'content-type': 'application/json' }
    expect((await fetch(`${service.url}/portal/api/session`, { method: 'POST', headers, body })).status).toBe(200)
    const [session] = await db.sql<{ id: string }>(
      `select id from platform.sign_in_sessions where account_id = $1 and kind = 'command_line'`,
      [id],
    )
    await page.goto(`${service.url}/command-line/confirm?session=${session?.id}`)
    await page.getByRole('heading', { name: 'Are you using the command line on ada-laptop right now?' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Yes, it is me' }).click()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expectAccessible(page)
    await context.close()
    commandLine.close()
  })
})

describe('without JavaScript', () => {
  test('the sign-in page says that passkeys need JavaScript, and the password still works', async () => {
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
