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
  readonly operator_keys: { readonly test: string }
  readonly ids: Readonly<Record<'company' | 'offering_public' | 'offering_testing_the_waters' | 'syndicate', string>>
  readonly people: Readonly<
    Record<'developer' | 'founder' | 'investor', { readonly id: string; readonly name: string }>
  >
  readonly apps: readonly { readonly keys: readonly { readonly client_id: string }[] }[]
}

type Received = { readonly event: string; readonly data: { readonly id: string } }

let demo: Demo
let browser: Browser
/** A partner's own server. */
let partner: Server
const received: Received[] = []

demoService<Demo>(async (made) => {
  demo = made
  browser = await launchBrowser()
})
beforeAll(async () => {
  partner = createServer(async (request, response) => {
    received.push((await json(request)) as Received)
    response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => partner.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  await browser?.close()
  partner?.close()
})

const appPath = (path: string) => `/developers/apps/${demo.apps[0]?.id}/${path}`
const open = (path: string) => openPortal({ demo, browser }, appPath(path))

async function operate(path: string, body: object): Promise<void> {
  const answer = await fetch(demo.base_url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${demo.operator_keys.test}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(answer.status, await answer.text()).toBeLessThan(300)
}

const install = () =>
  operate('/sandbox/installations', {
    ...{ client_id: demo.apps[0]?.keys[0]?.client_id, target_type: 'company', target_id: demo.ids.company },
    user: demo.people.founder.id,
  })

/** The test opens ten pages, and runs axe-core on two of them. */
const WHOLE_WAY_MS = 120_000

describe('the sandbox in the developer portal', () => {
  test(
    'a developer follows one investment from the sandbox button to its delivery',
    async () => {
      const page = await open('sandbox')
      await page.getByText('it is not installed in test mode').waitFor()
      await install()
      const missing: string[] = []
      page.on('response', (response) => response.status() === 404 && missing.push(response.url()))
      await page.goto(`${new URL('webhooks/new', page.url())}`)
      await page.getByLabel('URL').fill(`http://127.0.0.1:${(partner.address() as AddressInfo).port}/hook`)
      await page.getByRole('button', { name: 'Add the endpoint' }).click()
      await page.getByRole('button', { name: 'I have stored it' }).click()

      await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Sandbox' }).click()
      await page
        .getByRole('navigation', { name: 'Moves' })
        .getByRole('link', { name: 'Investments', exact: true })
        .click()
      await page.getByText('Make a move.').waitFor()
      await page.getByText('Not ahead').waitFor()
      await expectAccessible(page)
      const form = page.locator('form').filter({ hasText: 'Create an investment' })
      const amount = form.getByLabel('Amount in cents')
      await amount.fill('much')
      await page.getByRole('button', { name: 'Create an investment' }).click()
      await form.getByRole('alert').getByText('Amount cents must be').waitFor()
      await amount.fill('25000')
      // The suggested values work: an open offering of the company on which the app is installed, and a person.
      await form.getByText('open for investments').waitFor()
      await form.getByText(demo.people.investor.name).waitFor()
      await page.getByRole('button', { name: 'Create an investment' }).dblclick()
      // There is one line, because a double click makes only one investment.
      const caused = (event: string) => page.locator('.caused > li').filter({ hasText: event })
      const delivery = caused('investment.created').getByRole('link', { name: 'Delivery Delivered' })
      await delivery.waitFor()
      // The next delivery follows when the ledger has published the investment.
      await caused('investment.changed').getByRole('link', { name: 'Delivery Delivered' }).waitFor()
      expect(missing).toEqual([])
      await expectAccessible(page)
      await expect.poll(() => received.map(({ event }) => event)).toContain('investment.created')
      await page.getByRole('link', { name: 'investment.created' }).click()
      await page.getByRole('heading', { name: 'Payload' }).waitFor()
      await page.getByRole('link', { name: /^dlv_/ }).click()
      await page.getByRole('listitem').filter({ hasText: 'Attempt 1' }).getByText('204').waitFor()
      await page.goBack()
      await page.getByRole('heading', { name: 'Payload' }).waitFor()
      await page.goBack()

      // The page still shows the moves of this visit.
      await delivery.click()
      await page.getByText('204').first().waitFor()
      await page.goBack()
      await delivery.waitFor()
      const [made] = received.filter(({ event }) => event === 'investment.created')
      await expect.poll(() => page.getByLabel('Investment id').inputValue()).toBe(made?.data.id)

      await page.getByRole('button', { name: 'Pay an investment' }).click()
      await page
        .getByRole('listitem')
        .filter({ has: page.getByText('Pay an investment', { exact: true }) })
        .getByRole('link', { name: 'investment.changed' })
        .waitFor()
      await page.getByRole('button', { name: 'Reinstate an investment' }).click()
      await page.getByRole('alert').waitFor()
      await expect.poll(() => page.getByText('Rejected').count()).toBe(2)
      await page.getByRole('button', { name: 'Cancel an investment' }).click()
      await expect.poll(() => received.map(({ event }) => event)).toContain('investment.canceled')
    },
    WHOLE_WAY_MS,
  )

  test(
    'every scenario plays its moves in order',
    async () => {
      const page = await open('sandbox')
      const ids: Readonly<Record<string, string>> = {
        ...{ Offering: demo.ids.offering_public, Investor: demo.people.investor.id, User: demo.people.developer.id },
        ...{ 'Next offering': demo.ids.offering_public, Syndicate: demo.ids.syndicate },
      }
      await page.getByRole('button', { name: 'Play: Investment to execution' }).waitFor()
      const buttons = await page.getByRole('button', { name: /^Play: / }).allTextContents()
      for (const name of buttons) {
        const form = page.locator('form').filter({ hasText: name })
        for (const [label, id] of Object.entries(ids)) {
          const field = form.getByLabel(label, { exact: true })
          if ((await field.count()) === 1) await field.fill(id)
        }
        if (name.includes('Reservation')) {
          await form.getByLabel('Offering', { exact: true }).fill(demo.ids.offering_testing_the_waters)
        }
        await form.getByRole('button').click()
        const rejection = form.getByRole('alert')
        await page.getByText(name.replace('Play:', 'Done:')).or(rejection).first().waitFor()
        expect(await rejection.allTextContents(), name).toEqual([])
      }
      expect(buttons).toHaveLength(5)
      expect(await page.getByText('investment.executed').count()).toBe(2)
      await expectAccessible(page)
    },
    WHOLE_WAY_MS,
  )

  test('every move of the sandbox has its button', async () => {
    const page = await open('sandbox?moves=investments')
    await page.getByRole('button', { name: 'Create an investment' }).waitFor()
    const tabs = await page.getByRole('navigation', { name: 'Moves' }).getByRole('link').allTextContents()
    let buttons = 0
    for (const tab of tabs.slice(1)) {
      await page.getByRole('navigation', { name: 'Moves' }).getByRole('link', { name: tab, exact: true }).click()
      await expect.poll(() => page.locator('a[aria-current="page"]').allTextContents()).toContain(tab)
      buttons += await page.locator('form button[type="submit"]').count()
    }
    await expectAccessible(page)
    const answer = await fetch(`${demo.base_url}/openapi.json`)
    const { paths } = (await answer.json()) as { readonly paths: object }
    const moves = Object.entries(paths).filter(
      ([path, methods]) =>
        path.startsWith('/portal/api/apps/{app_id}/sandbox/') && !path.endsWith('/company') && 'post' in methods,
    )
    expect(buttons).toBe(moves.length)
  })

  test('in live mode the page says that the sandbox is in test mode only, and offers to switch', async () => {
    const page = await open('sandbox?mode=live')
    await page.getByRole('heading', { name: 'The sandbox is in test mode only' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Switch to test mode' }).click()
    await page.getByRole('heading', { name: 'Clock' }).waitFor()
  })
})
