import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { launchBrowser } from '#test/browser.ts'
import { expectAccessible } from './accessibility.ts'
import { sharedDemoService } from './demo-service.ts'

type Demo = { readonly base_url: string }

/** These pages have few elements. The search is the same on all pages. */
const REFERENCE_PAGE = '/docs/api/follows'
const GUIDE_PAGE = '/docs/guides/rate-limits'
const INDEX = /\/docs\/search\/search-index-/

let demo: Demo
let browser: Browser
sharedDemoService<Demo>(async (made) => {
  demo = made
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

async function pageOf(context: BrowserContext, path: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(demo.base_url + path)
  await opener(page).waitFor()
  return page
}

const opener = (page: Page): Locator => page.locator('[data-docs-search]').first()
const dialog = (page: Page): Locator => page.getByRole('dialog', { name: 'Search' })
const field = (page: Page): Locator => page.getByRole('combobox', { name: 'Search the documentation' })
const chosen = (page: Page): Locator => page.getByRole('option', { selected: true })

/** Types a query and waits for the first result. */
async function typeQuery(page: Page, query: string): Promise<void> {
  await field(page).fill(query)
  await page
    .getByRole('status')
    .filter({ hasText: /results?$/ })
    .waitFor()
  await chosen(page).waitFor()
}

const FOCUSED = 'document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent?.trim()'

describe('search, in a browser', () => {
  let context: BrowserContext
  let page: Page
  beforeAll(async () => {
    context = await browser.newContext()
    page = await pageOf(context, REFERENCE_PAGE)
  })
  beforeEach(() => page.keyboard.press('Escape'))
  afterAll(() => context?.close())

  test.each([
    ['Ctrl K', () => page.keyboard.press('Control+k')],
    ['/', () => page.keyboard.press('/')],
    ['the button', () => opener(page).click()],
  ])('opens by %s with the cursor in its field, and closes with Escape', async (_way, open) => {
    await opener(page).focus()
    const before = await page.evaluate(FOCUSED)
    await open()
    await dialog(page).waitFor()
    expect(await page.evaluate(FOCUSED)).toBe('Search the documentation')
    await field(page).fill('webhook')
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'hidden' })
    expect(await page.evaluate(FOCUSED)).toBe(before)
  })

  test('does not open when the reader types "/" into another field', async () => {
    await page.getByLabel('Your credential').fill('')
    await page.getByLabel('Your credential').focus()
    await page.keyboard.press('/')
    expect(await dialog(page).isVisible()).toBe(false)
    expect(await page.getByLabel('Your credential').inputValue()).toBe('/')
  })

  test('finds a guide, a convention and a field of a record, and shows a message when it finds nothing', async () => {
    await page.keyboard.press('Control+k')
    for (const [query, address] of [
      ['rate limits', '/docs/guides/rate-limits'],
      ['conditional requests', '/docs/api/conventions#conditional'],
      ['voting_power_percent', '/docs/api/schemas/CompanyDisclosures'],
    ] as const) {
      await typeQuery(page, query)
      await page.locator(`[role=option][href="${address}"]`).first().waitFor()
    }
    await field(page).fill('zyzzyva')
    await page.getByText('Nothing found for “zyzzyva”.').waitFor()
    expect(await field(page).getAttribute('aria-expanded')).toBe('false')
  })

  test('has no accessibility fault in the dialog with results', async () => {
    await page.keyboard.press('Control+k')
    await typeQuery(page, 'webhook')
    await expectAccessible(page)
  })

  test('selects a result with the arrow keys, which wrap around at both ends, and opens it with Enter', async () => {
    await page.keyboard.press('Control+k')
    await typeQuery(page, 'unfollow a company')
    const results = await page.getByRole('option').count()
    const first = await chosen(page).getAttribute('id')
    expect(await field(page).getAttribute('aria-activedescendant')).toBe(first)
    await page.keyboard.press('ArrowUp')
    expect(await chosen(page).getAttribute('id')).toBe(`docs-search-${results - 1}`)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    expect(await chosen(page).getAttribute('id')).toBe('docs-search-1')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/docs/api/follows#op-unfollowCompany')
    expect(await dialog(page).isVisible()).toBe(false)
  })
})

describe('search without a connection', () => {
  async function reader(prepare: (context: BrowserContext) => Promise<unknown>): Promise<Page> {
    const context = await browser.newContext()
    onTestFinished(() => context.close())
    await prepare(context)
    return pageOf(context, GUIDE_PAGE)
  }

  test('finds pages even when it is opened for the first time, because the page has fetched the index', async () => {
    let fetched = Promise.resolve()
    const page = await reader(async (context) => {
      const finished = context.waitForEvent('requestfinished', (request) => INDEX.test(request.url()))
      fetched = finished.then(() => {})
    })
    await fetched
    await page.context().setOffline(true)
    await page.keyboard.press('Control+k')
    await typeQuery(page, 'rotate a client secret')
    expect(await page.getByRole('option').count()).toBeGreaterThan(3)
  })

  test('shows a message when the index cannot be loaded, and loads the index when the search is opened again', async () => {
    const page = await reader((context) => context.route(INDEX, (route) => route.abort('internetdisconnected')))
    await page.keyboard.press('Control+k')
    await page.getByText('The search index could not be loaded.').waitFor()
    await page.context().unroute(INDEX)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await typeQuery(page, 'token')
    expect(await page.getByRole('option').count()).toBeGreaterThan(3)
  })
})
