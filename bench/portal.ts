import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connectionUrlOfRunning } from '@portico/embedded-postgres'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { launchBrowser } from '../server/test/support/browser.ts'
import { readOptions } from './arguments.ts'
import { onDatabase } from './database.ts'
import { withDataDirectory, withService } from './service.ts'
import { median, percentile, printTable, whole } from './table.ts'

const OPTIONS = { rounds: { usual: 7, most: 50 }, rows: { usual: 10_000, most: 10_000 } } as const

type Demo = {
  readonly base_url: string
  readonly people: { readonly developer: { readonly email: string; readonly password: string } }
  readonly apps: readonly { readonly id: string }[]
}

/**
 * Measures the developer portal in Chromium: the time from the navigation until a person can use the overview, and the frames of a
 * list of deliveries while it scrolls. Each round has a new browser context, so the browser has cached nothing.
 */
export async function measurePortal(argv: readonly string[]): Promise<void> {
  const { rounds, rows } = readOptions(argv, OPTIONS, []).numbers
  await withDataDirectory((directory) =>
    withService(
      directory,
      async () => {
        const demo: Demo = JSON.parse(await readFile(join(directory, 'demo.json'), 'utf8'))
        const browser = await launchBrowser()
        try {
          await measure({ demo, browser, directory, rounds, rows })
        } finally {
          await browser.close()
        }
      },
      { settings: { PORTICO_DEMO: 'on' } },
    ),
  )
}

type Measuring = {
  readonly demo: Demo
  readonly browser: Browser
  readonly directory: string
  readonly rounds: number
  readonly rows: number
}

async function measure({ demo, browser, directory, rounds, rows }: Measuring): Promise<void> {
  const app = demo.apps[0]?.id ?? ''
  const signedIn = await signIn(demo, browser)
  const overview = `${demo.base_url}/developers/apps/${app}/overview?mode=test`
  const loads: Load[] = []
  // The first load fills the server's caches, and is not measured.
  for (let round = 0; round <= rounds; round++) loads.push(await load(browser, signedIn, overview))
  const measured = loads.slice(1)
  const inMs = (name: string, values: readonly number[], wanted: string) =>
    [name, whole(median(values)), whole(Math.max(...values)), wanted] as const
  printTable(`The overview of an app, cold, ${rounds} times`, [
    ['ms', 'median', 'most', 'wanted'],
    inMs(
      'heading and navigation are shown',
      measured.map(({ shown }) => shown),
      '',
    ),
    inMs(
      'the page has its data and answers',
      measured.map(({ interactive }) => interactive),
      'under 1,000',
    ),
    inMs(
      'Ctrl K until the palette is open',
      measured.map(({ palette }) => palette),
      '',
    ),
    ['KB received, all files', whole(median(measured.map(({ bytes }) => bytes / 1_024))), '', ''],
  ])
  await deliver(directory, app, rows)
  const frames = await scroll(
    browser,
    signedIn,
    `${demo.base_url}/developers/apps/${app}/webhooks/deliveries?mode=test`,
  )
  printTable(`A list of ${whole(rows)} deliveries, scrolled from end to end in 5 s`, [
    ['frames a second', whole(frames.times.length / 5)],
    [
      'ms between two frames: median, 99 %, most',
      [0.5, 0.99, 1].map((part) => whole(percentile(frames.times, part), 1)).join(', '),
    ],
    ['rows in the document, at most', whole(frames.rowsMax)],
  ])
}

