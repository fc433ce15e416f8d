import { generateSync } from 'otplib'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import type { Client } from './person.ts'
import type { PortalDemo } from './portal.ts'

export type Person = { readonly id: string; readonly email: string; readonly password: string }
export type ConsoleDemo = Omit<PortalDemo, 'apps' | 'people'> & {
  readonly operator_keys: Readonly<Record<'test' | 'live', string>>
  readonly ids: { readonly company: string; readonly offering_public: string }
  readonly people: Readonly<Record<'developer' | 'investor' | 'founder' | 'manager', Person>>
  readonly apps: readonly { readonly id: string; readonly name: string; readonly keys: readonly Client[] }[]
}
export type StaffState = Awaited<ReturnType<BrowserContext['storageState']>>

/** The reason that staff enter for their actions in these tests. */
export const REASON = 'Ticket 4711'

export const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
export const press = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true }).click()

type Sent = { readonly method?: string; readonly body?: object }

/** Sends a request with the operator key of a world. The test fails if the request fails. */
export async function asOperator(demo: ConsoleDemo, world: 'test' | 'live', path: string, { method, body }: Sent = {}) {
  const answer = await fetch(demo.base_url + path, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      authorization: `Bearer ${demo.operator_keys[world]}`,
      'content-type': 'application/json',
      'x-portico-reason': 'A%20test',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  expect(answer.status, `${path}: ${await answer.clone().text()}`).toBeLessThan(300)
  return (await answer.json()) as { readonly data: { readonly id: string; readonly scopes?: readonly string[] } }
}

type SentFact = { readonly id: string; readonly type: string; readonly data: object }

/** Sends a fact to the platform's feed in test mode. The feed may apply or refuse it. */
export const sendFact = (demo: ConsoleDemo, fact: SentFact) =>
  asOperator(demo, 'test', '/platform/facts', { body: [{ ...fact, occurred_at: new Date().toISOString() }] })

export async function accountOf(demo: ConsoleDemo, { email }: Person): Promise<string> {
  const found = await asOperator(demo, 'live', `/platform/accounts?query=${encodeURIComponent(email)}`)
  const [account] = found.data as unknown as readonly { readonly id: string }[]
  if (account === undefined) throw new Error(`the demo has no account of ${email}`)
  return account.id
}

export async function giveRole(demo: ConsoleDemo, person: Person, role: string): Promise<void> {
  const path = `/platform/accounts/${await accountOf(demo, person)}/staff_role`
  await asOperator(demo, 'live', path, { method: 'PUT', body: { role } })
}

type Visit = { readonly demo: ConsoleDemo; readonly browser: Browser; readonly state?: StaffState | undefined }

/**
 * Opens a page in its own browser context. The test fails if the page throws an error or breaks its security policy.
 */
export async function visit({ demo, browser, state }: Visit, path: string): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-US', ...(state === undefined ? {} : { storageState: state }) })
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
  return page
}

export async function signIn(page: Page, { email, password }: Omit<Person, 'id'>): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await press(page, 'Sign in')
}

/** Sets up an authenticator app for the signed-in person and confirms with a recovery code, which begins a staff session. */
export async function beginStaffSession(page: Page, { base_url }: ConsoleDemo): Promise<void> {
  await page.goto(`${base_url}/settings/security/authenticator`)
  const secret = (await page.locator('code.whole').innerText()).replaceAll(' ', '')
  await page.getByLabel('Code from the app').fill(generateSync({ secret }))
  await press(page, 'Set up the app')
  await heading(page, 'Your recovery codes')
  const code = await page.locator('.codes code').first().innerText()
  await page.goto(`${base_url}/console/requests`)
  await heading(page, 'Confirm with your second factor')
  await page.getByRole('link', { name: 'Confirm', exact: true }).click()
  await page.getByLabel('Code').fill(code)
  await press(page, 'Confirm with the code')
  await heading(page, 'Requests')
}

/** Signs in a person with a staff role and a second factor, and returns the state of their browser. */
export async function staffStateOf(opening: Visit, person: Person): Promise<StaffState> {
  const page = await visit(opening, '/sign-in')
  await signIn(page, person)
  await page.waitForURL((url) => url.pathname !== '/sign-in')
  await beginStaffSession(page, opening.demo)
  return page.context().storageState()
}

/** Enters why the person reads personal data. The console asks once per tab. */
export async function enterReadingReason(page: Page): Promise<void> {
  await page.getByLabel('Why do you read it?').fill(REASON)
  await press(page, 'Show it')
}

/** Presses a button, enters the reason in the dialog and confirms. `fill` fills in the dialog's other fields. */
export async function decide(
  page: Page,
  button: string,
  confirm: string,
  fill: (dialog: Locator) => Promise<void> = async () => {},
): Promise<void> {
  await press(page, button)
  const dialog = page.getByRole('dialog')
  await fill(dialog)
  await dialog.getByLabel('Reason for the audit').fill(REASON)
  const confirming = dialog.getByRole('button', { name: confirm, exact: true })
  await confirming.click()
  await confirming.waitFor({ state: 'detached' })
}
