import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/**
 * Pages are checked in the width of a small phone and of a desktop, each in both colour schemes. A page can break a rule
 * in only one of these four cases.
 */
const WIDTHS = [360, 1280] as const
const SCHEMES = ['light', 'dark'] as const
const HEIGHT = 800

/** `npm run prove -- pages` sets this variable, so that the rules about colours run in all four cases. */
const EVERY_CASE = process.env['PORTICO_TEST_PAGES'] === 'every case'

/** Lists what the page's style sheets set for one colour scheme, except variables. */
const OTHER_RULES = `(() => {
  const inside = (rule) => (rule instanceof CSSMediaRule ? [...rule.cssRules].flatMap(inside) : [rule])
  return [...document.styleSheets]
    .flatMap((sheet) => [...sheet.cssRules])
    .filter((rule) => rule instanceof CSSMediaRule && rule.media.mediaText.includes('prefers-color-scheme'))
    .flatMap(inside)
    .filter((rule) => !(rule instanceof CSSStyleRule) || [...rule.style].some((name) => !name.startsWith('--')))
    .map((rule) => rule.cssText)
})()`

/**
 * The minified file. The package's main file has more than twice as many bytes, and the browser would parse them for
 * each page.
 */
const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Violation = { readonly id: string; readonly help: string; readonly nodes: readonly { readonly html: string }[] }

/**
 * Asserts that axe-core finds no violation on the current page, and that nothing is cut off horizontally. Wait for the page's
 * content first. The page's own policy blocks scripts, so axe-core is evaluated by the browser's debugger and not added to the
 * page. The browser context must have JavaScript enabled.
 */
export async function expectAccessible(page: Page): Promise<void> {
  const before = page.viewportSize()
  const found: string[] = []
  // A page that was not loaded again still has axe-core.
  if (await page.evaluate(`typeof axe === 'undefined'`)) await page.evaluate(`${AXE}\n0`)
  const otherRules = await page.evaluate<readonly string[]>(OTHER_RULES)
  found.push(
    ...otherRules.map((rule) => `${new URL(page.url()).pathname}: the dark scheme sets more than colours: ${rule}`),
  )
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT })
    for (const colorScheme of SCHEMES) {
      const rules = rulesFor(page, width, colorScheme)
      if (rules === null) continue
      await page.emulateMedia({ colorScheme })
      const at = `${new URL(page.url()).pathname} at ${width} px, ${colorScheme}`
      found.push(...(await violationsOf(page, rules)).map((line) => `${at}: ${line}`))
    }
    const hidden = await page.evaluate<number>(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    )
    if (hidden > 0) found.push(`${new URL(page.url()).pathname} at ${width} px: ${hidden} px are cut off at the side`)
  }
  await page.emulateMedia({ colorScheme: null })
  if (before !== null) await page.setViewportSize(before)
  expect(found, found.join('\n')).toEqual([])
}

/** The options of axe-core, as expressions for the browser. */
const RULES = {
  all: '{}',
  colours: `{ runOnly: { type: 'tag', values: ['cat.color'] } }`,
  others: `{ rules: Object.fromEntries(axe.getRules(['cat.color']).map(({ ruleId }) => [ruleId, { enabled: false }])) }`,
}

/**
 * The rules about colours take most of the time, so each page runs them in only one width per scheme. The page's path
 * decides the width. Pages share their parts, so nearly every part gets all four cases. `expectAccessible` first checks
 * that the dark scheme sets only variables, so all other rules run in the light scheme only.
 */
function rulesFor(page: Page, width: number, scheme: (typeof SCHEMES)[number]): keyof typeof RULES | null {
  const path = new URL(page.url()).pathname.replaceAll(/_[0-9A-Za-z]{16,}/g, '')
  const isEven = [...path].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % 2 === 0
  const withColours = EVERY_CASE || (width === WIDTHS[0]) === ((scheme === 'light') === isEven)
  if (scheme === 'light') return withColours ? 'all' : 'others'
  return withColours ? 'colours' : null
}

async function violationsOf(page: Page, rules: keyof typeof RULES): Promise<readonly string[]> {
  // Frames with another document (a mail) have their own tests.
  const violations = await page.evaluate<readonly Violation[]>(
    `axe.run(document, { iframes: false, resultTypes: ['violations'], ...${RULES[rules]} }).then(({ violations }) => violations)`,
  )
  return violations.map(({ id, help, nodes }) => `${id}: ${help} (${nodes.map((node) => node.html).join(' ')})`)
}
