import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '#test/browser.ts'
import { expectAccessible } from './accessibility.ts'
import { demoService } from './demo-service.ts'
import { type Client, type Credentials, connect } from './person.ts'
import { openPortal, type PortalDemo } from './portal.ts'

type App = PortalDemo['apps'][number] & { readonly keys: readonly Client[] }
type Demo = Omit<PortalDemo, 'apps' | 'people'> & {
  readonly apps: readonly App[]
  readonly people: PortalDemo['people'] & { readonly editor: Credentials }
  readonly operator_keys: { readonly live: string }
}

let demo: Demo
let browser: Browser
let installation: { readonly id: string; readonly name: string }

demoService<Demo>(async (made) => {
  demo = made
  browser = await launchBrowser()
})
beforeAll(async () => {
  installation = await installByEditor()
})
afterAll(() => browser?.close())

const crmApp = () => {
  const [app] = demo.apps
  const [key] = app?.keys ?? []
  if (app === undefined || key === undefined) throw new Error('the demo has no app')
  return { id: app.id, key }
}

/**
 * Installs the app as an editor. An editor cannot grant `write:` scopes, so the installation lacks some of the app's
 * scopes.
 */
async function installByEditor() {
  const scopes = ['read:installations', 'write:installations']
  const { access_token } = await connect(demo.base_url, demo.people.editor, { client: crmApp().key, scopes })
  const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' }
  const eligible = await fetch(`${demo.base_url}/installations/eligible`, { headers })
  const { data } = (await eligible.json()) as { data: { id: string }[] }
  const company = data.find(({ id }) => id.startsWith('co_'))
  const body = JSON.stringify({ target_type: 'company', target_id: company?.id })
  const answer = await fetch(`${demo.base_url}/installations`, { method: 'POST', headers, body })
  const made = (await answer.json()) as { data: { id: string; target: { name: string } } }
  return { id: made.data.id, name: made.data.target.name }
}

const open = (path: string) => openPortal({ demo, browser }, `/developers/apps/${crmApp().id}${path}`)

test('a person sees why an installation lacks a scope, mints a token, and revokes the installation', async () => {
  const page = await open('/installations')
  await page.getByRole('table').waitFor()
  await expectAccessible(page)
  await page.getByRole('link', { name: installation.name }).click()
  await page.getByRole('heading', { name: installation.name, level: 1 }).waitFor()
  const line = page.getByRole('listitem').filter({ hasText: 'write:webhooks' })
  expect(await line.innerText()).toMatch(/A person of this tier cannot grant this scope\..*Missing/s)
  await page.getByText(`${demo.base_url}/apps/${crmApp().key.client_id}/install`).waitFor()
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Mint a token' }).click()
  await page.getByRole('button', { name: 'Mint the token' }).click()
  const shown = page.getByRole('dialog').locator('.secret code')
  const token = await shown.innerText()
  await page.getByRole('button', { name: 'I have stored it' }).click()
  const headers = { authorization: `Bearer ${token}` }
  const read = () => fetch(`${demo.base_url}/installations/${installation.id}`, { headers })
  expect((await read()).status).toBe(200)

  await page.getByRole('button', { name: 'Revoke', exact: true }).click()
  await page.getByLabel(`Type ${installation.name} to confirm`).fill(installation.name)
  await page.getByRole('button', { name: `Revoke ${installation.name}` }).click()
  await page.getByText(`The installation on ${installation.name} is revoked`).waitFor()
  expect((await read()).status).toBe(401)

  await page.getByRole('link', { name: 'History' }).click()
  await page.getByRole('link', { name: 'Installation token minted' }).first().click()
  await page.getByRole('dialog').getByText(installation.id).waitFor()
  await expectAccessible(page)
})

test('a person requests investor PII and a program, and sees that the platform has not decided', async () => {
  const page = await open('/programs')
  await page.getByRole('heading', { name: 'Usage conditions' }).waitFor()
  await page.getByRole('button', { name: 'Request approval' }).click()
  await page.getByRole('button', { name: 'Send the request' }).click()
  await page.getByText('Requested, not decided yet').waitFor()
  await page.getByRole('button', { name: 'Request Founder' }).click()
  await page.getByText('Founder is requested').waitFor()
  await page.getByRole('button', { name: 'Request Founder' }).waitFor({ state: 'detached' })
  expect(await page.getByText('Requested, not decided yet').count()).toBe(2)
  await expectAccessible(page)
})

test('a person whose app is in a program requests the higher tier once, and sees that the platform has not decided', async () => {
  const granted = await fetch(`${demo.base_url}/platform/apps/${crmApp().id}/programs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${demo.operator_keys.live}`, 'content-type': 'application/json' },
    body: JSON.stringify({ program: 'marketing_partner', tier: 0 }),
  })
  expect(granted.status).toBeLessThan(300)
  const page = await open('/programs')
  const tier = (name: string) => page.getByRole('listitem').filter({ hasText: `Marketing partner, ${name}` })
  await tier('tier 0').getByText('Approved').waitFor()
  await page.getByRole('button', { name: 'Request Marketing partner, tier 1' }).click()
  await tier('tier 1').getByText('Requested, not decided yet').waitFor()
  expect(await tier('tier 1').getByRole('button').count()).toBe(0)
  await tier('tier 0').getByText('Approved').waitFor()
})

test('a person without a team cannot open the app’s pages', async () => {
  const path = `/developers/apps/${crmApp().id}/installations/${installation.id}`
  const page = await openPortal({ demo, browser, person: 'investor' }, path)
  await expect.poll(() => page.getByRole('heading', { level: 1 }).innerText()).toBe('Not found')
})
