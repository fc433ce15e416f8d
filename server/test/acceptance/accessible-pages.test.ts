import type { Browser, Page } from 'playwright-core'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { launchBrowser } from '#test/browser.ts'
import { expectAccessible } from './accessibility.ts'
import { sharedDemoService } from './demo-service.ts'

type Demo = {
  base_url: string
  apps: { keys: { client_id: string; redirect_uris: string[] }[] }[]
  people: Record<'investor', { email: string; password: string }>
}

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
  const GUIDES = ['/docs/guides', '/docs/guides/receive-webhooks', '/docs/guides/no-such-guide']
  const OTHERS = ['/sign-in', '/no/such/page', '/status', '/conditions', '/docs/changelog', '/forgot-password']
  test.each([...OTHERS, ...GUIDES])('%s', async (path) => {
    const page = await visitor()
    await page.goto(`${demo.base_url}${path}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expectAccessible(page)
  })
})

test('axe-core finds nothing on the sign-in page with an error message, and on the consent page', async () => {
  const page = await visitor()
  const [key] = demo.apps[0]?.keys ?? []
  const question = new URLSearchParams({
    response_type: 'code',
    client_id: key?.client_id ?? '',
    redirect_uri: key?.redirect_uris[0] ?? '',
    scope: 'read:profile read:investments',
    state: 's',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  })
  await page.goto(`${demo.base_url}/oauth/authorize?${question}`)
  await page.getByText('Fieldbook CRM would like to connect to your account.').waitFor()
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('Enter your password.').waitFor()
  await expectAccessible(page)
  await page.getByLabel('Email').fill(demo.people.investor.email)
  await page.getByLabel('Password').fill(demo.people.investor.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { name: 'Connect Fieldbook CRM to your account?', level: 1 }).waitFor()
  await expectAccessible(page)
})

test('axe-core finds nothing on the pages where a person lets a command line act for them', async () => {
  const page = await visitor()
  await page.goto(`${demo.base_url}/command-line?redirect_uri=https%3A%2F%2Fevil.example`)
  await page.getByText('The page you asked for').or(page.getByText('A command line asks to act for you.')).waitFor()
  await expectAccessible(page)
  await page.getByLabel('Email').fill(demo.people.investor.email)
  await page.getByLabel('Password').fill(demo.people.investor.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { name: 'This link is not complete', level: 1 }).waitFor()
  await expectAccessible(page)
  const question = new URLSearchParams({
    redirect_uri: 'http://127.0.0.1:49152/callback',
    state: 'a-state-of-the-command-line',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    device: 'mei-laptop',
  })
  await page.goto(`${demo.base_url}/command-line?${question}`)
  await page.getByRole('heading', { name: 'Allow the command line on mei-laptop to act for you?', level: 1 }).waitFor()
  await expectAccessible(page)
})

test('a browser that opens the IP address is redirected to the host name, where passkeys work', async () => {
  const page = await visitor()
  await page.goto(`${demo.base_url.replace('localhost', '127.0.0.1')}/sign-in`)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor()
  expect(page.url()).toBe(`${demo.base_url}/sign-in`)
})

test.each([
  ['in its HTML', `document.querySelector('label').remove()`, /\/sign-in at 1280 px, light: label:/],
  ['in the dark scheme only', inTheDark(':root { --ink: #444 }'), /\/sign-in at 1280 px, dark: color-contrast:/],
  [
    'that hides a heading in the dark scheme',
    inTheDark('h1 { display: none }'),
    /sets more than colours: h1 { display: none/,
  ],
])('a page with an accessibility fault %s fails, and the failure names the fault', async (_, mistake, failure) => {
  const page = await visitor()
  await page.goto(`${demo.base_url}/sign-in`)
  await page.evaluate(mistake)
  await expect(expectAccessible(page)).rejects.toThrow(failure)
})

function inTheDark(rule: string): string {
  const inDark = JSON.stringify(`@media (prefers-color-scheme: dark) { ${rule} }`)
  return `{ const [sheet] = [...document.styleSheets].slice(-1); sheet.insertRule(${inDark}, sheet.cssRules.length) }; 0`
}
