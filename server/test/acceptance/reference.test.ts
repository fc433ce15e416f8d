import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { launchBrowser } from '#test/browser.ts'
import { expectAccessible } from './accessibility.ts'
import { sharedDemoService } from './demo-service.ts'

/**
 * "A person reading the API reference at /docs can make each call from it against the demo."
 * contract/reference-pages.test.ts checks the contents of the pages. In this file a browser runs their script.
 */

type Demo = {
  base_url: string
  operator_keys: { test: string; live: string }
  apps: { keys: { mode: string; type: string; client_id: string; client_secret?: string }[] }[]
  people: Record<'founder' | 'investor' | 'developer', { id: string; email: string; password: string }>
  ids: { company: string; offering_public: string; offering_private: string }
}
type Operation = {
  operationId: string
  tags: string[]
  parameters?: { in?: string; required?: boolean }[]
  requestBody?: object
}

let demo: Demo
let browser: Browser
let operations: Operation[]
sharedDemoService<Demo>(async (made) => {
  demo = made
  browser = await launchBrowser()
  const document = (await (await fetch(`${demo.base_url}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, Operation>>
  }
  operations = Object.values(document.paths).flatMap((item) => Object.values(item))
})
afterAll(() => browser?.close())

type ContextOptions = Parameters<Browser['newContext']>[0]

/** Opens a new browser context at the page that shows an operation, or at the start of the reference. */
async function reader(operation: string | null = null, options: ContextOptions = {}): Promise<Page> {
  const context = await browser.newContext(options)
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await page.goto(demo.base_url + (operation === null ? '/docs' : topicOf(operation)))
  return page
}

/** Opens one page for all tests of a `describe`. */
function sharedPage(path: () => string): { readonly page: Page } {
  const reading = {} as { page: Page }
  beforeAll(async () => {
    const context = await browser.newContext()
    reading.page = await context.newPage()
    await reading.page.goto(demo.base_url + path())
  })
  afterAll(() => reading.page?.context().close())
  return reading
}

/** Opens the form of an operation on the page of its topic. */
async function formOf(page: Page, operation: string): Promise<Locator> {
  const topic = topicOf(operation)
  if (new URL(page.url()).pathname !== topic) await page.goto(demo.base_url + topic)
  const section = page.locator(`#op-${operation}`)
  const form = section.locator('form.try')
  if (!(await form.isVisible())) await section.getByRole('button', { name: /^Try it/ }).click()
  // The page sends a public read at once.
  await form.locator('[type=submit]:not([aria-disabled])').waitFor()
  return form
}

/** Presses the form's only button, and reads the response that the page shows. */
async function send(form: Locator): Promise<{ status: string; headers: string; body: string }> {
  await form.getByRole('button', { name: /^Send / }).click()
  await form.locator('[type=submit]:not([aria-disabled])').waitFor()
  const [headers, body] = await form.locator('.received pre').allTextContents()
  return { status: await form.getByRole('status').innerText(), headers: headers ?? '', body: body ?? '' }
}

const useDemoKey = (page: Page) => page.getByRole('button', { name: 'The demo’s publishable key' }).click()
const paste = (page: Page, token: string) => page.getByLabel('Your credential').fill(token)

/** Gets a user's token as a person of the demo does, starting from the page and returning to it. */
async function connect(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  const began = page.url()
  await page.getByRole('button', { name: 'Get a user’s token' }).click()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('button', { name: /^Connect / }).click()
  await page.waitForURL(`${began}#credentials`)
  await page.getByRole('button', { name: 'The user’s token you just got', pressed: true }).waitFor()
}

/** Returns the page on which the reference shows an operation. */
function topicOf(operation: string): string {
  const { tags } = operations.find(({ operationId }) => operationId === operation) ?? { tags: [] }
  return `/docs/api/${(tags[0] ?? '').toLowerCase().replaceAll(' ', '-')}`
}

describe('with the demo’s publishable key, in a browser', () => {
  const reading = sharedPage(() => topicOf('getCompany'))

  test('a public read is answered at the first click', async () => {
    const company = await formOf(reading.page, 'getCompany')
    expect(await company.getByRole('status').innerText()).toMatch(/^200 OK/)
  })

  test('a public read shows status, headers and body', async () => {
    const explore = await formOf(reading.page, 'listOfferings')
    await explore.getByText('optional parameters').click()
    await explore.getByLabel('sort').selectOption('newest')
    await explore.getByLabel('per_page').fill('2')
    const { status, headers, body } = await send(explore)
    expect(status).toMatch(/^200 OK/)
    expect(headers).toMatch(/^wefunder-version: 2026-11-01$/m)
    expect(JSON.parse(body)).toMatchObject({ meta: { page_count: 2, sort: 'newest' } })
    expect(await explore.getByText('GET /explore?sort=newest&per_page=2').count()).toBe(1)
  })

  test('the example is a record of the demo, and a private record is 404', async () => {
    const offering = await formOf(reading.page, 'getOffering')
    const { status, body } = await send(offering)
    expect(status).toMatch(/^200 OK/)
    expect(JSON.parse(body).data.id).toBe(demo.ids.offering_public)
    await offering.getByLabel('id', { exact: true }).fill(demo.ids.offering_private)
    expect((await send(offering)).status).toMatch(/^404/)
  })

  test('the table of contents marks the operation that the reader sees', async () => {
    const { page } = reading
    for (const operation of ['searchCompanies', 'getOffering']) {
      await page.locator(`#op-${operation} h2`).evaluate((heading) => heading.scrollIntoView({ block: 'start' }))
      await page.locator(`nav [aria-current=location][href="#op-${operation}"]`).waitFor()
      expect(await page.locator('nav [aria-current=location]').count()).toBe(1)
    }
  })

  test('axe-core finds nothing on the page with responses, and the page fits on a phone', async () => {
    await expectAccessible(reading.page)
  })
})

describe('the reference, in a browser', () => {
  test('builds a form with a field for each parameter and the body of every call on a page', async () => {
    const page = await reader('createWebhookEndpoint')
    await page.locator('#op-createWebhookEndpoint [aria-expanded=false]').waitFor()
    await page.evaluate('for (const it of document.querySelectorAll("[aria-expanded=false]")) it.click()')
    const forms = await page.evaluate<Record<string, string>>(`Object.fromEntries(
      [...document.querySelectorAll('.operation[data-method]')].map((it) => {
        const count = (what) => it.querySelectorAll('form.try ' + what).length
        return [it.id, count('.field') + ' fields, ' + count('[type=submit]') + ' button']
      }))`)
    const calls = operations.filter(({ tags: [topic] }) => topic === 'Webhooks')
    expect(calls.length).toBeGreaterThan(10)
    const wanted = calls.map(({ operationId, parameters = [], requestBody }) => {
      const fields = parameters.length + (requestBody === undefined ? 0 : 1)
      return [`op-${operationId}`, `${fields} fields, 1 button`]
    })
    expect(forms).toEqual(Object.fromEntries(wanted))
    // This credential is unknown, so the response is 401. Then the page offers to sign in as a person of the demo.
    await paste(page, 'at_test_of_nobody')
    const list = page.locator('#op-listWebhookEndpoints form.try')
    const offer = list.getByRole('button', { name: 'Sign in as the demo developer' })
    expect(await offer.isVisible()).toBe(false)
    expect((await send(list)).status).toMatch(/^401/)
    await offer.waitFor()
  })

  test('shows the reason of a rejected call: no credential, too few scopes', async () => {
    const page = await reader('listInstallations')
    const list = await formOf(page, 'listInstallations')
    expect(await send(list)).toMatchObject({ status: expect.stringMatching(/^401/) })
    await useDemoKey(page)
    const refused = await send(list)
    expect(refused.status).toMatch(/^403/)
    expect(JSON.parse(refused.body).error.type).toBe('insufficient_scope')
  })

  test('uses a token from a response for the next call: client credentials', async () => {
    const page = await reader('createToken')
    const token = await formOf(page, 'createToken')
    const secret = demo.apps[0]?.keys.find(
      ({ mode, type }) => mode === 'test' && type === 'confidential',
    )?.client_secret
    const body = token.getByLabel('Body', { exact: true })
    await body.fill((await body.inputValue()).replace(/sk_test_ExampleOnly\w+/, secret ?? ''))
    expect((await send(token)).status).toMatch(/^200 OK/)
    await token.getByRole('button', { name: 'Use this token from now on' }).click()
    expect((await send(await formOf(page, 'searchCompanies'))).status).toMatch(/^200 OK/)
  })

  test('offers to sign in as the person of the demo who can make the call, and returns to the same place', async () => {
    const page = await reader('getPortfolio')
    const portfolio = await formOf(page, 'getPortfolio')
    await portfolio.getByRole('button', { name: 'Sign in as the demo investor' }).click()
    await page.getByRole('button', { name: 'Continue as Priya, an investor' }).click()
    await page.getByRole('button', { name: /^Connect / }).click()
    const form = page.locator('#op-getPortfolio form.try')
    await form.waitFor()
    expect((await send(form)).status).toMatch(/^200 OK/)
    expect(await form.getByRole('button', { name: /^Sign in as/ }).count()).toBe(0)
    // The samples use the reader's current token.
    await page.locator('#op-getPortfolio').getByRole('radio', { name: 'Ruby' }).check()
    const sample = page.locator('#op-getPortfolio pre[data-language=ruby]')
    expect(await sample.innerText()).toMatch(/"Bearer " \+ "at_test_/)
  })

  test('offers a person who has signed in to the portal the test keys of their own apps', async () => {
    const page = await reader('getCompany')
    await page.getByRole('button', { name: 'Use the test keys of my apps' }).click()
    await page.getByText('Sign in to the developer portal in this browser first.').waitFor()
    await page.goto(`${demo.base_url}/sign-in`)
    await page.getByLabel('Email').fill(demo.people.developer.email)
    await page.getByLabel('Password').fill(demo.people.developer.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL((url) => url.pathname !== '/sign-in')
    await page.goto(demo.base_url + topicOf('getCompany'))
    await page.getByRole('button', { name: 'Use the test keys of my apps' }).click()
    await page.getByRole('button', { name: 'Test key of Fieldbook Digest' }).waitFor()
    const key = await page.getByLabel('Your credential').inputValue()
    expect(demo.apps.flatMap(({ keys }) => keys).find(({ client_id }) => client_id === key)?.mode).toBe('test')
    const { status } = await send(await formOf(page, 'getCompany'))
    expect(status).toMatch(/^200 OK/)
    expect(await page.locator('#op-getCompany pre[data-language=curl]').innerText()).toContain(key)
  })

  test('applies the chosen language to all samples, and the browser stores it', async () => {
    const page = await reader('getCompany')
    await page.locator('#op-getCompany').getByRole('radio', { name: 'Python' }).check()
    const shown = page.locator('#op-listOfferings pre[data-language=python]')
    expect(await shown.isVisible()).toBe(true)
    await page.goto(demo.base_url + topicOf('followCompany'))
    await page.locator('#op-followCompany pre[data-language=python]').waitFor({ state: 'visible' })
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.locator('#op-followCompany').getByRole('button', { name: /^Copy/ }).click()
    await page.locator('#op-followCompany').getByText('Copied').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/^import json\nimport os\n/)
  })

  test('signs a person in and calls for them: a read, a change, a POST repeated with its Idempotency-Key', async () => {
    const page = await reader('getCurrentUser')
    await connect(page, demo.people.founder)
    const me = await send(await formOf(page, 'getCurrentUser'))
    expect(JSON.parse(me.body).data.id).toBe(demo.people.founder.id)
    expect((await send(await formOf(page, 'updateCurrentUser'))).status).toMatch(/^200 OK/)
    const install = await formOf(page, 'createInstallation')
    await install.getByLabel('Idempotency-Key').fill('from-the-reference')
    const first = await send(install)
    expect(first.status).toMatch(/^201 Created/)
    const again = await send(install)
    expect(again.headers).toMatch(/^idempotent-replayed: true$/m)
    expect(JSON.parse(again.body)).toEqual(JSON.parse(first.body))
    await install.getByRole('button', { name: 'Use this token from now on' }).click()
    const there = await send(await formOf(page, 'listInstallations'))
    expect(JSON.parse(there.body).data).toMatchObject([{ id: JSON.parse(first.body).data.id }])
  })

  test('makes the host platform’s calls with its key', async () => {
    const page = await reader('sandboxInvestmentCreate')
    await paste(page, demo.operator_keys.test)
    expect((await send(await formOf(page, 'sandboxInvestmentCreate'))).status).toMatch(/^201 Created/)
    await paste(page, demo.operator_keys.live)
    expect(await page.getByText('what you send is real').count()).toBe(1)
  })

  test('works with the keyboard alone, and a screen reader announces the response', async () => {
    const page = await reader('searchCompanies')
    await page
      .locator('#op-searchCompanies')
      .getByRole('button', { name: /^Try it/ })
      .focus()
    await page.keyboard.press('Enter')
    const form = page.locator('#op-searchCompanies form.try')
    await form.locator('input:focus').waitFor()
    expect(await form.locator('input:focus').getAttribute('id')).toBe('op-searchCompanies-query-q')
    await page.keyboard.press('Enter')
    await form.getByRole('status').filter({ hasText: '200 OK' }).waitFor()
  })

  test('is readable without JavaScript, with a command for each call', async () => {
    const page = await reader('getOffering', { javaScriptEnabled: false })
    const offering = page.locator('#op-getOffering')
    const address = `${demo.base_url}/offerings/${demo.ids.offering_public}`
    expect(await offering.locator('pre:visible').first().innerText()).toContain(`curl '${address}'`)
    await offering.getByRole('radio', { name: 'Ruby' }).check()
    expect(await offering.locator('pre:visible').first().innerText()).toContain(`uri = URI("${address}")`)
    expect(await page.getByRole('button').count()).toBe(0)
  })

  test('ignores a code that the page did not request', async () => {
    const page = await reader('followCompany')
    let isRequested = false
    page.on('request', (request) => (isRequested ||= request.url().endsWith('/oauth/token')))
    await page.goto(`${demo.base_url}/docs?code=ac_test_stolen&state=made-up`)
    await page.getByRole('button', { name: 'The demo’s publishable key' }).waitFor()
    expect(isRequested).toBe(false)
  })
})

describe('axe-core finds nothing on', () => {
  const reading = sharedPage(() => '/docs/api/follows')

  test.each(['', '/api/events', '/api/errors', '/api/conventions', '/api/versions', '/api/schemas/Offering'])(
    '/docs%s',
    async (path) => {
      const { page } = reading
      await page.goto(`${demo.base_url}/docs${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      // Three sections are enough. All sections have the same structure, and axe-core needs a minute for all events.
      await page.evaluate(
        'for (const it of [...document.querySelectorAll("main .operation, main .topic")].slice(3)) it.remove()',
      )
      await expectAccessible(page)
    },
  )
})

describe('over HTTP', () => {
  test.each(['/docs/api/nothing', '/docs/api/schemas/Nothing'])('404 at %s, with an HTML page', async (path) => {
    const answer = await fetch(demo.base_url + path, { headers: { accept: 'text/html' } })
    expect(answer.status).toBe(404)
    expect(await answer.text()).toContain('There is nothing here')
  })

  test('the pages contain no secrets', async () => {
    const addresses = new Set(['/docs', ...operations.map(({ operationId }) => topicOf(operationId))])
    const texts = [...addresses].map(async (address) => (await fetch(demo.base_url + address)).text())
    const page = (await Promise.all(texts)).join('')
    expect(page).toContain(demo.ids.offering_public)
    const secrets = [
      ...Object.values(demo.operator_keys),
      ...demo.apps.flatMap(({ keys }) => keys.flatMap(({ client_secret }) => client_secret ?? [])),
      ...Object.values(demo.people).map(({ password }) => password),
    ]
    expect(secrets.length).toBeGreaterThan(5)
    for (const secret of secrets) expect(page).not.toContain(secret)
  })
})
