import type { Browser } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { launchBrowser } from '#test/browser.ts'
import { expectAccessible } from './accessibility.ts'
import { demoService } from './demo-service.ts'
import { openPortal, type PortalDemo } from './portal.ts'
import { type Demo as ReferralDemo, referralPartner } from './referral-partner.ts'

type Demo = PortalDemo & ReferralDemo

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

describe('referrals in the developer portal', () => {
  test('a developer sees how many people each week came through a code, as a chart and as a table', async () => {
    const partner = referralPartner(demo)
    const empty = await open('referrals')
    await empty.getByRole('heading', { name: 'No referral code in test mode yet' }).waitFor()
    await expectAccessible(empty)

    const { id, attributes } = await partner.code()
    const waiting = await open(`referrals/${id}`)
    await waiting.getByRole('heading', { name: 'No week is published yet' }).waitFor()
    await partner.invest(attributes.code, { first: 0, count: 7 })
    await partner.pass('P14D')
    // The workers publish one week after another.
    await expect.poll(async () => (await partner.stats(id)).length).toBeGreaterThan(1)
    const page = await open('referrals')
    await page.getByRole('link', { name: 'Newsletter' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Newsletter' }).click()
    await page.getByRole('heading', { name: 'New investors by week' }).waitFor()
    await page
      .getByRole('img', { name: /^New investors by week/ })
      .locator('canvas')
      .waitFor()
    await page.getByRole('cell', { name: '5 to 9', exact: true }).first().waitFor()
    await expectAccessible(page)
    await page.getByRole('combobox', { name: 'Week' }).selectOption({ index: 1 })
    await page.getByRole('heading', { name: /^Companies in \d{4}-W\d\d$/ }).waitFor()
  })

  test('the page of a code in the wrong mode shows "not found"', async () => {
    const { id } = await referralPartner(demo).code()
    const page = await open(`referrals/${id}?mode=live`)
    await page.getByRole('heading', { name: 'Not found' }).waitFor()
  })
})
