import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
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

async function operate(path: string, body: object): Promise<void> {
  const answer = await fetch(demo.base_url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${demo.operator_keys.test}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(answer.status, await answer.text()).toBeLessThan(300)
}

const key = () => demo.apps[0]?.keys[0] ?? { client_id: '', client_secret: '' }

const install = () =>
  operate('/sandbox/installations', {
    ...{ client_id: key().client_id, target_type: 'company', target_id: demo.ids.company },
    user: demo.people.founder.id,
  })

const invest = () =>
  operate('/sandbox/investments', {
    ...{ offering: demo.ids.offering_public, investor: demo.people.investor.id, amount_cents: 25_000 },
  })

/**
 * The waits between attempts. Each is at least as long as the wait of the schedule with the largest jitter. Their sum
 * is shorter than the time after which an endpoint is disabled.
 */
const UNTIL_EXHAUSTED = ['PT6S', 'PT6M', 'PT36M', 'PT144M', 'PT6H', 'PT12H', 'PT17H', 'PT24H', 'PT29H']

/** Moves the clock from attempt to attempt until all attempts have failed. */
async function exhaust(page: Page): Promise<void> {
  const attempts = page.getByRole('listitem').filter({ hasText: /^Attempt \d/ })
  for (const [at, advance] of UNTIL_EXHAUSTED.entries()) {
    await expect.poll(() => attempts.count()).toBeGreaterThan(at)
    await operate('/sandbox/clock', { advance })
  }
  await page.getByText('There are no more automatic attempts.').waitFor()
}

/** The test waits for ten attempts. It sees each on the page before it moves the clock. */
const EXHAUSTING_MS = 240_000

describe('deliveries and events in the developer portal', () => {
  test(
    'a developer finds out why a webhook failed, fixes the receiver and replays the failed deliveries',
    async () => {
      await install()
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
      await page.getByText('How to verify a signature').click()
      await page.getByRole('dialog').getByText('nodeHandler').waitFor()
      await expectAccessible(page)
      await page.getByRole('button', { name: 'I have stored it' }).click()

      await page.getByRole('button', { name: 'Send the test' }).click()
      await page.getByText('Your endpoint answered 500.').waitFor()
      await expectAccessible(page)
      await invest()
      await page.getByRole('link', { name: 'Deliveries to this endpoint' }).click()
      await page.getByRole('checkbox', { name: /^Live tail/ }).check()
      await page.getByRole('link', { name: 'investment.created' }).click()
      await page.getByText('no such table: orders').first().waitFor()
      await expectAccessible(page)
      await page.getByRole('link', { name: 'Open the endpoint' }).click()
      await page.getByRole('button', { name: 'Replay', exact: true }).click()
      await page.getByText('Deliveries that wait for a retry are sent later').waitFor()
      await page.getByRole('link', { name: 'redeliver them now' }).click()
      await page.getByRole('link', { name: 'investment.created' }).click()
      await exhaust(page)

      isBroken = false
      await page.getByRole('link', { name: 'Open the endpoint' }).click()
      await page.getByText(/Deliveries have failed since/).waitFor()
      await page.getByRole('button', { name: 'Replay', exact: true }).click()
      await page.getByText(/(delivery is|deliveries are) sent again/).waitFor()
      await expect.poll(() => received.length).toBeGreaterThan(0)
      await page.getByRole('link', { name: 'Deliveries to this endpoint' }).click()
      await page.getByRole('combobox', { name: 'Status' }).selectOption('delivered')
      await page.getByRole('checkbox', { name: /^Live tail/ }).check()
      await page.getByRole('link', { name: 'investment.created' }).first().click()
      await page.getByText('Repeats').waitFor()
      await page.getByRole('listitem').filter({ hasText: 'Attempt 1' }).getByText('204').waitFor()
      expect(received.every((id) => id.startsWith('evt_'))).toBe(true)
    },
    EXHAUSTING_MS,
  )

  test('two clicks lead from an event to its delivery and payload, and one or several deliveries are sent again', async () => {
    isBroken = false
    const page = await open('events?event=investment.created')
    await page.getByRole('link', { name: 'investment.created' }).first().click()
    await page.getByRole('heading', { name: 'Payload' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: /^dlv_/ }).first().click()
    await page.getByRole('region', { name: 'Payload' }).getByText('"investment.created"').first().waitFor()
    const before = received.length
    const held = Promise.withResolvers<void>()
    await page.route('**/redeliver', async (route) => {
      const response = await route.fetch()
      await held.promise
      await route.fulfill({ response })
    })
    await page.getByRole('button', { name: 'Redeliver' }).click()
    await expect.poll(() => received.length).toBeGreaterThan(before)

    await page.getByRole('link', { name: 'Deliveries', exact: true }).click()
    const first = page.getByRole('checkbox', { name: /^Select/ }).first()
    await first.waitFor()
    // If a response comes after the person opened another page, they stay on that page.
    held.resolve()
    await page.getByText('The event is sent again, as a new delivery').waitFor()
    await first.check()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Redeliver 1 selected' }).click()
    await page.getByText('1 delivery is sent again').waitFor()
    await page.getByRole('button', { name: 'Redeliver all of this list' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Redeliver all of this list' }).click()
    await page.getByText(/deliveries are sent again/).waitFor()
    // The list shows the new deliveries without a reload.
    const unsent = page.getByRole('row').filter({ hasText: /Pending|Retrying/ })
    await expect.poll(() => page.getByRole('row').filter({ hasText: 'Delivered' }).count()).toBeGreaterThan(2)
    await expect.poll(() => unsent.count()).toBe(0)
  })

  test('new events appear while the list is live', async () => {
    const page = await open('events?live=on')
    await page.getByText('waiting for new rows').waitFor()
    const rows = page.getByRole('link', { name: 'investment.created' })
    await page.getByRole('table').waitFor()
    const before = await rows.count()
    await invest()
    await expect.poll(() => rows.count()).toBeGreaterThan(before)
    await expectAccessible(page)
  })
})
