import type { Browser, Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { launchBrowser } from '#test/browser.ts'
import { expectAccessible } from './accessibility.ts'
import { demoService } from './demo-service.ts'
import { openPortal, type PortalDemo } from './portal.ts'

type Demo = PortalDemo & {
  readonly operator_keys: { readonly test: string }
  readonly ids: Readonly<Record<'company' | 'offering_public', string>>
  readonly people: Readonly<Record<'founder' | 'investor', { readonly id: string }>>
  readonly apps: readonly { readonly keys: readonly { readonly client_id: string }[] }[]
}

let demo: Demo
let browser: Browser
demoService<Demo>(async (made) => {
  demo = made
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
})

const open = (path: string) => openPortal({ demo, browser }, `/developers/apps/${demo.apps[0]?.id}/${path}`)

async function operate(path: string, body: object): Promise<void> {
  const answer = await fetch(demo.base_url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${demo.operator_keys.test}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(answer.status, await answer.text()).toBeLessThan(300)
}

/** Opens all pages of the listing, and returns the cursor of the last page. */
async function readToTheEnd(page: Page): Promise<string> {
  const [next, end] = [page.getByRole('button', { name: 'Next page' }), page.getByText('This is the last page.')]
  for (;;) {
    await next.or(end).first().waitFor()
    if ((await next.count()) === 0) break
    const before = page.url()
    await next.click()
    await expect.poll(() => page.url()).not.toBe(before)
    await page.getByText('next_cursor', { exact: true }).waitFor()
  }
  return (await page.locator('.next-cursor code').textContent()) ?? ''
}

describe('the sync inspector in the developer portal', () => {
  test('shows what a sync returns, how far a cursor lags, and why a cursor is rejected', async () => {
    const empty = await open('sync')
    await empty.getByRole('heading', { name: 'No installation to read in test mode' }).waitFor()
    await expectAccessible(empty)

    await operate('/sandbox/installations', {
      ...{ client_id: demo.apps[0]?.keys[0]?.client_id, target_type: 'company', target_id: demo.ids.company },
      user: demo.people.founder.id,
    })
    const page = await open('sync')
    await page.getByRole('table').waitFor()
    await expectAccessible(page)
    const cursor = await readToTheEnd(page)
    expect(cursor).toMatch(/^[\w-]{40,}$/)

    await page.getByRole('textbox', { name: 'Cursor' }).fill(cursor)
    await page.getByRole('button', { name: 'Inspect' }).click()
    await page.getByText('None: your copy is up to date').waitFor()
    await operate('/sandbox/investments', {
      ...{ offering: demo.ids.offering_public, investor: demo.people.investor.id, amount_cents: 25_000 },
    })
    await expect
      .poll(async () => {
        await page.getByRole('button', { name: 'Read again' }).click()
        return page.getByText('1 change waits').count()
      })
      .toBe(1)
    await expectAccessible(page)

    await page
      .getByRole('textbox', { name: 'Cursor' })
      .fill(`${cursor.slice(0, -1)}${cursor.endsWith('A') ? 'B' : 'A'}`)
    await page.getByRole('button', { name: 'Inspect' }).click()
    await page.getByRole('alert').getByText('The cursor is not from this list, or was changed.').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Start from the beginning' }).click()
    await page.getByRole('heading', { name: 'Listing' }).waitFor()
  })

  test('the sandbox suggests an offering and an investor, so that a new investment takes one click', async () => {
    const page = await open('sandbox?moves=investments')
    const form = page.locator('form').filter({ hasText: 'Create an investment' })
    await expect.poll(() => form.getByLabel('Offering', { exact: true }).inputValue()).toMatch(/^ofr_/)
    await expect.poll(() => form.getByLabel('Investor', { exact: true }).inputValue()).toMatch(/^usr_/)
  })
})
