import { tmpdir } from 'node:os'
import { generateSync } from 'otplib'
import type { Browser, Page } from 'playwright-core'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { launchBrowser } from '#test/browser.ts'
import { expectAccessible } from './accessibility.ts'
import { demoService } from './demo-service.ts'
import { openShell } from './shell.ts'

type Demo = {
  base_url: string
  operator_keys: { live: string }
  people: Record<'founder' | 'editor' | 'investor' | 'manager', { email: string; password: string }>
}

let demo: Demo
let browser: Browser

demoService<Demo>(async (made) => {
  demo = made
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

async function visitor(options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
  const context = await browser.newContext(options)
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await page.goto(`${demo.base_url}/`)
  return page
}

/** Every person has their own form with a button. */
const continueAs = (page: Page, words: RegExp) => page.getByRole('button', { name: words })

async function asOperator(method: string, path: string, body?: object) {
  const response = await fetch(demo.base_url + path, {
    method,
    headers: { authorization: `Bearer ${demo.operator_keys.live}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return (await response.json()) as { data: { id: string; attributes: { email: string } }[] }
}

describe('the front page of the embedded demo', () => {
  test('signs a person in with one click, without JavaScript, and shows where to continue', async () => {
    const page = await visitor({ javaScriptEnabled: false })
    await continueAs(page, /^Continue as Priya, an investor$/).click()
    await page.getByText('You are signed in as Priya Raman').waitFor()
    await page.getByRole('link', { name: 'Your connected apps' }).click()
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/settings/apps')
  })

  test('shows terminal commands that work as described, up to the event of an investment', async () => {
    const page = await visitor()
    const shell = openShell(tmpdir())
    const lines = await page.locator('.steps pre').allTextContents()
    const [keys = '', list = '', token = '', webhook = '', invest = ''] = lines
    expect(lines).toHaveLength(5)
    await shell.type(keys)
    await shell.type(list)
    await shell.printed(/"type":"offering"/)
    await shell.type(token)
    await shell.printed(/"access_token":"at_test_/)
    await shell.type(webhook)
    await shell.printed(/"delivered":true/)
    await continueAs(page, /^Continue as Amara, a founder$/).click()
    await page.getByRole('link', { name: 'install the app' }).click()
    await page.getByRole('button', { name: /^Install Fieldbook CRM on / }).click()
    await page.waitForURL((url) => url.pathname !== '/sign-in')
    await shell.type(invest)
    await shell.printed(/"event":"investment\.created"|"type":"investment\.created"/)
  })

  test('asks a person with a second factor for a code before it signs them in', async () => {
    const { email } = demo.people.manager
    const page = await visitor()
    await continueAs(page, /a syndicate manager$/).click()
    await page.getByText('You are signed in as').waitFor()
    await page.goto(`${demo.base_url}/settings/security/authenticator`)
    const key = (await page.locator('code.whole').textContent()) ?? ''
    await page.getByLabel('Code from the app').fill(generateSync({ secret: key.replaceAll(' ', '') }))
    await page.getByRole('button', { name: 'Set up the app' }).click()
    await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor()
    const code = (await page.locator('.codes code').first().textContent()) ?? ''
    const later = await visitor()
    await continueAs(later, /a syndicate manager$/).click()
    await later.getByLabel('Code').waitFor()
    await later.goto(`${demo.base_url}/settings`)
    await later.getByRole('heading', { name: /^Sign in to/ }).waitFor()
    await later.goto(`${demo.base_url}/`)
    await continueAs(later, /a syndicate manager$/).click()
    await later.getByLabel('Code').fill(code)
    await later.getByRole('button', { name: 'Confirm with the code' }).click()
    await later.getByText('You are signed in as').waitFor()
    expect(await later.locator('.person a').getAttribute('title')).toBe(email)
  })

  test('does not sign in a disabled person', async () => {
    const { email } = demo.people.editor
    const found = await asOperator('GET', `/platform/accounts?email=${encodeURIComponent(email)}`)
    const id = found.data.find(({ attributes }) => attributes.email === email)?.id
    await asOperator('POST', `/platform/accounts/${id}/disable`)
    const page = await visitor()
    await continueAs(page, /^Continue as Jonas/).click()
    await page.getByText('This account has been switched off').waitFor()
    expect((await page.context().request.get(`${demo.base_url}/portal/api/me`)).status()).toBe(401)
  })

  test('does not sign in a person if the form has a wrong password', async () => {
    const page = await visitor()
    await page.evaluate(`document.querySelectorAll('input[name=password]').forEach((one) => { one.value = 'another' })`)
    await continueAs(page, /^Continue as Priya/).click()
    await page.getByText('Email or password is wrong').first().waitFor()
    expect((await page.context().request.get(`${demo.base_url}/portal/api/me`)).status()).toBe(401)
  })

  test('does not sign in by a form without a CSRF token', async () => {
    const { email, password } = demo.people.investor
    const body = new URLSearchParams({ email, password, return_to: '/' })
    const response = await fetch(`${demo.base_url}/sign-in`, { method: 'POST', body, redirect: 'manual' })
    expect(response.status).toBe(403)
    expect(response.headers.getSetCookie()).toEqual([])
  })

  test('is accessible to visitors and to signed-in people', async () => {
    const page = await visitor()
    await expectAccessible(page)
    await continueAs(page, /^Continue as Priya/).click()
    await page.getByText('You are signed in as').waitFor()
    await expectAccessible(page)
  })
})

describe('the demo’s sent mail', () => {
  test('shows the mail to a person who forgot the password', async () => {
    const page = await visitor()
    await page.goto(`${demo.base_url}/forgot-password`)
    await page.getByLabel('Email').fill(demo.people.investor.email)
    await page.getByRole('button', { name: 'Send the link' }).click()
    await page.getByRole('link', { name: 'Read it here' }).click()
    await page.getByRole('heading', { name: 'Sent mail' }).waitFor()
    await page.getByRole('link', { name: 'Go to the front page' }).click()
    expect(new URL(page.url()).pathname).toBe('/')
  })

  test('shows the mail to a stranger who signs up and follows its link', async () => {
    const page = await visitor()
    await page.getByRole('link', { name: 'Create an account' }).click()
    await page.getByLabel('Name').fill('Ada Stranger')
    await page.getByLabel('Email').fill('ada.stranger@example.org')
    const password = page.getByLabel('Password', { exact: false })
    if ((await password.count()) > 0) await password.first().fill('lantern over a quiet harbour')
    await page.getByRole('button', { name: 'Create the account' }).click()
    await page.getByText('No mail leaves this demo.').waitFor()
    await page.getByRole('link', { name: 'Read it here' }).click()
    expect(new URL(page.url()).pathname).toBe('/demo/mail')
    const mail = page.getByRole('link', { name: /confirm|address|account/i })
    await expect
      .poll(async () => {
        await page.goto(`${demo.base_url}/demo/mail`)
        return page.getByText('ada.stranger@example.org').count()
      })
      .toBeGreaterThan(0)
    await expectAccessible(page)
    await mail.first().click()
    await page.getByRole('heading', { name: 'As text' }).waitFor()
    await expectAccessible(page)
    const link = page.frameLocator('iframe').locator('a.action')
    const [opened] = await Promise.all([page.context().waitForEvent('page'), link.click()])
    await opened.waitForLoadState()
    expect(new URL(opened.url()).pathname).toMatch(/^\/sign-up\/link\//)
  })
})

describe('a service on this machine', () => {
  test('redirects a browser from 127.0.0.1 to localhost', async () => {
    const page = await visitor()
    await page.goto(`${demo.base_url.replace('localhost', '127.0.0.1')}/status`)
    expect(page.url()).toBe(`${demo.base_url}/status`)
    await page.getByRole('heading', { name: 'Everything works' }).waitFor()
    await expectAccessible(page)
  })

  test('answers API requests at both addresses, with one issuer', async () => {
    for (const host of ['localhost', '127.0.0.1', '[::1]']) {
      const base = demo.base_url.replace('localhost', host)
      const metadata = await (await fetch(`${base}/.well-known/oauth-authorization-server`)).json()
      expect(metadata).toMatchObject({ issuer: demo.base_url })
    }
  })
})
