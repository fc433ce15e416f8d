import { setTimeout as pause } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, expect, onTestFinished, test } from 'vitest'
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

const open = (path: string) => openPortal({ demo, browser }, path)

/** Acts as a partner's server, which calls the API all the time with the secret in its settings. */
function startTraffic(clientId: string, secret: string) {
  const settings = { secret }
  const statuses: number[] = []
  const stopping = new AbortController()
  const call = async () => {
    const authorization = `Basic ${Buffer.from(`${clientId}:${settings.secret}`).toString('base64')}`
    const answer = await fetch(`${demo.base_url}/installations`, { headers: { authorization } })
    await answer.arrayBuffer()
    statuses.push(answer.status)
  }
  const running = (async () => {
    while (!stopping.signal.aborted) {
      await call()
      // Without a pause between calls, the server would reach the rate limit.
      await pause(100)
    }
  })()
  const stop = async () => {
    stopping.abort()
    await running
  }
  onTestFinished(stop)
  return { settings, statuses, call, stop }
}

async function createKey(page: Page, name: string) {
  await page.getByRole('button', { name: 'Create a key' }).click()
  await page.getByLabel('Name').fill(name)
  await page.getByRole('button', { name: 'Create the key' }).click()
  const secret = await storeSecret(page)
  await page.getByRole('heading', { name, level: 1 }).waitFor()
  return { id: new URL(page.url()).pathname.split('/').at(-1) ?? '', secret }
}

async function storeSecret(page: Page): Promise<string> {
  const shown = page.getByRole('dialog').locator('.secret code')
  const secret = await shown.innerText()
  await page.getByRole('button', { name: 'I have stored it' }).click()
  await shown.waitFor({ state: 'detached' })
  return secret
}

async function rotate(page: Page, overlap: string): Promise<string> {
  await page.getByRole('button', { name: 'Rotate the secret' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('The current secret keeps working for').selectOption({ label: overlap })
  await dialog.getByRole('button', { name: 'Rotate the secret' }).click()
  return storeSecret(page)
}

test('a person rotates a secret while requests run, and no request fails', async () => {
  const page = await open(`/developers/apps/${demo.apps[0]?.id}/keys`)
  const { id, secret } = await createKey(page, 'Nightly export')
  const server = startTraffic(id, secret)
  await expect.poll(() => server.statuses.length).toBeGreaterThan(2)

  const next = await rotate(page, 'One hour')
  expect(next).not.toBe(secret)
  expect(await page.content()).not.toContain(next)
  await page.getByText('Previous secret').waitFor()
  await page.getByText('Current secret').waitFor()
  const afterRotation = server.statuses.length
  await expect.poll(() => server.statuses.length).toBeGreaterThan(afterRotation + 2)
  server.settings.secret = next
  const afterReplacement = server.statuses.length
  await expect.poll(() => server.statuses.length).toBeGreaterThan(afterReplacement + 2)
  await server.stop()
  expect(new Set(server.statuses)).toEqual(new Set([200]))

  await rotate(page, 'No time: it stops at once')
  await server.call()
  expect(server.statuses.at(-1)).toBe(401)
})

test('a person revokes a key by typing its name, and the key stays in the list', async () => {
  const page = await open(`/developers/apps/${demo.apps[0]?.id}/keys`)
  await createKey(page, 'Old laptop')
  await page.getByRole('button', { name: 'Revoke', exact: true }).click()
  const confirm = page.getByRole('button', { name: 'Revoke Old laptop' })
  expect(await confirm.isDisabled()).toBe(true)
  await page.getByLabel('Type Old laptop to confirm').fill('Old laptop')
  await confirm.click()
  await page.getByText('The key Old laptop is revoked').waitFor()
  await page.getByRole('button', { name: 'Rotate the secret' }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Keys' }).first().click()
  await page.getByRole('row', { name: /Old laptop.*Revoked/ }).waitFor()
})

test('the pages of keys are accessible: the list, a key, the two dialogs, and a mode without keys', async () => {
  const page = await open(`/developers/apps/${demo.apps[0]?.id}/keys`)
  await page.getByRole('table').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create a key' }).click()
  await page.getByLabel('Redirect URIs').waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Server' }).click()
  await page.getByRole('heading', { name: 'Server', level: 1 }).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Rotate the secret' }).click()
  await page.getByRole('dialog').waitFor()
  await expectAccessible(page)
  await page.goto(`${demo.base_url}/developers/apps/${demo.apps[1]?.id}/keys?mode=live`)
  await page.getByRole('heading', { name: 'No keys for live mode yet' }).waitFor()
  await expectAccessible(page)
})
