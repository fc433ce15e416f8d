import { generateSync } from 'otplib'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { launchBrowser } from '#test/browser.ts'
import { expectAccessible } from './accessibility.ts'
import { demoService } from './demo-service.ts'
import type { Client } from './person.ts'
import { openPortal, type PortalDemo } from './portal.ts'

type Person = { readonly id: string; readonly email: string; readonly password: string }
type Demo = Omit<PortalDemo, 'apps' | 'people'> & {
  readonly operator_keys: Readonly<Record<'test' | 'live', string>>
  readonly ids: { readonly company: string }
  readonly people: Readonly<Record<'developer' | 'investor' | 'founder' | 'manager', Person>>
  readonly apps: readonly { readonly id: string; readonly name: string; readonly keys: readonly Client[] }[]
}

let demo: Demo
let browser: Browser
/** A member of the platform's staff who has proved their second factor. */
let staffState: Awaited<ReturnType<BrowserContext['storageState']>> | undefined

demoService<Demo>(async (made) => {
  demo = made
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

const APP = 'Fieldbook Digest'
const WHY = 'Ticket 4711'

function digest() {
  const app = demo.apps.find(({ name }) => name === APP)
  const [key] = app?.keys ?? []
  if (app === undefined || key === undefined) throw new Error(`the demo has no ${APP}`)
  return { app, key }
}

async function asOperator(world: 'test' | 'live', method: string, path: string, body?: object) {
  const headers = {
    authorization: `Bearer ${demo.operator_keys[world]}`,
    'content-type': 'application/json',
    'x-portico-reason': 'A%20test',
  }
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const answer = await fetch(demo.base_url + path, { method, headers, ...sent })
  expect(answer.status, `${method} ${path}`).toBeLessThan(300)
  return (await answer.json()) as { readonly data: { readonly id: string; readonly scopes?: readonly string[] } }
}

async function giveRole({ email }: Person, role: string): Promise<void> {
  const found = await asOperator('live', 'GET', `/platform/accounts?query=${encodeURIComponent(email)}`)
  const [account] = found.data as unknown as readonly { readonly id: string }[]
  await asOperator('live', 'PUT', `/platform/accounts/${account?.id}/staff_role`, { role })
}

async function visit(path: string, state?: typeof staffState): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-US', ...(state === undefined ? {} : { storageState: state }) })
  const page = await context.newPage()
  const mistakes: string[] = []
  page.on('pageerror', (error) => mistakes.push(error.message))
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) mistakes.push(message.text())
  })
  onTestFinished(async () => {
    await context.close()
    expect(mistakes).toEqual([])
  })
  await page.goto(demo.base_url + path)
  return page
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

