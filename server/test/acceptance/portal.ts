import type { Browser, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'

export type PortalDemo = {
  readonly base_url: string
  readonly people: Readonly<Record<'developer' | 'investor', { readonly email: string; readonly password: string }>>
  readonly apps: readonly { readonly id: string; readonly name: string }[]
}

type Opening = { readonly demo: PortalDemo; readonly browser: Browser; readonly person?: 'developer' | 'investor' }

/**
 * Opens an address of the developer portal in a browser of its own, as a person who signs in on the way. The test fails if the
 * page throws an error or breaks its security policy.
 */
export async function openPortal({ demo, browser, person = 'developer' }: Opening, path: string): Promise<Page> {
  // A machine without a locale has a language that no browser of a person has, and that no number is formatted in.
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-US' })
  const page = await context.newPage()
  const mistakes: string[] = []
  page.on('pageerror', (error) => mistakes.push(error.message))
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) mistakes.push(message.text())
  })
  onTestFinished(async () => {
    await context.close()
    expect(mistakes).toEqual([])
  })
  await page.goto(demo.base_url + path)
  const { email, password } = demo.people[person]
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
  return page
}
