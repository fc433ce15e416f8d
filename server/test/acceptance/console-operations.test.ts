import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { launchBrowser } from '#test/browser.ts'
import { webhookReceiver } from '#test/webhook-receiver.ts'
import { expectAccessible } from './accessibility.ts'
import {
  asOperator,
  type ConsoleDemo,
  giveRole,
  heading,
  press,
  REASON,
  type StaffState,
  staffStateOf,
  visit,
} from './console.ts'
import { demoService } from './demo-service.ts'
import { type Client, connect } from './person.ts'
import { openPortal } from './portal.ts'

type Demo = Omit<ConsoleDemo, 'apps'> & {
  readonly apps: readonly {
    readonly id: string
    readonly name: string
    readonly organization_id: string
    readonly keys: readonly (Client & { readonly mode: string })[]
  }[]
}

let demo: Demo
let browser: Browser
/** A member of the platform's staff who has proved their second factor. */
let state: StaffState | undefined

demoService<Demo>(async (made) => {
  demo = made
  browser = await launchBrowser()
  await giveRole(demo, demo.people.manager, 'admin')
})
afterAll(() => browser?.close())

/** Opens a page of the console. The first call in this file signs in, and later calls reuse the session. */
async function open(path: string): Promise<Page> {
  state ??= await staffStateOf({ demo, browser }, demo.people.manager)
  return visit({ demo, browser, state }, path)
}

/** Enters the reason in the open dialog, and the word that some dialogs ask for, and confirms. */
async function confirm(page: Page, button: string, typed?: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason for the audit').fill(REASON)
  if (typed !== undefined) await dialog.getByLabel(`Type ${typed} to confirm`).fill(typed)
  await press(dialog, button)
  await dialog.waitFor({ state: 'detached' })
}

/** Presses a button that downloads a file, and returns the file's text. */
async function downloadText(page: Page, button: string): Promise<string> {
  const downloading = page.waitForEvent('download')
  await press(page, button)
  return readFile(await (await downloading).path(), 'utf8')
}