async function decide(page: Page, button: string, confirm: string): Promise<void> {
  await press(page, button)
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason for the audit').fill(WHY)
  await dialog.getByRole('button', { name: confirm, exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
}

describe('the operator console', () => {
  test('does not exist for a person without a role, and opens with a role and a second factor', async () => {
    const { manager } = demo.people
    const page = await visit('/console/requests')
    await page.getByLabel('Email').fill(manager.email)
    await page.getByLabel('Password', { exact: true }).fill(manager.password)
    await press(page, 'Sign in')
    await heading(page, 'There is nothing here')

    await giveRole(manager, 'compliance')
    await page.reload()
    await heading(page, 'Set up a second factor')
    await expectAccessible(page)
    const scripts = await page
      .locator('script[src*="/developers/console/"]')
      .evaluateAll((all) => all.map(({ src }) => src))
    expect(scripts).toHaveLength(1)
    await page.getByRole('link', { name: 'Open your security settings' }).click()
    await page.goto(`${demo.base_url}/settings/security/authenticator`)
    const secret = (await page.locator('code.whole').innerText()).replaceAll(' ', '')
    await page.getByLabel('Code from the app').fill(generateSync({ secret }))
    await press(page, 'Set up the app')
    await heading(page, 'Your recovery codes')
    const code = await page.locator('.codes code').first().innerText()

    await page.goto(`${demo.base_url}/console/requests`)
    await heading(page, 'Confirm with your second factor')
    await page.getByRole('link', { name: 'Confirm', exact: true }).click()
    await page.getByLabel('Code').fill(code)
    await press(page, 'Confirm with the code')
    await heading(page, 'Requests')
    await page.getByRole('link', { name: APP }).waitFor()
    await expectAccessible(page)
    staffState = await page.context().storageState()

    // To another person, and to a visitor, the script does not exist either.
    const others = await openPortal({ demo, browser }, '/developers/apps')
    for (const address of scripts) {
      expect((await others.context().request.get(address)).status()).toBe(404)
      expect((await fetch(address)).status).toBe(401)
    }
    expect((await others.goto(`${demo.base_url}/console`))?.status()).toBe(404)
  })

  test('approves an app and investor PII, and a new installation carries it', async () => {
    const { app, key } = digest()
    const team = await openPortal({ demo, browser }, `/developers/apps/${app.id}/settings`)
    const { meta } = await (await team.context().request.get(`${demo.base_url}/portal/api/me`)).json()
    const ask = async (path: string, data?: object) => {
      const headers = { 'x-portico-csrf': meta.csrf }
      const url = `${demo.base_url}/portal/api/apps/${app.id}/${path}`
      const answer = await team.context().request.post(url, { headers, ...(data === undefined ? {} : { data }) })
      expect(answer.status(), await answer.text()).toBeLessThan(300)
    }
    await ask('pii_request')
    await ask('scopes', { scopes: ['read:companies', 'read:investors:pii'] })
    const install = () =>
      asOperator('test', 'POST', '/sandbox/installations', {
        ...{ client_id: key.client_id, target_type: 'company', target_id: demo.ids.company },
        user: demo.people.founder.id,
      })

    const page = await visit('/console/requests?kind=pii', staffState)
    await page.getByRole('link', { name: APP }).click()
    await heading(page, APP)
    await decide(page, 'Approve the app', 'Approve')
    await press(page, 'Approve investor PII')
    await expectAccessible(page)
    await press(page, 'Cancel')
    await decide(page, 'Approve investor PII', 'Approve')
    await page.getByRole('button', { name: 'Withdraw investor PII' }).waitFor()
    expect((await install()).data.scopes).toContain('read:investors:pii')

    await page.getByLabel('Why do you read it?').fill(WHY)
    await press(page, 'Show it')
    const history = page.getByRole('list', { name: 'History of the app' })
    await history.getByText(`: ${WHY}`).first().waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Requests' }).click()
    await page.getByText('Nothing waits').waitFor()
  })

  test('suspends an app that was found by its client id: its token is rejected at once, until the suspension is lifted', async () => {
    const { key } = digest()
    const statusOf = async () =>
      (await fetch(`${demo.base_url}/explore`, { headers: { authorization: `Bearer ${key.client_id}` } })).status
    const page = await visit('/console/partners', staffState)
    await page.getByLabel('Search').fill(key.client_id)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: APP }).click()
    await heading(page, APP)
    expect(await statusOf()).toBe(200)
    await press(page, 'Suspend the app')
    const dialog = page.getByRole('dialog')
    const confirm = dialog.getByRole('button', { name: `Suspend ${APP}` })
    await dialog.getByLabel('What the team has to know').fill('Shows amounts without the time they were fetched.')
    await dialog.getByLabel('Reason for the audit').fill(WHY)
    expect(await confirm.isDisabled()).toBe(true)
    await dialog.getByLabel(`Type ${APP} to confirm`).fill(APP)
    await confirm.click()
    await page.getByText(`${APP} is suspended`).waitFor()
    expect(await statusOf()).toBe(401)
    await page.getByText('Shows amounts without the time they were fetched.').waitFor()
    await decide(page, 'Lift the suspension', 'Lift the suspension')
    await expect.poll(statusOf).toBe(200)
  })

  test('shows a viewer neither decisions nor the end of a partner', async () => {
    await giveRole(demo.people.manager, 'viewer')
    const page = await visit(`/console/apps/${digest().app.id}`, staffState)
    await page.getByText('The role compliance decides about these.').waitFor()
    expect(await page.getByRole('button', { name: /Approve|Withdraw|Suspend/ }).count()).toBe(0)
    await page.getByRole('link', { name: 'Partners', exact: true }).first().click()
    await heading(page, 'Partners')
    await expectAccessible(page)
  })
})
