import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser } from '#test/browser.ts'
import { expectAccessible } from './accessibility.ts'
import { demoService } from './demo-service.ts'
import { openPortal, type PortalDemo } from './portal.ts'

type Demo = PortalDemo & {
  readonly apps: readonly { readonly keys: readonly { readonly client_id: string; readonly client_secret: string }[] }[]
}

let demo: Demo
let browser: Browser
/** A partner's own server, which fails at first. */
let partner: Server
let isBroken = true
const received: string[] = []

demoService<Demo>(async (made) => {
  demo = made
  browser = await launchBrowser()
})
beforeAll(async () => {
  partner = createServer(async (request, response) => {
    const event = (await json(request)) as { readonly id: string }
    if (!isBroken) received.push(event.id)
    response.writeHead(isBroken ? 500 : 204).end(isBroken ? 'no such table: orders' : undefined)
  })
  await new Promise<void>((resolve) => partner.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  await browser?.close()
  partner?.close()
})

const hook = () => `http://127.0.0.1:${(partner.address() as AddressInfo).port}/hook`
const appPath = (path: string) => `/developers/apps/${demo.apps[0]?.id}/${path}`
const open = (path: string) => openPortal({ demo, browser }, appPath(path))

const key = () => demo.apps[0]?.keys[0] ?? { client_id: '', client_secret: '' }

describe('webhooks in the developer portal', () => {
  test('a developer adds an endpoint, and test events show why it fails and when it works', async () => {
    const page = await open('webhooks')
    await page.getByRole('heading', { name: 'No endpoint in test mode yet' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Add an endpoint' }).click()
    await page.getByLabel('URL').fill(hook())
    await page.getByLabel('All events').uncheck()
    await page.getByLabel('investment.*').check()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Add the endpoint' }).click()
    await page
      .getByRole('dialog')
      .getByText(/^whsec_/)
      .waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'I have stored it' }).click()

    await page.getByRole('button', { name: 'Send the test' }).click()
    await page.getByText('Your endpoint answered 500.').waitFor()
    await expectAccessible(page)
    isBroken = false
    await page.getByRole('button', { name: 'Send the test' }).click()
    await page.getByText(/Delivered in \d+ ms/).waitFor()
    expect(received).toEqual([expect.stringMatching(/^evt_test_/)])
  })

  test('a developer rotates a secret, which is shown once, and deletes an endpoint by its name', async () => {
    const page = await open('webhooks')
    await page.getByRole('link', { name: hook() }).click()
    await page.getByRole('button', { name: 'Rotate the secret' }).click()
    await page
      .getByRole('dialog')
      .getByText(/^whsec_/)
      .waitFor()
    await page.getByRole('button', { name: 'I have stored it' }).click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    const confirm = page.getByRole('button', { name: 'Delete the endpoint' })
    expect(await confirm.isDisabled()).toBe(true)
    await page.getByLabel(/^Type .+ to confirm$/).fill(new URL(hook()).host)
    await confirm.click()
    await page.getByRole('heading', { name: 'No endpoint in test mode yet' }).waitFor()
  })
})

describe('the request log in the developer portal', () => {
  const call = async (path: string) => {
    const { client_id, client_secret } = key()
    const authorization = `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`
    const answer = await fetch(demo.base_url + path, { headers: { authorization } })
    return answer.headers.get('x-request-id') ?? ''
  }

  test('a request appears while the list is live, and the palette finds it by its id', async () => {
    const page = await open('logs?live=on&status=error')
    await page.getByText('waiting for new rows').waitFor()
    await expectAccessible(page)
    const id = await call('/events/evt_000000000000000000000000')
    await page.getByRole('link', { name: 'GET /events/{id}' }).first().waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search sections, apps and ids' }).fill(id)
    await page.getByRole('option', { name: id }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'GET /events/{id}', level: 1 }).waitFor()
    await page.getByText('not_found').waitFor()
    await expectAccessible(page)
    expect(new URL(page.url()).pathname).toBe(appPath(`logs/${id}`))
  })

  test('filters are in the address, and a filter without matches shows a message', async () => {
    await call('/events')
    const page = await open('logs')
    await page.getByRole('link', { name: 'GET /events' }).first().waitFor()
    await expectAccessible(page)
    await page.getByRole('combobox', { name: 'Method' }).selectOption('DELETE')
    await page.getByRole('heading', { name: 'No request matches' }).waitFor()
    expect(new URL(page.url()).searchParams.get('method')).toBe('DELETE')
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByRole('link', { name: 'GET /events' }).first().waitFor()
  })

  test('a long list loads its next page when a person scrolls, and renders only the visible rows', async () => {
    await call('/events/evt_111111111111111111111111')
    for (let count = 0; count < 13; count += 1) await Promise.all(Array.from({ length: 10 }, () => call('/events')))
    const page = await open('logs')
    const list = page.getByRole('region', { name: 'API requests, newest first' })
    await list.getByRole('link', { name: 'GET /events' }).first().waitFor()
    await expect
      .poll(async () => {
        await list.press('End')
        return list.getByRole('link', { name: 'GET /events/{id}' }).count()
      })
      .toBeGreaterThan(0)
    expect(await list.getByRole('row').count()).toBeLessThan(100)
    expect(Number(await list.getByRole('table').getAttribute('aria-rowcount'))).toBeGreaterThan(131)
  })
})
