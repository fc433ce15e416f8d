import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { connectionUrlOfRunning } from '@portico/embedded-postgres'
import { Client } from 'pg'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { launchBrowser } from '#test/browser.ts'
import { expectAccessible } from './accessibility.ts'
import { demoData } from './data-directory.ts'
import { readDemo } from './demo-service.ts'
import { openPortal, type PortalDemo } from './portal.ts'
import { productionInstall } from './production-install.ts'
import { startService } from './service.ts'

let db: Client
let demo: PortalDemo
let browser: Browser
/** The settings for another process that uses the same database. */
let environment: Record<string, string>
const opened = new AsyncDisposableStack()
const afterTests = (work: () => Promise<void>) => opened.defer(work)
beforeAll(async () => {
  const data = await demoData(afterTests)
  await startService({ PORT: '0', LOG_LEVEL: 'warn', PORTICO_DATA: data, PORTICO_DEMO: 'on' }, [], afterTests)
  demo = await readDemo(data)
  const url = await connectionUrlOfRunning({ dataDirectory: join(data, 'postgres'), database: 'portico' })
  if (url === undefined) throw new Error('the demo’s PostgreSQL is not running')
  const secret = (await readFile(join(data, 'secret'), 'utf8')).trim()
  environment = { DATABASE_URL: url, PORTICO_SECRET: secret, PORT: '0', LOG_LEVEL: 'warn' }
  db = new Client({ connectionString: url })
  await db.connect()
  afterTests(() => db.end())
  browser = await launchBrowser()
  afterTests(() => browser.close())
})
afterAll(() => opened.disposeAsync())

const appPath = (path: string) => `/developers/apps/${demo.apps[0]?.id}/${path}`
const press = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true }).click()

const DELIVERIES = 10_000
/** The list loads a hundred pages, each after the previous one is shown. */
const SCROLLING_MS = 240_000
const deliveryId = (at: number) => `dlv_${String(at).padStart(24, '0')}`

/** Inserts the deliveries of an endpoint with a long history. The first delivery is the oldest. */
async function insertDeliveries(): Promise<void> {
  const endpoint = `whe_${'0'.repeat(24)}`
  await db.query(
    `insert into platform.webhook_endpoints (id, app_id, world, url, events, subscribed_at, secret)
     values ($1, $2, 'test', 'https://hooks.example.com/', '{offering.opened}', array[now()], '')`,
    [endpoint, demo.apps[0]?.id],
  )
  await db.query('insert into test.webhook_lanes (endpoint_id) values ($1)', [endpoint])
  await db.query(
    `insert into test.events (id, name, occurred_at, data)
     select 'evt_' || lpad(n::text, 24, '0'), 'offering.opened', now(), '{}' from generate_series(1, $1) n`,
    [DELIVERIES],
  )
  await db.query(
    `insert into test.delivery_history (id, endpoint_id, event_id, api_version, state, created_at)
     select 'dlv_' || lpad(n::text, 24, '0'), $2, 'evt_' || lpad(n::text, 24, '0'), '2026-11-01', 'delivered', now()
       from generate_series(1, $1) n`,
    [DELIVERIES, endpoint],
  )
}

describe('a long list', () => {
  test('of 10,000 deliveries scrolls to the oldest by the keyboard, with few rows in the page', {
    timeout: SCROLLING_MS,
  }, async () => {
    await insertDeliveries()
    const page = await openPortal({ demo, browser }, appPath('webhooks/deliveries'))
    const list = page.getByRole('region', { name: 'Webhook deliveries, newest first' })
    const row = (at: number) => list.getByRole('row').filter({ hasText: deliveryId(at) })
    await row(DELIVERIES).waitFor()
    let rowsMax = 0
    const scrollDown = async () => {
      await list.press('End')
      rowsMax = Math.max(rowsMax, await list.locator('tr').count())
      return isInSight(row(1), list)
    }
    // The list loads a page after the key was pressed and adds it below the visible rows. So the test presses the key
    // until the end. The interval is about the time that loading a page takes. Pressing more often would only keep the
    // browser busy.
    await expect.poll(scrollDown, { timeout: SCROLLING_MS, interval: 150 }).toBe(true)
    expect(await list.getByRole('table').getAttribute('aria-rowcount')).toBe(String(DELIVERIES + 1))
    expect(rowsMax).toBeLessThan(100)

    await list.press('Home')
    await expect.poll(() => isInSight(row(DELIVERIES), list)).toBe(true)
    await expectAccessible(page)
  })
})

