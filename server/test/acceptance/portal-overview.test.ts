import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser } from '#test/browser.ts'
import { expectAccessible } from './accessibility.ts'
import { demoService } from './demo-service.ts'
import { openPortal, type PortalDemo } from './portal.ts'

type Demo = PortalDemo & {
  readonly operator_keys: { readonly test: string }
  readonly ids: Readonly<Record<'company' | 'offering_public', string>>
  readonly people: Readonly<Record<'founder' | 'investor', { readonly id: string }>>
  readonly apps: readonly { readonly keys: readonly { readonly client_id: string }[] }[]
}

let demo: Demo
let browser: Browser
/** A partner's own server. */
let partner: Server
let isBroken = false
/** The number of deliveries that the server received. */
let deliveries = 0

demoService<Demo>(async (made) => {
  demo = made
  browser = await launchBrowser()
})
beforeAll(async () => {
  partner = createServer((request, response) => {
    deliveries += 1
    request.resume().on('end', () => response.writeHead(isBroken ? 500 : 204).end())
  })
  await new Promise<void>((resolve) => partner.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  await browser?.close()
  partner?.close()
})

const hook = () => `http://127.0.0.1:${(partner.address() as AddressInfo).port}/hook`
const app = () => demo.apps[0]
const open = (path: string) => openPortal({ demo, browser }, `/developers/apps/${app()?.id}${path}`)
const key = () => app()?.keys[0]?.client_id ?? ''

async function operate(path: string, body: object): Promise<void> {
  const answer = await fetch(demo.base_url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${demo.operator_keys.test}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(answer.status, await answer.text()).toBeLessThan(300)
}

/** Invests, and waits until the delivery was attempted, because the page reloads its data only every 15 seconds. */
async function invest(): Promise<void> {
  const before = deliveries
  await operate('/sandbox/investments', {
    ...{ offering: demo.ids.offering_public, investor: demo.people.investor.id, amount_cents: 25_000 },
  })
  await expect.poll(() => deliveries).toBeGreaterThan(before)
}

const readPublicly = () => fetch(`${demo.base_url}/explore`, { headers: { authorization: `Bearer ${key()}` } })

const step = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })

describe('the overview of an app', () => {
  test('shows a new app the steps to the first delivered event, marks those that are done, and hides the list at the end', async () => {
    const page = await open('')
    await page.getByRole('heading', { name: 'First steps' }).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/developers/apps/${app()?.id}/overview`)
    await step(page, 'Create a test key').getByText('(done)').waitFor()
    await page.getByRole('heading', { name: 'API requests' }).waitFor()
    await expectAccessible(page)
    expect((await readPublicly()).status).toBe(200)
    await operate('/sandbox/installations', {
      ...{ client_id: key(), target_type: 'company', target_id: demo.ids.company, user: demo.people.founder.id },
    })
    await page.getByRole('link', { name: 'Add an endpoint' }).click()
    await page.getByLabel('URL').fill(hook())
    await page.getByRole('button', { name: 'Add the endpoint' }).click()
    await page.getByRole('button', { name: 'I have stored it' }).click()
    await invest()
    await page.getByRole('link', { name: 'Overview', exact: true }).click()
    await page.getByText('Nothing needs attention in this mode.').waitFor()
    await expect.poll(() => page.getByRole('heading', { name: 'First steps' }).count()).toBe(0)
    await page.getByText(/^1 request, 0 errors$/).waitFor()
    await expectAccessible(page)
  })

  test('shows the numbers of each chart in a table, and the range in the address', async () => {
    const page = await open('/overview')
    await page.getByText('API requests as a table').click()
    await page.getByRole('region', { name: 'API requests, newest first' }).getByRole('row').nth(1).waitFor()
    await page.getByRole('combobox', { name: 'Time' }).selectOption('quarter')
    await expect.poll(() => new URL(page.url()).searchParams.get('range')).toBe('quarter')
    await page.getByRole('img', { name: /^API requests, 90 days/ }).waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Live', exact: true }).click()
    await page.getByText('of 6 done in live mode.').waitFor()
    await page.getByText(/^0 requests, 0 errors$/).waitFor()
  })

  test('shows a failing endpoint as needing attention, with a link to it', async () => {
    isBroken = true
    await invest()
    const page = await open('/overview')
    await page.getByText(/^Broken/).waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Open the endpoint' }).click()
    await page.getByText(/Deliveries have failed since/).waitFor()
  })
})

describe('the limits of an app', () => {
  test('show the remaining budget now, and the use over time', async () => {
    await readPublicly()
    const page = await open('/limits')
    const row = page.getByRole('row').filter({ hasText: 'Public reads with a publishable key' })
    await row.getByText(/^29\d$/).waitFor()
    await page.getByRole('img', { name: /^Public reads with a publishable key for each key, 24 hours/ }).waitFor()
    await page.getByText('No token made a request in this hour.').waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Live', exact: true }).click()
    await row.getByText('300', { exact: true }).waitFor()
    await page.getByText('No token or key of this app was used in live mode in this time.').waitFor()
    await expectAccessible(page)
  })

  test('have their own name where this build of the portal has no words for them', async () => {
    const page = await open('/settings')
    const unknown = 'limit_of_a_newer_server'
    await page.route(/\/portal\/api\/apps\/[^/]+\/overview/, async (route) => {
      const response = await route.fetch()
      const body = await response.json()
      const at = new Date().toISOString()
      const item = { subject: null, at, reason: null, scopes: null, count: 3, name: unknown }
      body.data.attributes.attention = [
        { ...item, kind: 'limit_near', severity: 'warning' },
        { ...item, kind: 'limit_reached', severity: 'danger' },
      ]
      await route.fulfill({ response, json: body })
    })
    await page.route(/\/portal\/api\/apps\/[^/]+\/limits$/, async (route) => {
      const response = await route.fetch()
      const body = await response.json()
      const [known] = body.data.attributes.limits
      body.data.attributes.limits.push({ ...known, name: unknown })
      await route.fulfill({ response, json: body })
    })
    await page.getByRole('link', { name: 'Overview', exact: true }).click()
    await page.getByText(`More than 80 % of the limit “${unknown}” were used`).waitFor()
    await page.getByText(`over the limit “${unknown}”`).waitFor()
    await page.getByRole('link', { name: 'See the limits' }).first().click()
    await page.getByRole('region', { name: 'Limits of an IP address' }).getByRole('row', { name: unknown }).waitFor()
    await expectAccessible(page)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })
})
