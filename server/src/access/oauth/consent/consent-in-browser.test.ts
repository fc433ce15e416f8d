import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import type { Site, SitePerson } from '#access/installations/testing/site.ts'
import { launchBrowser } from '#test/browser.ts'
import { quickHasher } from '#test/quick-hasher.ts'
import { addressFor, anAskingApp, openConsentSite } from './testing/consent-site.ts'

let site: Site
let browser: Browser
const servers: Server[] = []
beforeAll(async () => {
  site = await openConsentSite()
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser.close()
  for (const server of servers) server.close()
  await site.close()
})

async function listen(result: RequestListener): Promise<number> {
  const server = createServer(result).listen(0, '127.0.0.1')
  servers.push(server)
  await new Promise((resolve) => server.once('listening', resolve))
  return (server.address() as AddressInfo).port
}

/** A page without scripts on a phone, with this person signed in. */
async function onPhone(person: SitePerson): Promise<Page> {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 360, height: 740 } })
  const { cookies } = await site.signedIn(person)
  await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url: site.url })))
  return context.newPage()
}

/** Opens this address, which leads to the sign-in page, and fills in the email and password of a person. */
async function signingIn(address: string): Promise<Page> {
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage()
  await page.goto(site.url + address)
  await fillIn(page, await site.person())
  return page
}

/** Gives the person an email and a password, and fills them in on the sign-in page. */
async function fillIn(page: Page, { account }: SitePerson): Promise<void> {
  const [email, password] = [`${account}@example.org`, 'correct horse']
  await site.db.sql('update platform.accounts set email = $2, password_hash = $3 where id = $1', [
    ...[account, email, await quickHasher.hash(password)],
  ])
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
}

describe('in a real browser, without scripts', () => {
  test('a person declines one scope, connects, and arrives at the page to which the app’s callback redirects', async () => {
    const home = await listen((_, response) => response.setHeader('content-type', 'text/plain').end('Home'))
    const callback = await listen(({ url = '' }, response) => {
      // The callback redirects to another origin, like in an app whose API and pages have different hosts.
      response.writeHead(302, { location: `http://localhost:${home}/home${url.slice(url.indexOf('?'))}` }).end()
    })
    const redirect_uri = `http://127.0.0.1:${callback}/back`
    const app = await anAskingApp(site, { redirectUris: ['http://127.0.0.1/back'] })
    const person = await site.person()
    const page = await onPhone(person)
    await page.goto(site.url + addressFor(app, { redirect_uri }))
    await page.getByRole('switch', { name: 'See your investments' }).uncheck()
    await page.getByRole('button', { name: 'Connect Fieldbook CRM' }).click()
    await page.waitForURL(/\/home/)
    expect(new URL(page.url()).searchParams.get('code')).toMatch(/^ac_test_/)
    const rows = await site.db.sql('select scopes from test.installations where app_id = $1', [app.appId])
    expect(rows).toEqual([{ scopes: ['read:profile'] }])
  })

  test('a person finds the app in the list of connected apps and disconnects it with the keyboard', async () => {
    const app = await anAskingApp(site)
    const person = await site.person()
    const ticking = await site.signedIn(person)
    await ticking.open(addressFor(app))
    await ticking.submit(addressFor(app), { decision: 'connect', scope: 'read:profile' })
    const page = await onPhone(person)
    await page.goto(`${site.url}/settings/apps`)
    await page.getByRole('link', { name: 'Disconnect Fieldbook CRM' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Disconnect Fieldbook CRM' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Fieldbook CRM is disconnected.').waitFor()
    await page.getByText('Nothing is connected').waitFor()
    expect(await page.getByRole('link', { name: 'Disconnect Fieldbook CRM' }).count()).toBe(0)
  })

  test('“Not you?” signs out and returns to the consent page after the next sign-in', async () => {
    const app = await anAskingApp(site)
    const page = await onPhone(await site.person())
    await page.goto(site.url + addressFor(app))
    await page.getByRole('button', { name: 'Not you?' }).click()
    await page.waitForURL(/\/sign-in/)
    expect(new URL(page.url()).searchParams.get('return_to')).toBe(addressFor(app))
    await fillIn(page, await site.person(undefined, 'Grace Hopper'))
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Connect Fieldbook CRM' }).waitFor()
    const back = new URL(page.url())
    expect(back.pathname + back.search).toBe(addressFor(app))
    expect(await page.getByText('Grace Hopper').count()).toBe(1)
  })

  test('a person who has to sign in first reaches the app with the error if the request has become invalid', async () => {
    const callback = await listen((_, response) => response.setHeader('content-type', 'text/plain').end('Told'))
    const redirect_uri = `http://127.0.0.1:${callback}/back`
    const app = await anAskingApp(site, { redirectUris: ['http://127.0.0.1/back'] })
    const page = await signingIn(addressFor(app, { redirect_uri }))
    // The scope is removed while the person is typing their password.
    await site.db.sql(`update platform.app_keys set scopes = '{read:profile}' where app_id = $1`, [app.appId])
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(/\/back\?/)
    expect(new URL(page.url()).searchParams.get('error')).toBe('invalid_scope')
  })

  test('a person who has to sign in first reaches a native app even if the request omits the app’s only redirect URI', async () => {
    const app = await anAskingApp(site, { redirectUris: ['com.fieldbook.app:/back'] })
    // Only the page after the sign-in checks whether this person may grant the scope.
    const page = await signingIn(addressFor(app, { redirect_uri: undefined, scope: 'read:investors:pii' }))
    const toApp = page.waitForRequest(/^com\.fieldbook\.app:/)
    await page.getByRole('button', { name: 'Sign in' }).click({ noWaitAfter: true })
    const { searchParams } = new URL((await toApp).url())
    expect(searchParams.get('error')).toBe('invalid_scope')
  })

  test('the consent page, an error page and the list of connected apps are not wider than a small phone', async () => {
    const app = await anAskingApp(site, {
      name: 'An app with a rather long name that has to be broken somewhere, surely',
    })
    const page = await onPhone(await site.person())
    for (const path of [addressFor(app), '/settings/apps', addressFor(app, { redirect_uri: 'https://evil.example' })]) {
      await page.goto(site.url + path)
      const box = await page.locator('main').boundingBox()
      expect(box?.width, path).toBeLessThanOrEqual(360)
      const widths = await page.locator('main *').evaluateAll((all) => all.map((each) => each.scrollWidth))
      expect(Math.max(...widths), path).toBeLessThanOrEqual(360)
    }
  })
})
