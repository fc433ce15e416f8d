import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** A small phone and a desktop, in both colour schemes: a rule may hold in three of the four and fail in one. */
const WIDTHS = [360, 1280] as const
const HEIGHT = 800

/** `expectAccessible` checks that the dark scheme sets only variables, so only the rules about colours run again for it. */
const SCHEMES = [
  ['light', {}],
  ['dark', { runOnly: { type: 'tag', values: ['cat.color'] } }],
] as const

/** The rules for one colour scheme that set anything other than variables. */
const OTHER_RULES = `(() => {
  const inside = (rule) => (rule instanceof CSSMediaRule ? [...rule.cssRules].flatMap(inside) : [rule])
  return [...document.styleSheets]
    .flatMap((sheet) => [...sheet.cssRules])
    .filter((rule) => rule instanceof CSSMediaRule && rule.media.mediaText.includes('prefers-color-scheme'))
    .flatMap(inside)
    .filter((rule) => !(rule instanceof CSSStyleRule) || [...rule.style].some((name) => !name.startsWith('--')))
    .map((rule) => rule.cssText)
})()`

/** The package's own entry has more than twice as many bytes, which the browser would parse for each page. */
const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Violation = { readonly id: string; readonly help: string; readonly nodes: readonly { readonly html: string }[] }

/**
 * Asserts that axe-core finds no violation on the current page, and that nothing is cut off horizontally. Wait for the page's
 * content first. The page's own policy blocks scripts, so the browser's debugger evaluates axe-core. The browser context must
 * have JavaScript enabled, also for a page without scripts.
 */
export async function expectAccessible(page: Page): Promise<void> {
  const before = page.viewportSize()
  const found: string[] = []
  // A page that was checked before and not loaded again still has axe-core.
  if (await page.evaluate(`typeof axe === 'undefined'`)) await page.evaluate(`${AXE}\n0`)
  const otherRules = await page.evaluate<readonly string[]>(OTHER_RULES)
  found.push(
    ...otherRules.map((rule) => `${new URL(page.url()).pathname}: the dark scheme sets more than colours: ${rule}`),
  )
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT })
    for (const [colorScheme, rules] of SCHEMES) {
      await page.emulateMedia({ colorScheme })
      const at = `${new URL(page.url()).pathname} at ${width} px, ${colorScheme}`
      found.push(...(await violationsOf(page, rules)).map((line) => `${at}: ${line}`))
    }
    const hidden = await page.evaluate<number>(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    )
    if (hidden > 0) found.push(`${new URL(page.url()).pathname} at ${width} px: ${hidden} px are cut off sideways`)
  }
  await page.emulateMedia({ colorScheme: null })
  if (before !== null) await page.setViewportSize(before)
  expect(found, found.join('\n')).toEqual([])
}

async function violationsOf(page: Page, rules: object): Promise<readonly string[]> {
  // A frame with another document (a mail) has its own test.
  const all = { iframes: false, resultTypes: ['violations'], ...rules }
  const violations = await page.evaluate<readonly Violation[]>(
    `axe.run(document, ${JSON.stringify(all)}).then(({ violations }) => violations)`,
  )
  return violations.map(({ id, help, nodes }) => `${id}: ${help} (${nodes.map((node) => node.html).join(' ')})`)
}
