import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { launchBrowser } from '#test/browser.ts'
import { addAuthenticator } from '#test/virtual-authenticator.ts'
import { expectAccessible } from './accessibility.ts'
import { demoService } from './demo-service.ts'

type Person = { id: string; email: string; password: string }
type Demo = { base_url: string; people: Record<'founder' | 'investor' | 'manager', Person> }

let demo: Demo
let browser: Browser

demoService<Demo>(async (made) => {
  demo = made
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

type Options = Parameters<Browser['newContext']>[0]

async function signedIn({ email, password }: Person, options: Options = {}): Promise<Page> {
  const context = await browser.newContext(options)
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await page.goto(`${demo.base_url}/sign-in?return_to=${encodeURIComponent('/settings')}`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor()
  return page
}

type Inspect = (page: Page) => Promise<void>

/**
 * Goes from the profile to a new key, using only links and forms of the pages. Returns the command line that tries the
 * key.
 */
async function goToNewKey(page: Page, organization: string, inspect: Inspect): Promise<string> {
  await inspect(page)
  await page.getByRole('link', { name: 'Organizations', exact: true }).click()
  await page.getByRole('button', { name: 'Create organization' }).waitFor()
  await inspect(page)
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(organization)
  await page.getByRole('button', { name: 'Create organization' }).click()
  await page.getByRole('heading', { name: organization, level: 1 }).waitFor()
  await inspect(page)
  await page.getByRole('link', { name: 'Create an app' }).click()
  await page.getByRole('button', { name: 'Create app' }).click()
  await page.locator('.error').first().waitFor()
  await inspect(page)
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Deal Desk')
  await page.getByLabel('Description (optional)').fill('Keeps deals in one place.')
  await page.getByRole('checkbox', { name: /usage conditions/ }).check()
  await page.getByRole('button', { name: 'Create app' }).click()
  await page.getByRole('heading', { name: 'Deal Desk', level: 1 }).waitFor()
  await inspect(page)
  await page.getByLabel('Redirect URIs (optional)').fill('https://app.example.com/callback')
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.getByRole('heading', { name: 'Your new key', level: 1 }).waitFor()
  await inspect(page)
  return page.locator('pre code').innerText()
}

const skipInspection: Inspect = async () => {}
const run = promisify(execFile)

describe('the way from an account to a token', () => {
  test('works without JavaScript, and needs only the command line that the page shows', async () => {
    const page = await signedIn(demo.people.investor, { javaScriptEnabled: false })
    const line = await goToNewKey(page, 'Acme Labs', skipInspection)
    const { stdout } = await run('sh', ['-c', `${line} --silent`])
    expect(JSON.parse(stdout)).toMatchObject({ access_token: expect.stringMatching(/^at_test_/), token_type: 'Bearer' })
    await page.getByRole('link', { name: 'I have stored it' }).click()
    await page.getByRole('heading', { name: 'Keys' }).waitFor()
    expect(await page.content()).not.toContain('sk_test_')
  })

  test('has accessible pages, on a phone and on a desktop, light and dark', async () => {
    const page = await signedIn(demo.people.manager)
    const line = await goToNewKey(page, 'Northwind', expectAccessible)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy the line' }).click()
    await page.getByText('The line is copied.').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(line)
    // Back does not send the form again, which would create a second key.
    await page.getByRole('link', { name: 'I have stored it' }).click()
    await page.getByRole('heading', { name: 'Keys' }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'Keys' }).waitFor()
    expect(await page.getByText('Rotate the secret', { exact: true }).count()).toBe(1)
    await page.getByText('Rotate the secret', { exact: true }).click()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Northwind' }).click()
    await page.getByLabel('Email').fill('colleague@example.com')
    await page.getByRole('button', { name: 'Send invitation' }).click()
    await page.getByText('colleague@example.com').waitFor()
    await page.getByText('Leave this organization').click()
    await expectAccessible(page)
    for (const [tab, heading] of [
      ['Connected apps', 'Connected apps'],
      ['Your data', 'Your data'],
    ] as const) {
      await page.getByRole('link', { name: tab, exact: true }).click()
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
      await expectAccessible(page)
    }
  })

  test('a new secret is selected if the browser gives the page no access to the clipboard', async () => {
    const page = await signedIn(demo.people.manager)
    const line = await goToNewKey(page, 'Southwind', skipInspection)
    // As on a page without HTTPS.
    await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    const selected = () => page.evaluate('getSelection().toString()')
    await page.getByRole('button', { name: 'Copy the line' }).click()
    await page.getByText('The line is selected: press Ctrl C.').waitFor()
    expect(await selected()).toBe(line)
    await page.getByRole('button', { name: 'Copy the client secret' }).click()
    await page.getByText('The client secret is selected: press Ctrl C.').waitFor()
    expect(await selected()).toMatch(/^sk_test_[\w-]+$/)
  })
})

describe('an invited person, with a passkey', () => {
  test('creates the account on the page to which the mail links, joins the team, and can delete the account', async () => {
    const owner = await signedIn(demo.people.investor)
    await owner.getByRole('link', { name: 'Organizations', exact: true }).click()
    await owner.getByRole('textbox', { name: 'Name', exact: true }).fill('Harbour')
    await owner.getByRole('button', { name: 'Create organization' }).click()
    await owner.getByLabel('Email').fill('grace@example.com')
    await owner.getByRole('button', { name: 'Send invitation' }).click()
    await owner.getByText('grace@example.com').waitFor()

    const context = await browser.newContext()
    onTestFinished(() => context.close())
    const page = await context.newPage()
    const { press } = await addAuthenticator(page)
    const link = await invitationTo(page, 'grace@example.com')
    await page.goto(link)
    await page.getByRole('heading', { name: 'Join the team of Harbour?' }).waitFor()
    await expectAccessible(page)
    await page.getByLabel('Name').fill('Grace Hopper')
    await press('Use a passkey instead')
    await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor()
    await page.getByRole('link', { name: 'I have saved them' }).click()
    await page.getByRole('heading', { name: 'Harbour' }).waitFor()
    await page.goto(link)
    await page.getByRole('heading', { name: 'This invitation no longer works' }).waitFor()

    await page.goto(`${demo.base_url}/settings/data/delete`)
    await page.getByRole('heading', { name: 'Delete your account' }).waitFor()
    await expectAccessible(page)
    await page.getByLabel(/^Type /).fill('grace@example.com')
    await page.getByRole('button', { name: 'Delete my account' }).click()
    await page.getByRole('heading', { name: 'Your account is deleted' }).waitFor()
  })

  /** Reads the link on the page with the mails that the demo does not send. */
  async function invitationTo(page: Page, address: string): Promise<string> {
    const mail = page.getByRole('listitem').filter({ hasText: address }).getByRole('link')
    await expect
      .poll(async () => {
        await page.goto(`${demo.base_url}/demo/mail`)
        return mail.count()
      })
      .toBe(1)
    await mail.click()
    return page.locator('.mail-text a').first().innerText()
  }
})

describe('leaving', () => {
  test('a person downloads their data, deletes the account, and cannot sign in again', async () => {
    const page = await signedIn(demo.people.founder)
    await page.getByRole('link', { name: 'Your data', exact: true }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download my data' }).click()
    const stream = await (await download).createReadStream()
    const exported = JSON.parse((await stream.toArray()).join('')) as { test: { users: { id: string }[] } }
    expect(exported.test.users).toMatchObject([{ id: demo.people.founder.id }])
    await page.getByRole('link', { name: 'Delete my account' }).click()
    await page.getByLabel(/^Type /).fill('wrong@example.com')
    await page.getByRole('button', { name: 'Delete my account' }).click()
    await page.locator('.error').first().waitFor()
    await expectAccessible(page)
    await page.getByLabel(/^Type /).fill(demo.people.founder.email)
    await page.getByRole('button', { name: 'Delete my account' }).click()
    await page.getByRole('heading', { name: 'Your account is deleted' }).waitFor()
    await expectAccessible(page)
    await page.goto(`${demo.base_url}/sign-in`)
    await page.getByLabel('Email').fill(demo.people.founder.email)
    await page.getByLabel('Password').fill(demo.people.founder.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('Email or password is wrong.').first().waitFor()
  })
})
