import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { launchBrowser } from '#test/browser.ts'
import { expectAccessible } from './accessibility.ts'
import { demoService } from './demo-service.ts'

type Person = { id: string; email: string; password: string; companies: string[]; syndicates: string[] }
type Demo = {
  base_url: string
  apps: { id: string; name: string; keys: { mode: string; type: string; client_id: string }[] }[]
  people: Record<'founder' | 'editor' | 'investor' | 'manager' | 'developer', Person>
}
type Installation = { id: string; status: string; tier: string; scopes: string[]; target: { type: string; id: string } }

let demo: Demo
let browser: Browser
let app: Server
/** The app's own page, which people see after the installation. */
let setupUrl: string

demoService<Demo>(async (made) => {
  demo = made
  browser = await launchBrowser()
  app = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<title>at the app</title>'))
  app.listen(0, '127.0.0.1')
  await new Promise((resolve) => app.once('listening', resolve))
  setupUrl = `http://127.0.0.1:${(app.address() as AddressInfo).port}/setup?plan=team`
  const answer = await asDeveloper('PATCH', '', { setup_url: setupUrl })
  if (answer.status !== 200) throw new Error(`the setup URL was not accepted: ${answer.status}`)
})
afterAll(async () => {
  await browser?.close()
  app?.close()
})

const fieldbookApp = () => {
  const found = demo.apps.find(({ name }) => name === 'Fieldbook CRM')
  if (found === undefined) throw new Error('the demo has no Fieldbook CRM')
  return found
}

/** Returns the link of an app's "Install" button. */
function installLink(state: string, more: Readonly<Record<string, string>> = {}): string {
  const key = fieldbookApp().keys.find(({ mode, type }) => mode === 'test' && type === 'confidential')
  return `${demo.base_url}/apps/${key?.client_id}/install?${new URLSearchParams({ state, ...more })}`
}

async function visitor(options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
  const context: BrowserContext = await browser.newContext(options)
  onTestFinished(() => context.close())
  return context.newPage()
}

async function signIn(page: Page, { email, password }: Person): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Calls the portal's API in a browser in which the app's developer is signed in. */
async function asDeveloper(method: string, path: string, data?: object) {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    await page.goto(`${demo.base_url}/sign-in`)
    await signIn(page, demo.people.developer)
    await page.waitForURL((url) => url.pathname !== '/sign-in')
    const me = await (await context.request.get(`${demo.base_url}/portal/api/me`)).json()
    const answer = await context.request.fetch(`${demo.base_url}/portal/api/apps/${fieldbookApp().id}${path}`, {
      method,
      headers: { 'x-portico-csrf': me.meta.csrf },
      ...(data === undefined ? {} : { data }),
    })
    return { status: answer.status(), data: (await answer.json()).data }
  } finally {
    await context.close()
  }
}

const installations = async (): Promise<Installation[]> => (await asDeveloper('GET', '/installations?mode=test')).data

const installationOn = async (target: string | undefined) =>
  (await installations()).find((one) => one.target.id === target && one.status === 'active')

const waitForRedirect = async (page: Page): Promise<Record<string, string>> => {
  await page.waitForURL(`${setupUrl}&**`)
  return Object.fromEntries(new URL(page.url()).searchParams)
}

const overflow = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')

