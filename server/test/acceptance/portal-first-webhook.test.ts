import { randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Browser } from 'playwright-core'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { launchBrowser } from '#test/browser.ts'
import { type EmptyDatabase, emptyDatabaseForFile } from '#test/database.ts'
import { type MailServer, mailServer } from '#test/mail-server.ts'
import { startService } from './service.ts'

const WITHIN_MS = 240_000

let mails: MailServer
let database: EmptyDatabase
let browser: Browser
/** A partner's own server. */
let partner: Server
const received: { readonly headers: Record<string, string>; readonly body: string }[] = []
beforeAll(async () => {
  ;[mails, database, browser] = await Promise.all([mailServer(), emptyDatabaseForFile(), launchBrowser()])
  partner = createServer(async (request, response) => {
    const body = await text(request)
    received.push({ headers: request.headers as Record<string, string>, body })
    response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => partner.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  await browser.close()
  partner.close()
  await mails.close()
  await database.drop()
})

describe('a stranger', () => {
  test('starts at the front page and ends with a webhook whose signature they verified', {
    timeout: WITHIN_MS,
  }, async () => {
    const { address: base } = await startService({
      ...{ PORTICO_SECRET: randomBytes(32).toString('hex'), PORT: '0', LOG_LEVEL: 'warn', DATABASE_URL: database.url },
      ...{
        PORTICO_SIGN_UP: 'open',
        PORTICO_SMTP_URL: mails.url,
        PORTICO_MAIL_FROM: 'Portico <no-reply@platform.example>',
      },
      PORTICO_ALLOW_LOOPBACK_WEBHOOKS: 'on',
    })
    const context = await browser.newContext({ locale: 'en-US' })
    onTestFinished(() => context.close())
    const page = await context.newPage()
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
    const follow = (name: string) => page.getByRole('link', { name, exact: true }).first().click()

    await page.goto(base)
    await follow('Create an account')
    await page.getByRole('textbox', { name: 'Name' }).fill('Ada Lovelace')
    await page.getByLabel('Email').fill('ada@example.org')
    await page.getByLabel('Password').fill('a lantern over the harbour')
    await press('Create the account')
    await page.goto(await mails.waitForLink('ada@example.org', /confirm/i))
    await press('Create the account')

    await follow('Create an app')
    await page.getByLabel('Organization').fill('Analytical Engines')
    await page.getByLabel('Name').fill('Difference Engine')
    await page.getByRole('checkbox').check()
    await press('Create the app')

    await page.getByText('0 of 6 done in test mode.').waitFor()
    await follow('Create a key')
    await page.getByLabel('Name').fill('Server')
    await press('Create the key')
    const clientId = await page
      .getByRole('dialog')
      .getByText(/^pk_test_/)
      .innerText()
    await press('I have stored it')

    // On every page, the strip "First steps" links to the list of steps and to the next step.
    const strip = page.getByRole('navigation', { name: 'First steps' })
    await strip.getByText('1 of 6 done').waitFor()
    await strip.getByRole('link', { name: 'First steps' }).click()
    await page.getByText('1 of 6 done in test mode.').waitFor()
    const answer = await fetch(`${base}/explore`, { headers: { authorization: `Bearer ${clientId}` } })
    expect(answer.status).toBe(200)
    await page.getByText('2 of 6 done in test mode.').waitFor()
    await follow('Choose scopes')
    await press('Add 3 scopes')
    await page.getByText('The scopes are changed').waitFor()

    await strip.getByText('3 of 6 done').waitFor()
    await strip.getByRole('link', { name: 'Add a webhook endpoint' }).click()
    await page.getByLabel('URL').fill('https://local host/hook')
    await press('Add the endpoint')
    await page.getByText('must be an absolute URL').waitFor()
    await page.getByLabel('URL').fill(`http://127.0.0.1:${(partner.address() as AddressInfo).port}/hook`)
    await press('Add the endpoint')
    const secret = await page
      .getByRole('dialog')
      .getByText(/^whsec_/)
      .innerText()
    await press('I have stored it')
    await press('Send the test')
    await page.getByText(/Delivered in/).waitFor()

    const [first] = received
    expect(new Webhook(secret).verify(first?.body ?? '', first?.headers ?? {})).toMatchObject({ mode: 'test' })
    await follow('Overview')
    await page.getByText('4 of 6 done in test mode.').waitFor()

    await press('Install on a sandbox company')
    await page.getByRole('button', { name: /^Install Difference Engine on .+ \(sandbox\)$/ }).click()
    await follow('Make an event in the sandbox')
    await press('Play: Investment to execution')
    await page.getByText('Done: Investment to execution').waitFor()
    const outcome = page.getByRole('listitem').filter({ hasText: 'Create an investment' })
    await outcome.getByText('Delivered').first().waitFor()
    const created = received.find(({ body }) => body.includes('"investment.created"'))
    expect(new Webhook(secret).verify(created?.body ?? '', created?.headers ?? {})).toMatchObject({
      event: 'investment.created',
      mode: 'test',
    })
    await follow('Overview')
    await page.getByText('First steps').waitFor({ state: 'detached' })
  })
})