describe('the operator console', () => {
  test('retries the deliveries to an endpoint that failed, and the partner’s receiver gets them', async () => {
    const receiver = await webhookReceiver()
    onTestFinished(() => receiver.close())
    receiver.answerWith(() => 500)
    const [app] = demo.apps
    const team = await openPortal({ demo, browser }, `/developers/apps/${app?.id}/settings`)
    const { meta } = await (await team.context().request.get(`${demo.base_url}/portal/api/me`)).json()
    const address = `${demo.base_url}/portal/api/apps/${app?.id}/webhook_endpoints`
    const data = { mode: 'test', url: receiver.url, events: ['installation.created'] }
    const made = await team.context().request.post(address, { headers: { 'x-portico-csrf': meta.csrf }, data })
    expect(made.status(), await made.text()).toBe(201)
    const endpoint = (await made.json()).data.id
    const key = app?.keys.find(({ mode }) => mode === 'test')
    await asOperator(demo, 'test', '/sandbox/installations', {
      body: {
        ...{ client_id: key?.client_id, target_type: 'company', target_id: demo.ids.company },
        user: demo.people.founder.id,
      },
    })
    const [first] = await receiver.waitFor(1)

    const page = await open('/console/jobs?mode=test')
    const row = page.getByRole('list', { name: 'Work set aside' }).getByRole('listitem').filter({ hasText: endpoint })
    await row.getByText('1 waiting').waitFor()
    await page.getByRole('cell', { name: 'publish_live', exact: true }).waitFor()
    await expectAccessible(page)
    receiver.answerWith(() => 204)
    await row.getByRole('button').click()
    await confirm(page, 'Retry')
    const [, second] = await receiver.waitFor(2)
    expect(second?.body.toString()).toBe(first?.body.toString())
    await row.waitFor({ state: 'detached' })
    const { data: audited } = await asOperator(demo, 'live', '/platform/audit?action=work.retried')
    expect(audited).toMatchObject([{ attributes: { reason: REASON, subject: app?.id, details: { kind: 'delivery' } } }])
  })

  test('reads the jobs again and again, stops five minutes after the last input, and continues after a key press', async () => {
    const page = await open('/console/jobs')
    await page.clock.install()
    await page.reload()
    await heading(page, 'Jobs')
    let reads = 0
    page.on('request', (request) => {
      if (new URL(request.url()).pathname === '/platform/jobs') reads += 1
    })
    const expectRead = async () => {
      const before = reads
      const later = async () => page.clock.fastForward(11_000).then(() => reads)
      await expect.poll(later).toBeGreaterThan(before)
    }
    await expectRead()
    await expectRead()
    await page.clock.fastForward(300_000)
    // The browser sends this request after all requests of the timers that were due.
    const sendAnother = () => page.evaluate(async () => void (await fetch('/healthz')))
    await sendAnother()
    const before = reads
    await page.clock.fastForward(60_000)
    await sendAnother()
    expect(reads).toBe(before)
    await page.keyboard.press('Shift')
    await expectRead()
  })

  test('publishes conditions, which a new app accepts', async () => {
    const page = await open('/console/conditions')
    await heading(page, 'Usage conditions')
    await page.getByLabel('Version', { exact: true }).and(page.getByRole('textbox')).fill('2026-10-01')
    await page.getByLabel('Text').fill(`## What is allowed\n\n${'Show people what they granted. '.repeat(5)}`)
    await press(page, 'Publish')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Reason for the audit').fill(REASON)
    await dialog.getByLabel('Type 2026-10-01 to confirm').fill('2026-10-01')
    await dialog.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByText('must be later than 2026-11-01').waitFor()
    await page.getByLabel('Version', { exact: true }).and(page.getByRole('textbox')).fill('2099-01-01')
    await press(page, 'Publish')
    await confirm(page, 'Publish', '2099-01-01')
    await page.getByRole('link', { name: '2099-01-01' }).waitFor()
    await expectAccessible(page)

    const team = await openPortal({ demo, browser }, '/developers/apps')
    const request = team.context().request
    const { meta } = await (await request.get(`${demo.base_url}/portal/api/me`)).json()
    const organization_id = demo.apps[0]?.organization_id
    const data = { organization_id, name: 'Accepting', accepted_conditions: '2099-01-01' }
    const headers = { 'x-portico-csrf': meta.csrf }
    const created = await request.post(`${demo.base_url}/portal/api/apps`, { headers, data })
    expect(created.status(), await created.text()).toBe(201)
    await page.goto(`${demo.base_url}/console/conditions?version=2099-01-01`)
    const acceptances = page.getByRole('region', { name: 'Acceptances' })
    await acceptances.getByRole('link', { name: 'Accepting' }).waitFor()
    expect(await acceptances.getByRole('row').count()).toBe(2)
    expect(await downloadText(page, 'Download CSV')).toContain('"Accepting"')

    // An app that existed before has not accepted the version. Its team reads and accepts the version in the portal.
    const older = demo.apps[0]
    const address = `${demo.base_url}/console/conditions?app=${older?.id}`
    await page.goto(address)
    await acceptances.getByText('Has not accepted 2099-01-01').waitFor()
    await team.goto(`${demo.base_url}/developers/apps/${older?.id}/settings`)
    await team.getByText('This app has not accepted').waitFor()
    await expectAccessible(team)
    await press(team, 'Accept version 2099-01-01')
    await team.getByText('This app has not accepted').waitFor({ state: 'detached' })
    await page.goto(address)
    await acceptances.getByRole('row', { name: /2099-01-01.*2026-11-01/ }).waitFor()
    expect(await acceptances.getByText('Has not accepted').count()).toBe(0)
  })

  test('withdraws an installation, and confirms that the app deleted the installation’s data', async () => {
    const page = await open('/console/installations?mode=test&status=active')
    const rows = page.getByRole('region', { name: 'Installations' }).getByRole('row')
    const row = rows.filter({ hasText: 'user usr_' }).first()
    await row.waitFor()
    await expectAccessible(page)
    const before = await rows.count()
    await row.getByRole('button', { name: /^Withdraw/ }).click()
    await confirm(page, 'Withdraw')
    await expect.poll(() => rows.count()).toBe(before - 1)
    expect(await downloadText(page, 'Download CSV')).toContain('"revoked","user"')

    await page.goto(`${demo.base_url}/console/removal-duties?mode=test&state=open`)
    const duties = page.getByRole('region', { name: 'Removal duties' }).getByRole('row')
    await duties
      .getByRole('button', { name: /^Confirm/ })
      .first()
      .waitFor()
    await expectAccessible(page)
    await duties
      .getByRole('button', { name: /^Confirm/ })
      .first()
      .click()
    await confirm(page, 'Confirm')
    await page.getByRole('link', { name: 'Confirmed (1)' }).click()
    await duties.getByText('confirmed', { exact: true }).waitFor()
    await duties.getByText('Confirmed by staff').waitFor()
  })

  test('shows a deletion that the app’s team confirmed in the portal', async () => {
    const [client] = demo.apps.find(({ name }) => name === 'Fieldbook Digest')?.keys ?? []
    if (client === undefined) throw new Error('the demo has no Fieldbook Digest')
    await connect(demo.base_url, demo.people.investor, { client, scopes: ['read:profile'] })
    const listed = await asOperator(demo, 'test', '/platform/installations?status=active&target_type=user&per_page=1')
    const [installation] = listed.data as unknown as readonly { readonly id: string; readonly app: { id: string } }[]
    await asOperator(demo, 'test', `/platform/installations/${installation?.id}`, { method: 'DELETE' })
    const team = await openPortal({ demo, browser }, `/developers/apps/${installation?.app.id}/installations`)
    const duties = team.getByRole('list', { name: 'Removal duties' })
    await duties.waitFor()
    await expectAccessible(team)
    const waiting = duties.getByRole('button', { name: 'Confirm the deletion' })
    const before = await waiting.count()
    await waiting.last().click()
    await team.getByRole('dialog').getByRole('button', { name: 'The data is deleted' }).click()
    await duties.getByText('Confirmed by your team').waitFor()
    await expect.poll(() => waiting.count()).toBe(before - 1)
    const page = await open('/console/removal-duties?mode=test&state=confirmed')
    await page.getByRole('region', { name: 'Removal duties' }).getByText('Confirmed by the team').waitFor()
  })

  test('shows and downloads the figures of all partners and of one partner', async () => {
    const page = await open('/console/figures?mode=test&range=week')
    await page.getByRole('heading', { name: 'Sign-ups' }).waitFor()
    await page.locator('.chart canvas').first().waitFor()
    await expectAccessible(page)
    const lines = (await downloadText(page, 'Download CSV')).trimEnd().split('\r\n')
    expect(lines).toHaveLength(169)
    expect(lines[0]).toContain('"requests","client_errors"')
    await page.getByLabel('App', { exact: true }).fill(demo.apps[0]?.id ?? '')
    await page.keyboard.press('Enter')
    await page.getByText(`The app ${demo.apps[0]?.id} alone.`).waitFor()
    await page.getByRole('heading', { name: 'Delivery success' }).waitFor()
    expect(await page.getByRole('heading', { name: 'Sign-ups' }).count()).toBe(0)
  })

  test('shows a viewer the lists, but no button to decide', async () => {
    await giveRole(demo, demo.people.manager, 'viewer')
    const page = await open('/console/jobs')
    await page.getByText('The role support retries these.').waitFor()
    await page.getByRole('link', { name: 'Conditions', exact: true }).first().click()
    await page.getByRole('heading', { name: 'Who accepted which' }).waitFor()
    expect(await page.getByRole('heading', { name: 'Publish a version' }).count()).toBe(0)
    await page.getByRole('link', { name: 'Installations', exact: true }).first().click()
    await page.getByRole('navigation', { name: 'Mode' }).getByRole('link', { name: 'Test' }).click()
    await page.getByRole('region', { name: 'Installations' }).waitFor()
    expect(await page.getByRole('button', { name: /^(Withdraw|Confirm|Retry|Publish)/ }).count()).toBe(0)
  })
})
