import type { Browser, Page } from 'playwright-core'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { launchBrowser } from '#test/browser.ts'
import { expectAccessible } from './accessibility.ts'
import { sharedDemoService } from './demo-service.ts'

type Demo = { base_url: string; people: Record<'investor', { email: string; password: string }> }

let demo: Demo
let browser: Browser

sharedDemoService<Demo>(async (made) => {
  demo = made
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

async function visitor(): Promise<Page> {
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  return context.newPage()
}

describe('axe-core finds nothing on', () => {
  test.each(['/sign-in', '/no/such/page'])('%s', async (path) => {
    const page = await visitor()
    await page.goto(`${demo.base_url}${path}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expectAccessible(page)
  })
})

test('a page with a mistake fails, and the failure names page, width, scheme and rule', async () => {
  const page = await visitor()
  await page.goto(`${demo.base_url}/sign-in`)
  await page.evaluate(`document.querySelector('label').remove()`)
  await expect(expectAccessible(page)).rejects.toThrow(/\/sign-in at 1280 px, dark: label:/)
})
