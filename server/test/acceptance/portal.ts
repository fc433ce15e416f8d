import type { Browser, BrowserContext, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'

export type PortalDemo = {
  readonly base_url: string
  readonly people: Readonly<Record<'developer' | 'investor', { readonly email: string; readonly password: string }>>
  readonly apps: readonly { readonly id: string; readonly name: string }[]
}

type Person = keyof PortalDemo['people']
type Opening = { readonly demo: PortalDemo; readonly browser: Browser; readonly person?: Person }

type Session = { readonly state: Awaited<ReturnType<BrowserContext['storageState']>>; readonly since: number }

/**
 * The sign-in sessions at the service of each test file. A proof of identity counts as recent for ten minutes, so a
 * session is used for only five minutes.
 */
const sessions = new WeakMap<PortalDemo, Map<Person, Session>>()
const USED_FOR_MS = 5 * 60_000

/**
 * Opens an address of the developer portal in its own browser context. A person signs in at the first call of a file,
 * and is signed in at later calls within five minutes. The test fails if the page throws an error or breaks its security
 * policy.
 */
export async function openPortal({ demo, browser, person = 'developer' }: Opening, path: string): Promise<Page> {
  const known = sessions.get(demo)?.get(person)
  const isSignedIn = known !== undefined && performance.now() - known.since < USED_FOR_MS
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    // The locale is set, because on a machine without a locale the browser's language has no number format.
    locale: 'en-US',
    ...(isSignedIn ? { storageState: known.state } : {}),
  })
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
  if (!isSignedIn) await signIn(page, demo.people[person])
  await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
  if (!isSignedIn) {
    const session = { state: await context.storageState(), since: performance.now() }
    sessions.set(demo, new Map([...(sessions.get(demo) ?? []), [person, session]]))
  }
  return page
}

async function signIn(page: Page, { email, password }: { readonly email: string; readonly password: string }) {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}
