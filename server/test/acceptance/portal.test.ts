import type { Browser } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { launchBrowser } from '#test/browser.ts'
import { expectAccessible } from './accessibility.ts'
import { demoService } from './demo-service.ts'
import { openPortal, type PortalDemo } from './portal.ts'

let demo: PortalDemo
let browser: Browser

demoService<PortalDemo>(async (made) => {
  demo = made
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

const open = (path: string, person?: 'developer' | 'investor') =>
  openPortal({ demo, browser, ...(person === undefined ? {} : { person }) }, path)

describe('the developer portal', () => {
  test('opens a deep link after the sign-in, with its mode', async () => {
    const app = demo.apps[0]
    const page = await open(`/developers/apps/${app?.id}/settings?mode=live`)
    await page.getByRole('heading', { name: 'Settings' }).waitFor()
    const url = new URL(page.url())
    expect(url.pathname + url.search).toBe(`/developers/apps/${app?.id}/settings?mode=live`)
    expect(await page.getByRole('link', { name: 'Live', exact: true }).getAttribute('aria-current')).toBe('page')
  })

  test('is accessible: the list, the form, the settings, another team’s app, the palette', async () => {
    const page = await open('/developers/apps')
    await page.getByRole('table').waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Create an app' }).click()
    await page.getByRole('heading', { name: 'Create an app' }).waitFor()
    await expectAccessible(page)
    await page.goto(`${demo.base_url}/developers/apps/${demo.apps[0]?.id}/settings`)
    await page
      .getByRole('button', { name: /^Edit the redirect URIs/ })
      .first()
      .waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').waitFor()
    await expectAccessible(page)
    await page.goto(`${demo.base_url}/developers/apps/app_${'0'.repeat(24)}/settings`)
    await page.getByRole('heading', { name: 'Not found' }).waitFor()
    await expectAccessible(page)
  })

  test('lets a person create an app, rename it, disable and enable it, and delete it by its name', async () => {
    const page = await open('/developers')
    await page.getByRole('link', { name: 'Create an app' }).click()
    await page.getByLabel('Name').fill('Harbor Books')
    await page.getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Create the app' }).click()
    await page.getByRole('button', { name: 'App: Harbor Books' }).waitFor()
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByLabel('Name').fill('Harbor Ledger')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The settings are saved').waitFor()
    await page.getByRole('button', { name: 'Disable', exact: true }).click()
    await page.getByRole('button', { name: 'Disable Harbor Ledger' }).click()
    await page.getByRole('button', { name: 'Enable' }).click()
    await page.getByText('Harbor Ledger is enabled').waitFor()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    const confirm = page.getByRole('button', { name: 'Delete Harbor Ledger' })
    await page.getByLabel('Type Harbor Ledger to confirm').fill('Harbor')
    expect(await confirm.isDisabled()).toBe(true)
    await page.getByLabel('Type Harbor Ledger to confirm').fill('Harbor Ledger')
    await confirm.click()
    await page.getByText('Harbor Ledger is deleted').waitFor()
    await page.getByRole('table').waitFor()
    await expect.poll(() => page.getByRole('link', { name: /Harbor/ }).count()).toBe(0)
  })

  test('has a drawer as navigation on a phone, where the palette opens an app and the filters are closed', async () => {
    const page = await open('/developers/apps')
    await page.setViewportSize({ width: 360, height: 740 })
    await page.getByRole('button', { name: 'Open the navigation' }).click()
    await page.getByRole('dialog').getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('heading', { name: 'Settings' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('digest')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'App: Fieldbook Digest' }).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/developers/apps/${demo.apps[1]?.id}/overview`)
    await page.goto(`${demo.base_url}/developers/apps/${demo.apps[1]?.id}/logs`)
    await page.getByRole('button', { name: 'Filters' }).waitFor()
    expect(await page.getByRole('combobox', { name: 'Status' }).isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Filters' }).click()
    await page.getByRole('combobox', { name: 'Status' }).selectOption('error')
    await page.getByRole('button', { name: 'Filters (some are set)' }).waitFor()
  })

  test('shows the first step to a person without an app', async () => {
    const page = await open('/developers', 'investor')
    await page.getByRole('heading', { name: 'No apps yet' }).waitFor()
    await expectAccessible(page)
  })

  test('asks to sign in again after the session ended, with the address to return to', async () => {
    const page = await open('/developers/apps')
    await page.context().clearCookies()
    await page.getByRole('link', { name: 'Create an app' }).click()
    await page.getByRole('button', { name: 'Sign in again' }).click()
    await page.getByLabel('Email').waitFor()
    expect(new URL(page.url()).searchParams.get('return_to')).toMatch(/^\/developers\/apps\/new/)
  })
})

describe('the files of the portal', () => {
  test('are immutable, compressed and validated by their ETag, and the page has a strict security policy', async () => {
    const page = await open('/developers/apps')
    const answer = await page.context().request.get(`${demo.base_url}/developers/apps`)
    const policy = answer.headers()['content-security-policy'] ?? ''
    expect(policy).toContain("script-src 'self'")
    expect(policy).not.toContain('unsafe')
    const [, script = ''] = /<script type="module" src="([^"]+)"/.exec(await answer.text()) ?? []
    for (const encoding of ['br', 'gzip']) {
      const file = await fetch(demo.base_url + script, { headers: { 'accept-encoding': encoding } })
      expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      expect(file.headers.get('content-encoding')).toBe(encoding)
      expect(file.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
      expect(await file.text()).toContain('import')
      const tag = file.headers.get('etag') ?? ''
      const again = await fetch(demo.base_url + script, { headers: { 'if-none-match': tag } })
      expect(again.status).toBe(304)
    }
    expect((await fetch(`${demo.base_url}/developers/scripts/main-gone.js`)).status).toBe(404)
    expect((await fetch(`${demo.base_url}/developers/scripts/..%2f..%2fpackage.json`)).status).toBe(404)
  })
})
