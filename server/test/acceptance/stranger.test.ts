import { randomBytes } from 'node:crypto'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { launchBrowser } from '#test/browser.ts'
import { type EmptyDatabase, emptyDatabaseForFile } from '#test/database.ts'
import { type MailServer, mailServer } from '#test/mail-server.ts'
import { expectAccessible } from './accessibility.ts'
import { startService } from './service.ts'

/** The test opens a dozen pages, and checks each in two sizes and two colour schemes. */
const WITHIN_MS = 300_000
const PASSWORD = 'a lantern over the harbour'
const SETTINGS = { PORTICO_SECRET: randomBytes(32).toString('hex'), PORT: '0', LOG_LEVEL: 'warn' }

let mails: MailServer
let database: EmptyDatabase
let browser: Browser
beforeAll(async () => {
  ;[mails, database, browser] = await Promise.all([mailServer(), emptyDatabaseForFile(), launchBrowser()])
})
afterAll(async () => {
  await browser.close()
  await mails.close()
  await database.drop()
})

/** Starts another service on the same database. The first service creates the schema, the next finds it. */
async function start(signUp: 'open' | 'invitation' | 'closed'): Promise<string> {
  const service = await startService({
    ...SETTINGS,
    DATABASE_URL: database.url,
    PORTICO_SIGN_UP: signUp,
    PORTICO_SMTP_URL: mails.url,
    PORTICO_MAIL_FROM: 'Portico <no-reply@platform.example>',
  })
  return service.address
}

async function visitor(): Promise<Page> {
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  return context.newPage()
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const follow = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).first().click()

/**
 * Creates an app and a key from the page of an organization, and returns the id and the secret, which the page shows
 * once.
 */
async function createAppKey(page: Page, name: string): Promise<{ readonly id: string; readonly secret: string }> {
  await follow(page, 'Create an app')
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await page.getByLabel(/usage conditions/).check()
  await expectAccessible(page)
  await press(page, 'Create app')
  await expectAccessible(page)
  await press(page, 'Create key')
  await page.getByText('Store the secret now').waitFor()
  await expectAccessible(page)
  const [id = '', secret = ''] = await page.locator('code.whole').allInnerTexts()
  return { id, secret }
}

async function tokenWith(base: string, { id, secret }: { readonly id: string; readonly secret: string }) {
  const answer = await fetch(`${base}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  expect(answer.status).toBe(200)
  return ((await answer.json()) as { access_token: string }).access_token
}

async function readsOfferings(base: string, token: string): Promise<number> {
  return (await fetch(`${base}/explore`, { headers: { authorization: `Bearer ${token}` } })).status
}

describe('a stranger, with an empty database and only the links in mails,', () => {
  test('signs up at the front page, creates an organization and an app, and gets a key that works', {
    timeout: WITHIN_MS,
  }, async () => {
    const base = await start('open')
    const page = await visitor()
    await page.goto(base)
    await expectAccessible(page)
    await follow(page, 'Create an account')
    await expectAccessible(page)
    await page.getByRole('textbox', { name: 'Name' }).fill('Ada Lovelace')
    await page.getByLabel('Email').fill('ada@example.org')
    await page.getByLabel('Password').fill(PASSWORD)
    await press(page, 'Create the account')
    await page.getByRole('heading', { name: 'Check your mail' }).waitFor()
    await expectAccessible(page)

    await page.goto(await mails.waitForLink('ada@example.org', /confirm/i))
    await expectAccessible(page)
    await press(page, 'Create the account')
    await page.goto(`${base}/settings/organizations`)
    await expectAccessible(page)
    await page.getByRole('textbox', { name: 'Name' }).fill('Analytical Engines')
    await press(page, 'Create organization')
    await page.getByText('Your organization is created').waitFor()
    await expectAccessible(page)
    const key = await createAppKey(page, 'Difference Engine')
    expect(await readsOfferings(base, await tokenWith(base, key))).toBe(200)

    await page.goto(`${base}/settings/organizations`)
    await follow(page, 'Open Analytical Engines')
    await page.getByLabel('Email').fill('grace@example.org')
    await press(page, 'Send invitation')
    await page.getByText('The person is invited').waitFor()
    await mails.waitForLink('grace@example.org', /invite/i)
  })

  test('joins a team by invitation if people cannot sign up by themselves', { timeout: WITHIN_MS }, async () => {
    const base = await start('invitation')
    const page = await visitor()
    await page.goto(`${base}/sign-up`)
    await page.getByRole('heading', { name: 'Accounts are made by invitation' }).waitFor()

    const link = new URL(await mails.waitForLink('grace@example.org', /invite/i))
    await page.goto(base + link.pathname + link.search)
    await expectAccessible(page)
    await page.getByRole('textbox', { name: 'Name' }).fill('Grace Hopper')
    await page.getByLabel('Password').fill(PASSWORD)
    await press(page, 'Create an account and join')
    await page.getByRole('heading', { name: 'Analytical Engines' }).waitFor()
    await page.goto(`${base}/settings/organizations`)
    await follow(page, 'Open Analytical Engines')
    const key = await createAppKey(page, 'Compiler')
    expect(await readsOfferings(base, await tokenWith(base, key))).toBe(200)
    expect(mails.received.filter(({ to }) => to === 'grace@example.org').map(({ subject }) => subject)).toHaveLength(1)
  })
})
