import type { Browser, Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
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

const NOT_SAVED = /^Nothing was saved: another person of your team changed/

async function invite(page: Page, { email, role }: { readonly email: string; readonly role: string }): Promise<void> {
  await page.getByRole('button', { name: 'Invite a person' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Email').fill(email)
  await dialog.getByLabel('Role').selectOption(role)
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
  await page.getByText(`${email} was invited`).waitFor()
}

test('two people of a team work at the same time: no change is lost, and the slower person sees what happened', async () => {
  const app = demo.apps[0]?.id
  const owner = await openPortal({ demo, browser }, '/developers/team')
  await invite(owner, { email: 'stranger@portico.example', role: 'developer' })
  await owner.getByRole('button', { name: 'Withdraw the invitation to stranger@portico.example' }).click()
  await owner.getByText('The invitation to stranger@portico.example was withdrawn').waitFor()
  await invite(owner, { email: demo.people.investor.email, role: 'admin' })
  await expectAccessible(owner)

  const admin = await openPortal({ demo, browser, person: 'investor' }, '/developers/team')
  await expectAccessible(admin)
  await admin.getByRole('button', { name: 'Accept' }).click()
  await admin.getByText('You: Admin').waitFor()
  // An admin cannot manage owners.
  await admin.getByRole('button', { name: 'Leave the team' }).waitFor()
  expect(await admin.getByRole('button', { name: 'Change role of Mei Huang' }).count()).toBe(0)

  // Each person saves another field of the same form. Both changes stay.
  for (const page of [owner, admin]) {
    await page.goto(`${demo.base_url}/developers/apps/${app}/settings`)
    await page.getByLabel('Description').waitFor()
  }
  await owner.getByLabel('Website').fill('https://fieldbook.example/')
  await owner.getByRole('button', { name: 'Save' }).click()
  await owner.getByText('The settings are saved').waitFor()
  await admin.getByLabel('Description').fill('Investors, questions and updates in one place.')
  await admin.getByRole('button', { name: 'Save' }).click()
  await admin.getByText('The settings are saved').waitFor()
  await admin.reload()
  await admin.getByLabel('Description').waitFor()
  expect(await admin.getByLabel('Website').inputValue()).toBe('https://fieldbook.example/')
  expect(await admin.getByLabel('Description').inputValue()).toBe('Investors, questions and updates in one place.')

  // Both people want to rotate the same secret. A second rotation would end the secret that the first person is
  // deploying.
  for (const page of [owner, admin]) {
    await page.goto(`${demo.base_url}/developers/apps/${app}/keys`)
    await page.getByRole('link', { name: 'Server' }).click()
    await page.getByRole('button', { name: 'Rotate the secret' }).click()
    await page.getByRole('dialog').waitFor()
  }
  await owner.getByRole('dialog').getByRole('button', { name: 'Rotate the secret' }).click()
  await owner.getByRole('button', { name: 'I have stored it' }).click()
  await admin.getByRole('dialog').getByRole('button', { name: 'Rotate the secret' }).click()
  await admin.getByText(NOT_SAVED).waitFor()
  await admin.getByRole('button', { name: 'Cancel' }).click()
  await admin.getByText('Previous secret').waitFor()
  expect(await admin.getByText(/^(Current|Previous) secret$/).count()).toBe(2)

  // The owner lowers the admin's role while the admin looks at the team. The admin's next change is rejected, and the
  // page shows the new role.
  await admin.goto(`${demo.base_url}/developers/team`)
  await admin.getByRole('button', { name: 'Rename' }).click()
  await owner.goto(`${demo.base_url}/developers/team`)
  await owner.getByRole('button', { name: 'Change role of Priya Raman' }).click()
  await owner.getByRole('dialog').getByLabel('Role').selectOption('developer')
  await owner.getByRole('button', { name: 'Change the role', exact: true }).click()
  await owner.getByText('Priya Raman is now developer').waitFor()
  await admin.getByRole('dialog').getByLabel('Name').fill('Fieldbook Two')
  await admin.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
  await admin.getByRole('alert').waitFor()
  await admin.getByText('You: Developer').waitFor()
  await admin.getByRole('button', { name: 'Invite a person' }).waitFor({ state: 'detached' })
  expect(await owner.getByText('Fieldbook Two').count()).toBe(0)

  await owner.getByRole('button', { name: 'Remove Priya Raman' }).click()
  await owner.getByLabel(`Type ${demo.people.investor.email} to confirm`).fill(demo.people.investor.email)
  await owner.getByRole('dialog').getByRole('button', { name: 'Remove Priya Raman' }).click()
  await owner.getByText('Priya Raman is removed').waitFor()
  await admin.goto(`${demo.base_url}/developers/apps/${app}/settings`)
  await admin.getByRole('heading', { name: 'Not found' }).waitFor()
})