async function signIn({ base_url, people }: Demo, browser: Browser): Promise<BrowserContextOptions> {
  const context = await browser.newContext({ locale: 'en-US' })
  const page = await context.newPage()
  await page.goto(`${base_url}/developers`)
  await page.getByLabel('Email').fill(people.developer.email)
  await page.getByLabel('Password', { exact: true }).fill(people.developer.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
  const storageState = await context.storageState()
  await context.close()
  return { storageState, locale: 'en-US', viewport: { width: 1280, height: 800 } }
}

type Load = { readonly shown: number; readonly interactive: number; readonly palette: number; readonly bytes: number }

/** Records when the page shows its heading, and when it has its data: no skeleton is left, and a panel has its chart. */
const WATCH = `window.benchSeen = new Promise((resolve) => {
  let shown = 0
  const check = () => {
    const heading = document.querySelector('main h1')
    if (heading !== null && shown === 0) shown = performance.now()
    const hasData = document.querySelector('.skeleton') === null && document.querySelector('main .panel canvas') !== null
    if (shown > 0 && hasData) resolve({ shown, interactive: performance.now() })
    else requestAnimationFrame(check)
  }
  requestAnimationFrame(check)
})`

async function load(browser: Browser, options: BrowserContextOptions, address: string): Promise<Load> {
  const context = await browser.newContext(options)
  try {
    const page = await context.newPage()
    await page.addInitScript(WATCH)
    await page.goto(address)
    const { shown, interactive } = await page.evaluate<{ shown: number; interactive: number }>('window.benchSeen')
    const bytes = await page.evaluate<number>(
      `performance.getEntriesByType('resource').reduce((sum, { transferSize }) => sum + transferSize, 0)`,
    )
    return { shown, interactive, palette: await openPalette(page), bytes }
  } finally {
    await context.close()
  }
}

/**
 * Opens the palette and measures by the page's own clock, so that the time between this process and the browser is not
 * counted.
 */
async function openPalette(page: Page): Promise<number> {
  const opening = page.evaluate<number>(`new Promise((resolve) => {
    let from = 0
    addEventListener('keydown', (event) => { if (event.key === 'k') from = event.timeStamp }, { capture: true, once: false })
    const check = () => document.querySelector('[role=dialog] input') === null ? requestAnimationFrame(check) : resolve(performance.now() - from)
    check()
  })`)
  await page.keyboard.press('Control+k')
  return await opening
}

/** Inserts an endpoint and this many deliveries to it, recorded as if they had been sent. */
async function deliver(directory: string, app: string, count: number): Promise<void> {
  const url = await connectionUrlOfRunning({ dataDirectory: join(directory, 'postgres'), database: 'portico' })
  if (url === undefined) throw new Error('The service’s PostgreSQL does not run.')
  await onDatabase(url, async (client) => {
    const endpoint = `whe_${'0'.repeat(24)}`
    await client.query(
      `insert into platform.webhook_endpoints (id, app_id, world, url, events, subscribed_at, secret)
       values ($1, $2, 'test', 'https://hooks.example.com/', '{offering.opened}', array[now()], '')`,
      [endpoint, app],
    )
    await client.query('insert into test.webhook_lanes (endpoint_id) values ($1)', [endpoint])
    await client.query(
      `insert into test.events (id, name, occurred_at, data)
       select 'evt_' || lpad(n::text, 24, '0'), 'offering.opened', now(), '{}' from generate_series(1, $1) n`,
      [count],
    )
    await client.query(
      `insert into test.delivery_history (id, endpoint_id, event_id, api_version, state, created_at)
       select 'dlv_' || lpad(n::text, 24, '0'), $2, 'evt_' || lpad(n::text, 24, '0'), '2026-11-01', 'delivered', now()
         from generate_series(1, $1) n`,
      [count, endpoint],
    )
  })
}

type Frames = { readonly times: readonly number[]; readonly rowsMax: number }

/** Reads all pages of the list first, then scrolls it for five seconds and measures the time between two frames. */
async function scroll(browser: Browser, options: BrowserContextOptions, address: string): Promise<Frames> {
  const context = await browser.newContext(options)
  try {
    const page = await context.newPage()
    await page.goto(address)
    const list = page.getByRole('region', { name: 'Webhook deliveries, newest first' })
    await list.waitFor()
    const oldest = list.getByText(`dlv_${'1'.padStart(24, '0')}`)
    while ((await oldest.count()) === 0) await list.press('End')
    return await page.evaluate<Frames>(`new Promise((resolve) => {
      const list = document.querySelector('[aria-label="Webhook deliveries, newest first"]')
      const end = list.scrollHeight - list.clientHeight
      const times = []
      let rowsMax = 0
      const from = performance.now()
      let before = from
      const frame = (now) => {
        times.push(now - before)
        before = now
        rowsMax = Math.max(rowsMax, list.querySelectorAll('tr').length)
        const part = (now - from) / 5000
        list.scrollTop = end * (1 - part)
        if (part < 1) requestAnimationFrame(frame)
        else resolve({ times: times.slice(1), rowsMax })
      }
      requestAnimationFrame(frame)
    })`)
  } finally {
    await context.close()
  }
}
