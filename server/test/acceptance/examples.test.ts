import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { launchBrowser } from '#test/browser.ts'
import { freePort } from '#test/free-port.ts'
import { expectAccessible } from './accessibility.ts'
import { demoService } from './demo-service.ts'
import { type Client, type Credentials, connect } from './person.ts'
import { processEnvironment } from './process-environment.ts'
import { temporaryDirectory } from './service.ts'

/** Runs each example as its README starts it, against one demo. */

const EXAMPLES = join(import.meta.dirname, '../../../examples')

type Person = Credentials & { readonly id: string; readonly name: string; readonly companies: readonly string[] }
type Demo = {
  readonly base_url: string
  readonly operator_keys: { readonly test: string }
  readonly apps: readonly { readonly keys: readonly Client[] }[]
  readonly people: Readonly<Record<'founder' | 'investor', Person>>
  readonly ids: { readonly offering_public: string; readonly company: string }
}

let demo: Demo
let browser: Browser
demoService<Demo>(async (made) => {
  demo = made
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

type Running = {
  readonly url: string
  printed(pattern: RegExp): Promise<void>
  readonly output: () => string
  readonly ended: Promise<unknown>
  stop(): Promise<void>
}

/** Runs the program that `npm start` runs for the example, in an empty directory. PORTICO_DEMO_FILE names the demo's file. */
async function start(example: string, entry: string, more: Readonly<Record<string, string>> = {}): Promise<Running> {
  const [directory, port] = [await temporaryDirectory(), await freePort()]
  const file = join(directory, 'demo.json')
  await writeFile(file, JSON.stringify(demo))
  const child = spawn(process.execPath, [join(EXAMPLES, example, entry)], {
    cwd: directory,
    env: { ...processEnvironment(), PORTICO_DEMO_FILE: file, PORT: String(port), ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => (output += piece))
  const ended = once(child, 'close')
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  onTestFinished(stop)
  const printed = (pattern: RegExp) => expect.poll(() => output).toMatch(pattern)
  return { url: `http://127.0.0.1:${port}`, printed, output: () => output, ended, stop }
}

async function send(bearer: string, path: string, body: unknown): Promise<void> {
  const answer = await fetch(demo.base_url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(answer.status, `${path}: ${await answer.text()}`).toBeLessThan(300)
}

const asPlatform = (path: string, body: unknown) => send(demo.operator_keys.test, path, body)

const invest = (more: object = {}) =>
  asPlatform('/sandbox/investments', {
    ...{ offering: demo.ids.offering_public, investor: demo.people.investor.id, amount_cents: 25_000, ...more },
  })

let isInstalled = false
async function installOnce(): Promise<void> {
  if (isInstalled) return
  isInstalled = true
  const { founder } = demo.people
  const [client] = demo.apps[0]?.keys ?? []
  if (client === undefined) throw new Error('the demo has no key')
  const { access_token } = await connect(demo.base_url, founder, { client, scopes: ['write:installations'] })
  await send(access_token, '/installations', { target_type: 'company', target_id: founder.companies[0] })
}

async function visit(url: string): Promise<Page> {
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await page.goto(url)
  return page
}

/** Stores screenshots: `EXAMPLE_SCREENSHOTS=directory npm test -- examples`. */
async function photograph(page: Page, name: string): Promise<void> {
  const directory = process.env['EXAMPLE_SCREENSHOTS']
  if (directory === undefined) return
  await mkdir(directory, { recursive: true })
  for (const width of [360, 1280]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 800 })
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: join(directory, `${name}-${width}-${colorScheme}.png`) })
    }
  }
}

describe('examples/connect-button', () => {
  test('connects a person by code and PKCE, shows their portfolio, and disconnects', async () => {
    const { url, printed } = await start('connect-button', 'app.ts')
    await printed(/Open http/)
    const page = await visit(url)
    await expectAccessible(page)
    await photograph(page, 'connect-start')
    await page.getByRole('button', { name: 'Connect with Portico' }).click()
    const { email, password } = demo.people.investor
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('button', { name: /^Connect / }).click()
    await page.getByRole('heading', { name: demo.people.investor.name }).waitFor()
    expect(await page.getByRole('row').count()).toBeGreaterThan(2)
    expect(page.url()).toBe(`${url}/`)
    await expectAccessible(page)
    await photograph(page, 'connect-connected')
    const cookies = await page.context().cookies(url)
    await page.getByRole('button', { name: 'Disconnect' }).click()
    await page.getByRole('button', { name: 'Connect with Portico' }).waitFor()
    expect(cookies.every(({ httpOnly, sameSite }) => httpOnly && sameSite === 'Lax')).toBe(true)
  })

  test('shares nothing when the person declines, or when a callback was not requested', async () => {
    const { url, printed } = await start('connect-button', 'app.ts')
    await printed(/Open http/)
    const page = await visit(`${url}/callback?code=stolen&state=guessed`)
    await page.getByRole('heading', { name: /Portico opens this page/ }).waitFor()
    await page.getByRole('button', { name: 'Connect with Portico' }).click()
    const { email, password } = demo.people.investor
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('heading', { name: /You did not connect/ }).waitFor()
  })
})

