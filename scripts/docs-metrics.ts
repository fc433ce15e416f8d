import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { scriptOptions } from '../server/src/main/command-line.ts'
import { launchBrowser } from '../server/test/support/browser.ts'
import { startDemo } from './examples/demo-service.ts'

const { data, url, visible } = scriptOptions(
  { data: { type: 'string' }, url: { type: 'string', multiple: true }, visible: { type: 'string' } },
  `Usage: npm run metrics:docs -- [--data DIRECTORY | --url ADDRESS … [--visible SELECTOR]]

Opens the pages of the documentation in Chromium, each with an empty cache, and prints for each: the bytes that it
loads until it is usable, as they are sent (compressed), the bytes after that (the search index, one file for all
pages), the milliseconds until the first heading of its content is visible and until it is usable (search and "Try it"
work), its elements, what axe-core finds, and what the Content-Security-Policy blocked. Without --data and --url it
first starts the service with its demo. It only prints figures: the targets are in
docs/decisions/0037-our-own-reference.md.

  --data DIRECTORY   measure the service that already runs on this data directory
  --url ADDRESS      measure this address instead; may be repeated
  --visible SELECTOR wait for this element instead of the first operation or heading; the page is usable then

Examples:

  npm run metrics:docs
  npm run metrics:docs -- --data .portico
  npm run metrics:docs -- --url http://localhost:4400/docs/api/syndicates
`,
)

/** The longest page of each kind, and the page that most readers open first. */
const PAGES = [
  '/docs',
  '/docs/api/catalogue',
  '/docs/api/syndicates',
  '/docs/api/sandbox',
  '/docs/api/portal',
  '/docs/api/events',
  '/docs/api/errors',
  '/docs/api/schemas/Offering',
  '/docs/guides',
  '/docs/changelog',
]
const FIRST_CONTENT = '#content .operation h2, #content h1, main h1'
const SEARCH = '[data-docs-search]:not([hidden])'
const CALL_WITHOUT_TRY_IT = '.operation[data-method]:not(:has(.request > button))'
const PATIENCE_MS = 60_000

const running = url === undefined ? await startDemo({ data }) : null
const browser = await launchBrowser()
try {
  const addresses = url ?? PAGES.map((path) => (running?.demo.base_url ?? '') + path)
  process.stdout.write(row(['compressed', 'after', 'visible', 'usable', 'elements', 'axe', 'blocked', 'page']))
  for (const address of addresses) {
    const found = await measure(browser, address)
    process.stdout.write(
      row([
        kilobytes(found.bytes),
        kilobytes(found.bytesAfter),
        milliseconds(found.visibleMs),
        milliseconds(found.usableMs),
        String(found.elements),
        String(found.violations.length),
        String(found.blocked),
        found.status === 200 ? address : `${address} (status ${found.status})`,
      ]),
    )
    for (const violation of found.violations) process.stdout.write(`    axe: ${violation}\n`)
  }
} finally {
  await browser.close()
  await running?.stop()
}

function row(cells: readonly string[]): string {
  return `${cells.map((cell, at) => (at < cells.length - 1 ? cell.padStart(10) : cell)).join('  ')}\n`
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1_024).toFixed(1)} KB`
}

function milliseconds(ms: number | null): string {
  return ms === null ? 'never' : `${ms.toFixed(0)} ms`
}

type Found = {
  readonly status: number
  /** Bytes that the page loads until it is usable. */
  readonly bytes: number
  readonly bytesAfter: number
  /** Milliseconds from the start of the navigation; null if the element never appeared. */
  readonly visibleMs: number | null
  readonly usableMs: number | null
  readonly elements: number
  readonly violations: readonly string[]
  readonly blocked: number
}

async function measure(from: Browser, address: string): Promise<Found> {
  const context = await from.newContext({ viewport: { width: 1_280, height: 900 } })
  try {
    const page = await context.newPage()
    const bytes = await countBytes(page)
    await page.addInitScript(
      'addEventListener("securitypolicyviolation", () => { window.blocked = (window.blocked ?? 0) + 1 })',
    )
    const startedMs = performance.now()
    const response = await page.goto(address, { waitUntil: 'commit' })
    const shown = page
      .locator(visible ?? FIRST_CONTENT)
      .filter({ visible: true })
      .first()
    const took = (event: Promise<unknown>) =>
      event.then(
        () => performance.now() - startedMs,
        () => null,
      )
    const visibleMs = await took(shown.waitFor({ timeout: PATIENCE_MS }))
    const usableMs = visible === undefined ? await took(untilUsable(page)) : visibleMs
    const bytesUntilUsable = bytes()
    await page.waitForLoadState('networkidle')
    const [elements, blocked] = await page.evaluate<[number, number]>(
      '[document.querySelectorAll("*").length, window.blocked ?? 0]',
    )
    const violations = await violationsOf(page)
    return {
      status: response?.status() ?? 0,
      bytes: bytesUntilUsable,
      bytesAfter: bytes() - bytesUntilUsable,
      ...{ visibleMs, usableMs, elements, violations, blocked },
    }
  } finally {
    await context.close()
  }
}

/** Waits with locators until scripts have added the search button and "Try it". The page's policy would block `waitForFunction`. */
async function untilUsable(page: Page): Promise<void> {
  await page.locator(SEARCH).waitFor({ timeout: PATIENCE_MS })
  await page.locator(CALL_WITHOUT_TRY_IT).first().waitFor({ state: 'detached', timeout: PATIENCE_MS })
}

/** Counts the bytes of all responses as they are sent, headers included. */
async function countBytes(page: Page): Promise<() => number> {
  let bytes = 0
  const debugging = await page.context().newCDPSession(page)
  await debugging.send('Network.enable')
  debugging.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  return () => bytes
}

/** The debugger evaluates axe-core: the page's own policy would block it. */
async function violationsOf(page: Page): Promise<readonly string[]> {
  await page.evaluate(`${axe.source}\n0`)
  return page.evaluate<readonly string[]>(
    `axe.run(document, { iframes: false, resultTypes: ['violations'] })
      .then(({ violations }) => violations.map(({ id, help, nodes }) => id + ': ' + help + ' (' + nodes.length + ')'))`,
  )
}
