import type { Browser, Locator } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { launchBrowser } from '#test/browser.ts'
import { expectAccessible } from './accessibility.ts'
import {
  asOperator,
  beginStaffSession,
  type ConsoleDemo,
  decide,
  enterReadingReason,
  giveRole,
  heading,
  press,
  REASON,
  type StaffState,
  signIn,
  visit,
} from './console.ts'
import { demoService } from './demo-service.ts'
import { connect } from './person.ts'
import { openPortal } from './portal.ts'

let demo: ConsoleDemo
let browser: Browser
/** A member of the platform's staff who has proved their second factor. */
let state: StaffState | undefined

demoService<ConsoleDemo>(async (made) => {
  demo = made
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

const APP = 'Fieldbook Digest'

function digestApp() {
  const app = demo.apps.find(({ name }) => name === APP)
  const [key] = app?.keys ?? []
  if (app === undefined || key === undefined) throw new Error(`the demo has no ${APP}`)
  return { app, key }
}

const open = (path: string) => visit({ demo, browser, state }, path)

/** Calls the portal's API as the developer of the app's team. */
async function openTeamApi() {
  const team = await openPortal({ demo, browser }, `/developers/apps/${digestApp().app.id}/settings`)
  const { request } = team.context()
  const { meta } = await (await request.get(`${demo.base_url}/portal/api/me`)).json()
  const callPortal = async (path: string, data?: object) => {
    const url = `${demo.base_url}/portal/api/apps/${digestApp().app.id}/${path}`
    const answer = await request.post(url, {
      headers: { 'x-portico-csrf': meta.csrf },
      ...(data === undefined ? {} : { data }),
    })
    expect(answer.status(), await answer.text()).toBeLessThan(300)
  }
  const read = async (path: string) => (await request.get(`${demo.base_url}/portal/api/${path}`)).json()
  return { team, ask: callPortal, read }
}

/** Connects the app for an investor, and returns a function that requests a path with the investor's token. */
async function aConnectedToken() {
  const scopes = ['read:profile']
  const { access_token } = await connect(demo.base_url, demo.people.investor, { client: digestApp().key, scopes })
  return async () =>
    (await fetch(`${demo.base_url}/explore`, { headers: { authorization: `Bearer ${access_token}` } })).status
}

describe('the operator console', () => {
  test('shows "There is nothing here" to a person without a role, and opens with a role and a second factor', async () => {
    const { manager } = demo.people
    const page = await open('/console/requests')
    await signIn(page, manager)
    await heading(page, 'There is nothing here')

    await giveRole(demo, manager, 'compliance')
    await page.reload()
    await heading(page, 'Set up a second factor')
    await expectAccessible(page)
    const scripts = await page
      .locator('script[src*="/developers/console/"]')
      .evaluateAll((all) => all.map(({ src }) => src))
    expect(scripts).toHaveLength(1)
    await beginStaffSession(page, demo)
    await page.getByRole('link', { name: APP }).waitFor()
    await expectAccessible(page)
    state = await page.context().storageState()

    // A person without a staff role and a visitor cannot load the script.
    const others = await openPortal({ demo, browser }, '/developers/apps')
    for (const address of scripts) {
      expect((await others.context().request.get(address)).status()).toBe(404)
      expect((await fetch(address)).status).toBe(401)
    }
    expect((await others.goto(`${demo.base_url}/console`))?.status()).toBe(404)
  })

  test('declines a program with a text for the team, which the team receives', async () => {
    const { app } = digestApp()
    const { ask, read } = await openTeamApi()
    await ask('program_requests', { program: 'founder' })
    const page = await open('/console/requests?kind=program')
    await page.getByRole('link', { name: APP }).click()
    await heading(page, APP)
    const text = 'Say which founders use the app.'
    await decide(page, 'Decline the program founder', 'Decline', (dialog) =>
      dialog.getByLabel('What the team has to know').fill(text),
    )
    await page.getByText('The decision is made').waitFor()
    expect(await page.getByRole('button', { name: 'Decline the program founder' }).count()).toBe(0)
    const { data } = await read(`apps/${app.id}`)
    const notices = await read(`organizations/${data.attributes.organization.id}/notices`)
    expect(JSON.stringify(notices.data)).toContain(text)
    expect(JSON.stringify(notices.data)).not.toContain(REASON)
  })

  test('shows that an app in a program waits for the higher tier, and declines or approves that tier', async () => {
    const { app } = digestApp()
    const { ask, read } = await openTeamApi()
    const higher = { program: 'marketing_partner', tier: 1 }
    const granted = async () => (await read(`apps/${app.id}`)).data.attributes.programs
    await asOperator(demo, 'live', `/platform/apps/${app.id}/programs`, { body: { ...higher, tier: 0 } })
    await ask('program_requests', higher)
    const page = await open('/console/requests?kind=program')
    await page.getByText('Program marketing partner, tier 1').waitFor()
    await page.getByRole('link', { name: APP }).click()
    await heading(page, APP)
    const [tier0, tier1] = [0, 1].map((tier) =>
      page.getByRole('listitem').filter({ hasText: `Program marketing partner, tier ${tier}` }),
    ) as [Locator, Locator]
    await tier0.getByText('Approved').waitFor()
    await tier1.getByText('Waits').waitFor()
    await expectAccessible(page)
    await decide(page, 'Decline the program marketing partner, tier 1', 'Decline', (dialog) =>
      dialog.getByLabel('What the team has to know').fill('Show us a campaign first.'),
    )
    await tier1.waitFor({ state: 'detached' })
    await tier0.getByText('Approved').waitFor()
    expect(await granted()).toMatchObject([{ ...higher, tier: 0, requested_at: null }])

    await ask('program_requests', higher)
    await page.reload()
    await decide(page, 'Approve the program marketing partner, tier 1', 'Approve')
    await tier1.getByText('Approved').waitFor()
    expect(await tier0.count()).toBe(0)
    expect(await page.getByRole('button', { name: /^(Approve|Decline) the program/ }).count()).toBe(0)
    expect(await granted()).toMatchObject([higher])
  })

  test('shows only requests of the queue as waiting: none after a second decline or a withdrawal, and none while the app is suspended', async () => {
    const { app } = digestApp()
    const { ask } = await openTeamApi()
    const page = await open(`/console/apps/${app.id}`)
    await heading(page, APP)
    const approval = page.getByRole('listitem').filter({ hasText: 'The app itself' })
    const waits = approval.getByText('Waits')
    const decline = () =>
      decide(page, 'Decline the app', 'Decline', (dialog) =>
        dialog.getByLabel('What the team has to know').fill('Say who uses the app.'),
      )
    const expectNoRequest = async () => {
      await waits.waitFor({ state: 'detached' })
      expect(await page.getByRole('button', { name: 'Decline the app' }).count()).toBe(0)
    }
    await waits.waitFor()
    await decline()
    await expectNoRequest()
    await ask('approval_request')
    await page.reload()
    await waits.waitFor()
    await decline()
    await expectNoRequest()
    await decide(page, 'Approve the app', 'Approve')
    await decide(page, 'Withdraw the app', 'Withdraw', (dialog) =>
      dialog.getByLabel(`Type ${APP} to confirm`).fill(APP),
    )
    await page.getByRole('button', { name: 'Approve the app' }).waitFor()
    await expectNoRequest()

    await ask('pii_request')
    await ask('program_requests', { program: 'founder' })
    await page.reload()
    const declining = page.getByRole('button', { name: /^Decline / })
    await expect.poll(() => declining.count()).toBe(2)
    await asOperator(demo, 'live', `/platform/apps/${app.id}/suspend`, { body: { reason: 'A test' } })
    await page.reload()
    await page.getByText('Suspended').first().waitFor()
    expect(await declining.count()).toBe(0)
    await asOperator(demo, 'live', `/platform/apps/${app.id}/lift`, { method: 'POST' })
    await page.reload()
    await expect.poll(() => declining.count()).toBe(2)
    await asOperator(demo, 'live', `/platform/apps/${app.id}/programs/founder`, { method: 'DELETE' })
  })

  test('approves an app and investor PII, which a new installation then has', async () => {
    const { key } = digestApp()
    const { ask } = await openTeamApi()
    await ask('pii_request')
    await ask('scopes', { scopes: ['read:companies', 'read:investors:pii'] })
    const body = {
      ...{ client_id: key.client_id, target_type: 'company', target_id: demo.ids.company },
      user: demo.people.founder.id,
    }

    const page = await open('/console/requests?kind=pii')
    await page.getByRole('link', { name: APP }).click()
    await heading(page, APP)
    await decide(page, 'Approve the app', 'Approve')
    await press(page, 'Approve investor PII')
    await expectAccessible(page)
    await press(page, 'Cancel')
    await decide(page, 'Approve investor PII', 'Approve')
    await page.getByRole('button', { name: 'Withdraw investor PII' }).waitFor()
    const installed = await asOperator(demo, 'test', '/sandbox/installations', { body })
    expect(installed.data.scopes).toContain('read:investors:pii')

    await enterReadingReason(page)
    const history = page.getByRole('list', { name: 'History of the app' })
    await history.getByText(`: ${REASON}`).first().waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Requests' }).click()
    await page.getByText('Nothing waits').waitFor()
  })

  test('suspends an app that was found by its client id: a token is rejected at once, until the suspension is lifted', async () => {
    const { key } = digestApp()
    const tokenStatus = await aConnectedToken()
    const page = await open('/console/partners')
    await page.getByLabel('Search').fill(key.client_id)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: APP }).click()
    await heading(page, APP)
    expect(await tokenStatus()).toBe(200)
    await press(page, 'Suspend the app')
    const dialog = page.getByRole('dialog')
    const stops = dialog.getByRole('table', { name: 'What stops' })
    await stops.getByRole('row', { name: /^Access tokens 0 [1-9]/ }).waitFor()
    await expectAccessible(page)
    const confirm = dialog.getByRole('button', { name: `Suspend ${APP}` })
    await dialog.getByLabel('What the team has to know').fill('Shows amounts without the time they were fetched.')
    await dialog.getByLabel('Reason for the audit').fill(REASON)
    expect(await confirm.isDisabled()).toBe(true)
    await dialog.getByLabel(`Type ${APP} to confirm`).fill(APP)
    await confirm.click()
    await page.getByText(`${APP} is suspended`).waitFor()
    expect(await tokenStatus()).toBe(401)
    await page.getByText('Shows amounts without the time they were fetched.').waitFor()
    await decide(page, 'Lift the suspension', 'Lift the suspension')
    await expect.poll(tokenStatus).toBe(200)
  })

  test('lists the endpoints of all partners, filters them by state, and leads to an endpoint’s app', async () => {
    const page = await open('/console/webhooks')
    await page.getByText('No endpoints in live mode').waitFor()
    const { ask } = await openTeamApi()
    await ask('webhook_endpoints', {
      url: 'https://hooks.example.com/secret-path',
      events: ['offering.opened'],
      mode: 'test',
    })
    await page.getByRole('navigation', { name: 'Mode' }).getByRole('link', { name: 'Test' }).click()
    await page.getByRole('row', { name: `${APP} Enabled hooks.example.com` }).waitFor()
    await expectAccessible(page)
    expect(page.url()).toContain('mode=test')
    expect(await page.content()).not.toContain('secret-path')
    await page.getByLabel('State').selectOption('Failing')
    await page.getByText('No endpoint matches').waitFor()
    await page.reload()
    await page.getByText('No endpoint matches').waitFor()
    await press(page, 'Clear filters')
    await page.getByRole('link', { name: APP }).click()
    await heading(page, 'Webhook endpoint')
    await page.getByText('No deliveries').waitFor()
    await expectAccessible(page)
    expect(await page.content()).not.toContain('secret-path')
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
    await page.getByRole('link', { name: APP }).click()
    await heading(page, APP)

    // The one search box finds the app by the id of its endpoint, and by the endpoint's host.
    for (const text of [id, 'hooks.example.com']) {
      await page.goto(`${demo.base_url}/console/partners`)
      await page.getByLabel('Search').fill(text)
      await page.keyboard.press('Enter')
      await page
        .getByRole('region', { name: `Partners that match ${text}` })
        .getByRole('link', { name: APP })
        .waitFor()
    }
    await expectAccessible(page)
  })

  test('finds a partnership by a member’s address, shows what stops, and ends it: a token is rejected', async () => {
    await giveRole(demo, demo.people.manager, 'admin')
    const tokenStatus = await aConnectedToken()
    const page = await open(`/console/partners?query=${encodeURIComponent(demo.people.developer.email)}`)
    await enterReadingReason(page)
    await page.getByRole('link', { name: 'Fieldbook', exact: true }).click()
    await heading(page, 'Fieldbook')
    expect(await tokenStatus()).toBe(200)
    await press(page, 'End the partnership')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('table', { name: `What stops, of ${demo.apps.length} apps` }).waitFor()
    await dialog.getByLabel('What the team has to know').fill('The contract has ended.')
    await dialog.getByLabel('Reason for the audit').fill(REASON)
    await dialog.getByLabel('Type Fieldbook to confirm').fill('Fieldbook')
    await press(dialog, 'End Fieldbook')
    await page.getByText('The partnership with Fieldbook is ended').waitFor()
    expect(await tokenStatus()).toBe(401)
    expect(await page.getByRole('button', { name: 'End the partnership' }).count()).toBe(0)
    await expectAccessible(page)
    const owner = await openPortal({ demo, browser }, '/developers/team')
    await owner.getByText('You can change nothing.').waitFor()
    await owner.getByText('The organization’s access has ended, so no one can change the team.').waitFor()
    await owner.getByText(demo.people.developer.email, { exact: false }).first().waitFor()
    expect(await owner.getByRole('button', { name: 'Leave the team' }).count()).toBe(0)
  })
})