describe('examples/referral-dashboard', () => {
  test('creates a code, and shows its published weeks as ranges', async () => {
    const { url, printed } = await start('referral-dashboard', 'dashboard.ts')
    await printed(/Open http/)
    const page = await visit(url)
    await page.getByText('No code yet').waitFor()
    await page.getByLabel('Code').fill('a b')
    await page.getByRole('button', { name: 'Create code' }).click()
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Code').fill('SPRING-26')
    await page.getByLabel('Name').fill('Spring <b>letter</b>')
    await page.getByRole('button', { name: 'Create code' }).click()
    await page.getByRole('heading', { name: 'SPRING-26 Spring <b>letter</b>' }).waitFor()
    for (let nth = 0; nth < 7; nth++) {
      const id = `usr_0ExampleInvestor000000${nth}0`.slice(0, 28)
      const data = { id, name: 'Grace Hopper', email: `${id}@example.org` }
      const fact = { id: `registered-${id}`, type: 'user.registered', occurred_at: '2026-01-10T09:00:00Z', data }
      await asPlatform('/platform/facts', [fact])
      await invest({ investor: id, ref: 'SPRING-26' })
    }
    await asPlatform('/sandbox/clock', { advance: 'P14D' })
    await expect
      .poll(async () => {
        await page.reload()
        return page.getByText('5 to 9').count()
      })
      .toBeGreaterThan(0)
    await expectAccessible(page)
    await photograph(page, 'referrals-code')
    await page.getByRole('link', { name: 'All codes' }).click()
    await page.getByRole('link', { name: 'SPRING-26' }).waitFor()
    await expectAccessible(page)
    await photograph(page, 'referrals-codes')
  })
})

describe('examples/webhook-receiver', () => {
  test('verifies a test event and a real one, rejects a forged one, and removes its endpoint when it stops', async () => {
    await installOnce()
    const running = await start('webhook-receiver', 'receiver.ts')
    await running.printed(/verified evt_test_\w+/)
    await invest()
    await running.printed(/verified evt_(?!test_)\w+ investment\.created/)
    const forged = await fetch(`${running.url}/hook`, { method: 'POST', body: '{"event":"investment.created"}' })
    expect(forged.status).toBe(400)
    await running.printed(/rejected/)
    await running.stop()
    const [key] = demo.apps[0]?.keys ?? []
    const authorization = `Basic ${Buffer.from(`${key?.client_id}:${key?.client_secret}`).toString('base64')}`
    const left = await fetch(`${demo.base_url}/webhook_endpoints`, { headers: { authorization } })
    expect(await left.json()).toMatchObject({ data: [] })
  })
})

describe('examples/nightly-sync', () => {
  test('copies all investments of the company in the first run, and only the changes in the next', async () => {
    await installOnce()
    const copy = { SYNC_FILE: join(await temporaryDirectory(), 'investments.db') }
    const first = await start('nightly-sync', 'sync.ts', copy)
    await first.ended
    expect(first.output()).toMatch(/: listed all, \d+ stored, 0 removed\./)
    await invest()
    const again = async () => {
      const next = await start('nightly-sync', 'sync.ts', copy)
      await next.ended
      return next.output()
    }
    // The service publishes a change a moment after it happened.
    await expect.poll(again).toMatch(/: requested changes, 1 stored, 0 removed\./)
  })
})

test('an example without its demo prints the next step, but no stack trace', async () => {
  const running = await start('nightly-sync', 'sync.ts', { PORTICO_DEMO_FILE: '/nowhere/demo.json' })
  await running.ended
  expect(running.output()).toMatch(/^There are no settings\. Start the demo first/)
  expect(running.output()).not.toContain('    at ')
})

describe('every example', () => {
  test.each([
    ['connect-button', 'app.ts'],
    ['nightly-sync', 'sync.ts'],
    ['webhook-receiver', 'receiver.ts'],
    ['referral-dashboard', 'dashboard.ts'],
  ])('%s prints one sentence if the demo is down', async (example, entry) => {
    const address = `http://127.0.0.1:${await freePort()}`
    const keys = { PORTICO_CLIENT_ID: 'pk_test_x', PORTICO_CLIENT_SECRET: 'x' }
    const { ended, output } = await start(example, entry, { PORTICO_BASE_URL: address, ...keys })
    expect(await ended).toEqual([1, null])
    expect(output()).toBe(
      `Nothing answers at ${address}. Start the demo (npm start in the root of the repository), or check PORTICO_BASE_URL.\n`,
    )
  })
})