async function isInSight(row: Locator, list: Locator): Promise<boolean> {
  if ((await row.count()) === 0) return false
  const [inner, outer] = await Promise.all([row.boundingBox(), list.boundingBox()])
  if (inner === null || outer === null) return false
  return inner.y >= outer.y && inner.y + inner.height <= outer.y + outer.height
}

describe('a secret that needs a recent proof of identity', () => {
  test('is rotated after the person confirms in another tab, and stays if they cancel', async () => {
    const page = await openPortal({ demo, browser }, appPath('keys'))
    await page.getByRole('link', { name: 'Server' }).click()
    await page.getByText('Current secret').waitFor()
    await db.query(`update platform.sign_in_sessions set proven_at = proven_at - interval '1 hour'`)

    const rotation = page.getByRole('dialog', { name: /^Rotate the secret of/ })
    const confirmation = page.getByRole('dialog', { name: 'Confirm who you are' })
    await press(page, 'Rotate the secret')
    await press(rotation, 'Rotate the secret')
    await confirmation.waitFor()
    await expectAccessible(page)
    await press(confirmation, 'Cancel')
    await rotation.getByText('This needs a recent confirmation that it is you.').waitFor()
    await press(rotation, 'Cancel')
    await page.reload()
    await page.getByText('Current secret').waitFor()
    expect(await page.getByText('Previous secret').count()).toBe(0)

    await press(page, 'Rotate the secret')
    await press(rotation, 'Rotate the secret')
    const [tab] = await Promise.all([page.waitForEvent('popup'), press(confirmation, 'Confirm in a new tab')])
    await tab.getByLabel('Password', { exact: true }).fill(demo.people.developer.password)
    await Promise.all([tab.waitForEvent('close'), tab.getByRole('button', { name: /^Confirm/ }).click()])
    await press(page, 'I have stored it')
    await page.getByText('Previous secret').waitFor()
  })
})

describe('a member with the role developer', () => {
  test('sees the settings of owners and admins, and cannot change them on the page or by a request', async () => {
    const owner = await openPortal({ demo, browser }, '/developers/team')
    await press(owner, 'Invite a person')
    await owner.getByRole('dialog').getByLabel('Email').fill(demo.people.investor.email)
    await owner.getByRole('dialog').getByLabel('Role').selectOption('developer')
    await press(owner.getByRole('dialog'), 'Invite')
    await owner.getByText(`${demo.people.investor.email} was invited`).waitFor()

    const page = await openPortal({ demo, browser, person: 'investor' }, '/developers/team')
    await press(page, 'Accept')
    await page.getByText('You: Developer').waitFor()
    await page.getByText('Only owners and admins can change the team.').waitFor()
    await page.getByText(demo.people.developer.email).waitFor()
    expect(await page.getByRole('button', { name: /^(Change role|Remove|Invite|Rename)/ }).count()).toBe(0)
    await owner.reload()
    await owner.getByRole('button', { name: 'Change role of Priya Raman' }).waitFor()

    await page.goto(demo.base_url + appPath('settings'))
    await page.getByText(/^Owners and admins of .* can disable and delete this app\.$/).waitFor()
    expect(await page.getByRole('button', { name: /^(Disable|Delete)$/ }).count()).toBe(0)
    await expectAccessible(page)

    const me = await (await page.request.get(`${demo.base_url}/portal/api/me`)).json()
    const headers = { 'X-Portico-Csrf': me.meta.csrf, origin: demo.base_url }
    const app = `${demo.base_url}/portal/api/apps/${demo.apps[0]?.id}`
    const answers = [
      await page.request.post(`${app}/disable`, { headers }),
      await page.request.delete(app, { headers, data: { name: demo.apps[0]?.name } }),
    ]
    expect(answers.map((answer) => answer.status())).toEqual([403, 403])
    await owner.goto(demo.base_url + appPath('settings'))
    await owner.getByRole('button', { name: 'Disable', exact: true }).waitFor()
  })
})

