import type { Browser, Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { launchBrowser } from '#test/browser.ts'
import { expectAccessible } from './accessibility.ts'
import { demoService } from './demo-service.ts'
import { type Client, connect } from './person.ts'
import { openPortal, type PortalDemo } from './portal.ts'

type App = PortalDemo['apps'][number] & { readonly keys: readonly Client[] }
type Demo = Omit<PortalDemo, 'apps'> & { readonly apps: readonly App[] }

let demo: Demo
let browser: Browser

demoService<Demo>(async (made) => {
  demo = made
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

const APP = 'Fieldbook Digest'
const ADDED = 'read:investments'

function digestApp() {
  const app = demo.apps.find(({ name }) => name === APP)
  const [key] = app?.keys ?? []
  if (app === undefined || key === undefined) throw new Error(`the demo has no ${APP}`)
  return { app, key }
}

const statusOf = async (token: string) =>
  (await fetch(`${demo.base_url}/sandbox/clock`, { headers: { authorization: `Bearer ${token}` } })).status

/** Returns a line of the preview in the test world: `[before, after]`, or one number if nothing changes. */
async function readPreview(page: Page, label: string): Promise<readonly number[]> {
  const cells = page.getByRole('row', { name: label }).locator('td')
  return ((await cells.first().innerText()).match(/\d+/g) ?? []).map(Number)
}

test('a person adds a scope, a user consents again, and the removal has the effect that the preview showed', async () => {
  const { app, key } = digestApp()
  const page = await openPortal({ demo, browser }, `/developers/apps/${app.id}/scopes`)
  const box = page.getByRole('checkbox', { name: ADDED })
  await box.check()
  await page.getByText('1 installation in test mode would lack what you add until people consent again.').waitFor()
  await page.getByText('People consent again.', { exact: true }).waitFor()
  await page.getByText(`${demo.base_url}/apps/${key.client_id}/install`).waitFor()
  await expectAccessible(page)
  expect(new URL(page.url()).searchParams.get('add')).toBe(JSON.stringify([ADDED]))
  await page.getByRole('button', { name: 'Add the scope' }).click()
  await page.getByText('The scopes are changed').waitFor()
  await page.getByRole('link', { name: 'See the installations' }).click()
  await page.getByText('1 missing', { exact: true }).waitFor()
  await page.goBack()

  const user = demo.people.investor
  const tokens = await connect(demo.base_url, user, { client: key, scopes: ['read:profile', ADDED] })
  expect(tokens.scope.split(' ')).toContain(ADDED)
  expect(await statusOf(tokens.access_token)).toBe(200)

  await box.uncheck()
  await page.getByText('1 installation in test mode would lose a scope and keep others.').waitFor()
  const [installsBefore, installsAfter = installsBefore] = await readPreview(page, 'Installations')
  const [accessBefore = 0, accessAfter = accessBefore] = await readPreview(page, 'Access tokens')
  const [refreshBefore = 0, refreshAfter = refreshBefore] = await readPreview(page, 'Refresh tokens')
  expect([installsBefore, installsAfter]).toEqual([1, 1])
  expect(accessBefore - accessAfter).toBe(1)
  await page.getByRole('button', { name: 'Remove…' }).click()
  await page.getByLabel(`Type ${APP} to confirm`).fill(APP)
  await page.getByRole('button', { name: 'Remove the scope' }).click()

  const result = page.getByRole('region', { name: 'What the removal did' })
  await result.waitFor()
  const counts = await result.locator('dd').allInnerTexts()
  expect(counts.map(Number)).toEqual([1, 0, accessBefore - accessAfter, refreshBefore - refreshAfter, 0])
  await expect.poll(() => box.isChecked()).toBe(false)
  expect(await statusOf(tokens.access_token)).toBe(401)
  await expectAccessible(page)
})

test('a link shows a planned change and changes nothing', async () => {
  const { app } = digestApp()
  const proposal = `remove=${encodeURIComponent(JSON.stringify(['write:follows']))}`
  const page = await openPortal({ demo, browser }, `/developers/apps/${app.id}/scopes?mode=test&${proposal}`)
  await page.getByRole('button', { name: 'Remove…' }).waitFor()
  const box = page.getByRole('checkbox', { name: 'write:follows' })
  expect(await box.isChecked()).toBe(false)
  await page.getByRole('button', { name: 'Discard the change' }).click()
  await page.getByText('Choose or clear scopes.').waitFor()
  expect(await box.isChecked()).toBe(true)
})

test('users have to consent to a scope about a person, but not to a scope of the app itself', async () => {
  const { app } = digestApp()
  const proposal = encodeURIComponent(JSON.stringify(['write:comments', 'read:referral_codes']))
  const page = await openPortal({ demo, browser }, `/developers/apps/${app.id}/scopes?add=${proposal}`)
  await page.getByText('write:comments is about a person.').waitFor()
  await page.getByText('read:referral_codes is the app’s own').waitFor()
  expect(await page.getByText('a person who runs it removes the app').count()).toBe(0)
  await expectAccessible(page)
  await page.setViewportSize({ width: 360, height: 740 })
  await page.getByRole('button', { name: '2 added: see what it does' }).click()
  await expect.poll(() => page.getByRole('heading', { name: 'What the change does' }).isVisible()).toBe(true)
  await page.getByRole('checkbox', { name: 'write:comments' }).uncheck()
  await page.getByText('No one has to consent.').waitFor()
})

test('the picker shows each heading once, with its scopes in the order of the catalogue', async () => {
  const { app } = digestApp()
  const page = await openPortal({ demo, browser }, `/developers/apps/${app.id}/scopes`)
  await page.getByRole('checkbox').first().waitFor()
  const shown = await page.locator('.scope-list code').allInnerTexts()
  const answer = await page.context().request.get(`${demo.base_url}/portal/api/scopes?per_page=100`)
  const { data }: { data: { id: string; attributes: { heading: string } }[] } = await answer.json()
  const groups = Map.groupBy(data, ({ attributes }) => attributes.heading)
  expect(await page.locator('.scope-groups h2').allInnerTexts()).toEqual([...groups.keys()])
  expect(shown).toEqual([...groups.values()].flat().map(({ id }) => id))
})