describe('the install page, in a browser', () => {
  test('redirects to the app after a founder cancels, and again after the founder installs the app on their company', async () => {
    const [company] = demo.people.founder.companies
    const page = await visitor()
    await page.goto(installLink('first try'))
    await signIn(page, demo.people.founder)
    await page.getByRole('heading', { name: 'It will be able to' }).waitFor()
    expect(await page.getByText(/Investor names and emails: not granted, because/).count()).toBe(1)
    await page.getByRole('button', { name: 'Cancel' }).click()
    expect(await waitForRedirect(page)).toEqual({ plan: 'team', error: 'access_denied', state: 'first try' })
    expect(await installationOn(company)).toBeUndefined()

    await page.goto(installLink('st&te=2'))
    await page.getByRole('button', { name: /^Install Fieldbook CRM on / }).click()
    const { installation_id, ...rest } = await waitForRedirect(page)
    expect(rest).toEqual({ plan: 'team', state: 'st&te=2' })
    const made = await installationOn(company)
    expect(made).toMatchObject({ id: installation_id, tier: 'founder', target: { type: 'company' } })
    expect(made?.scopes).toContain('read:companies')
    expect(made?.scopes).not.toContain('read:investors:pii')

    await page.goto(installLink('again', { target: company ?? '' }))
    expect(await page.getByText(String(installation_id)).count()).toBe(1)
    expect(await page.getByRole('link', { name: 'Open Fieldbook CRM' }).count()).toBe(1)
    expect(await page.getByRole('link', { name: 'Manage' }).count()).toBe(1)
    await expectAccessible(page)
    expect(await page.getByRole('button', { name: /^Install/ }).count()).toBe(0)

    await page.getByRole('link', { name: 'Connected apps' }).click()
    await page.getByRole('link', { name: /^Remove Fieldbook CRM from / }).click()
    await page.getByRole('button', { name: /^Remove Fieldbook CRM from / }).click()
    await page.getByText(/Fieldbook CRM is removed from /).waitFor()
    expect(await installationOn(company)).toBeUndefined()
  })

  test('lets a manager choose one of their syndicates, without JavaScript, with the keyboard', async () => {
    const { syndicates } = demo.people.manager
    const page = await visitor({ javaScriptEnabled: false })
    await page.goto(installLink('keys'))
    await signIn(page, demo.people.manager)
    await page.getByRole('heading', { name: 'Where do you want to install Fieldbook CRM?' }).waitFor()
    await page.locator(`input[value="${syndicates[0]}"]`).focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('Enter')
    await page.getByText('So the app gets the manager tier').waitFor()
    await page.getByRole('button', { name: /^Install Fieldbook CRM on / }).focus()
    await page.keyboard.press('Enter')
    const { installation_id, state } = await waitForRedirect(page)
    expect(state).toBe('keys')
    expect(await installationOn(syndicates[0])).toMatchObject({ id: installation_id, tier: 'manager' })
  })

  test('shows an editor which scopes they cannot grant, and the installation cannot write', async () => {
    const [company] = demo.people.editor.companies
    const page = await visitor()
    await page.goto(installLink('editor', { target: company ?? '' }))
    await signIn(page, demo.people.editor)
    await page.getByText('Anything that changes your company: not granted, because editors cannot grant it.').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: /^Install Fieldbook CRM on / }).click()
    await waitForRedirect(page)
    const made = await installationOn(company)
    expect(made?.tier).toBe('editor')
    expect(made?.scopes.filter((scope) => scope.startsWith('write:'))).toEqual([])
  })

  test('says who can install, and links back to the app, if the person has no company and no syndicate', async () => {
    const page = await visitor()
    await page.goto(installLink('nobody'))
    await signIn(page, demo.people.investor)
    await page.getByText('There is nothing you can install it on').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Return to Fieldbook CRM' }).click()
    expect(await waitForRedirect(page)).toMatchObject({ error: 'access_denied', state: 'nobody' })
  })

  test('shows an error page for an unknown app and does not redirect', async () => {
    const page = await visitor()
    const answer = await page.goto(`${demo.base_url}/apps/pk_test_nobody/install?state=x`)
    expect(answer?.status()).toBe(404)
    expect(await page.getByRole('heading', { name: 'We do not know this app' }).count()).toBe(1)
  })

  test.each([
    ['a small phone', { viewport: { width: 360, height: 640 } }],
    ['a desktop at 200 %', { viewport: { width: 640, height: 480 }, deviceScaleFactor: 2 }],
  ])('fits on %s: nothing is cut off at the side', async (_, options) => {
    const page = await visitor(options)
    await page.goto(installLink('small'))
    await signIn(page, demo.people.manager)
    await page.getByRole('heading', { name: /^Where do you want to install/ }).waitFor()
    expect(await overflow(page)).toBe(0)
    await expectAccessible(page)
    await page.getByRole('radio').first().check()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'It will be able to' }).waitFor()
    await page.getByText(/^Also granted/).click()
    expect(await overflow(page)).toBe(0)
    await page.goto(`${demo.base_url}/settings/apps`)
    expect(await overflow(page)).toBe(0)
    await expectAccessible(page)
  })
})