describe('a person who is offline', () => {
  test('sees a message, changes nothing, and continues when online again', async () => {
    const page = await openPortal({ demo, browser }, appPath('settings'))
    const website = page.getByLabel('Website')
    const before = await website.inputValue()
    await page.context().setOffline(true)
    await page.getByText(/^You are offline\. What you see may be out of date/).waitFor()
    await website.fill('https://offline.example/')
    await press(page, 'Save')
    await page.getByRole('alert').getByText('The server cannot be reached.').waitFor()
    await expectAccessible(page)
    // The browser had not loaded the file of this page.
    await page.getByRole('link', { name: 'Team', exact: true }).click()
    await page.getByText('You are offline, and this part of the portal has not been loaded yet.').waitFor()

    await page.context().setOffline(false)
    await page.getByText('You: Owner').waitFor()
    expect(await page.getByText(/^You are offline/).count()).toBe(0)
    await page.goto(demo.base_url + appPath('settings'))
    expect(await website.inputValue()).toBe(before)
    await website.fill('https://online.example/')
    await press(page, 'Save')
    await page.getByText('The settings are saved').waitFor()
  })
})

describe('a file that could not be loaded, because the person was offline', () => {
  test('does not change how a later error of another page is shown', async () => {
    const page = await openPortal({ demo, browser }, appPath('settings'))
    await page.getByLabel('Website').waitFor()
    let reloads = 0
    page.on('request', (request) => {
      if (request.isNavigationRequest()) reloads += 1
    })
    await page.context().setOffline(true)
    const failed = page.waitForEvent('requestfailed', (request) => request.url().includes('/scripts/team-page'))
    await page.getByRole('link', { name: 'Team', exact: true }).hover()
    await failed
    await page.context().setOffline(false)
    await page.evaluate(`history.pushState(null, '', '/developers/apps/app_${'0'.repeat(24)}/settings')`)
    await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor()
    expect(reloads).toBe(0)

    await page.getByRole('link', { name: 'Team', exact: true }).click()
    await page.getByText('You: Owner').waitFor()
    expect(reloads).toBe(1)
  })
})

/**
 * Turns the build into another one with the same pages: every script has another name, and the files of the earlier
 * build are removed.
 */
async function startUpgraded(build: string, version: string): Promise<void> {
  const scripts = join(build, 'scripts')
  const names = (await readdir(scripts)).filter((name) => name.endsWith('.js'))
  const next = (name: string) => name.replace(/\.js$/, `${version}.js`)
  const renamed = (text: string) => names.reduce((changed, name) => changed.replaceAll(name, next(name)), text)
  for (const name of names) {
    const text = renamed(await readFile(join(scripts, name), 'utf8'))
    for (const ending of ['', '.br', '.gz']) await rm(join(scripts, name + ending))
    await writeFile(join(scripts, next(name)), text)
    await writeFile(join(scripts, `${next(name)}.br`), brotliCompressSync(text, { params: FAST }))
    await writeFile(join(scripts, `${next(name)}.gz`), gzipSync(text))
  }
  const manifest = join(build, '.vite/manifest.json')
  await writeFile(manifest, renamed(await readFile(manifest, 'utf8')))
}

const FAST = { [constants.BROTLI_PARAM_QUALITY]: 1 }

describe('an open tab after an upgrade of the portal', () => {
  test('reloads once if a file is missing, and shows a message and a button if it is still missing', async () => {
    const main = await productionInstall(onTestFinished)
    const build = join(main, '../../../portal/dist')
    await cp(join(import.meta.dirname, '../../../portal/dist'), build, { recursive: true })
    const { address } = await startService(environment, [], onTestFinished, join(main, 'main.ts'))
    const page = await openPortal({ demo: { ...demo, base_url: address }, browser }, appPath('settings'))
    await page.getByLabel('Website').waitFor()
    let reloads = 0
    page.on('request', (request) => {
      if (request.isNavigationRequest()) reloads += 1
    })
    await startUpgraded(build, '2')
    await page.getByRole('link', { name: 'Team', exact: true }).click()
    await page.getByText('You: Owner').waitFor()
    expect(reloads).toBe(1)

    // This build lacks the file of one page.
    const [history = ''] = (await readdir(join(build, 'scripts'))).filter((name) => /^history-page.*\.js$/.test(name))
    await rm(join(build, 'scripts', history))
    await page.getByRole('link', { name: 'History', exact: true }).click()
    await page.getByText(/^A file of the portal is missing on the server\./).waitFor()
    expect(reloads).toBe(2)
    await expectAccessible(page)
    await press(page, 'Reload the page')
    await page.getByText(/^A file of the portal is missing on the server\./).waitFor()
    expect(reloads).toBe(3)
  })
})
