import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lockAppForChange, writeScopes } from '#access/apps/index.ts'
import { deactivateUser, lockUser } from '#access/people/index.ts'
import type { SeenPage } from '#http/testing/browser.ts'
import { endRole, setRole } from '#market/companies/index.ts'
import { occasionAt } from '#test/caused-events.ts'
import { type Site, userIn } from '../testing/site.ts'
import { aCompanyOf, aLinkedApp, installationsOf, linkTo, openInstallSite, shownIn } from './testing/install-site.ts'

let site: Site
beforeAll(async () => {
  site = await openInstallSite()
})
afterAll(() => site.close())

const TOGETHER = 6

/** A founder who has opened the confirmation page; `press` sends its form. */
async function arranged() {
  const app = await aLinkedApp(site, { scopes: ['read:companies', 'write:webhooks'] })
  const person = await site.person()
  const company = await aCompanyOf(site, person)
  const browser = await site.signedIn(person)
  const address = linkTo(app, { target: company })
  const { text } = await browser.open(address)
  const press = () => browser.submit(address, { ...shownIn(text), decision: 'install' })
  return { app, company, user: userIn(person), press, installations: () => installationsOf(site, app) }
}

describe('pressing the button during another change', () => {
  test('if a scope is removed, the page is shown again with the change, and nothing is installed', async () => {
    const { app, press, installations } = await arranged()
    let response: Promise<SeenPage> | undefined
    await site.db.databases.platform.transaction(async (tx) => {
      await lockAppForChange(tx, app.appId)
      response = press()
      await site.db.untilTransactionWaits()
      await writeScopes(tx, app.appId, ['read:companies'])
    })
    const page = await response
    expect(page?.status).toBe(409)
    expect(page?.text).toContain('No longer granted: See and choose which of its own addresses')
    expect(await installations()).toEqual([])
  })

  test('if the person’s last role ends, the response is 404 and nothing is installed', async () => {
    const { company, user, press, installations } = await arranged()
    let response: Promise<SeenPage> | undefined
    await site.db.databases.test.transaction(async (tx) => {
      await lockUser(tx, 'user', user)
      response = press()
      await site.db.untilTransactionWaits()
      await endRole(tx, { company, user, role: 'founder' }, occasionAt())
    })
    expect((await response)?.status).toBe(404)
    expect(await installations()).toEqual([])
  })

  test('if the founder becomes an editor, the page is shown again with that tier, and nothing is installed', async () => {
    const { company, user, press, installations } = await arranged()
    let response: Promise<SeenPage> | undefined
    await site.db.databases.test.transaction(async (tx) => {
      await lockUser(tx, 'user', user)
      response = press()
      await site.db.untilTransactionWaits()
      await setRole(tx, { company, user, role: 'editor' }, occasionAt())
      await endRole(tx, { company, user, role: 'founder' }, occasionAt())
    })
    const page = await response
    expect(page?.status).toBe(409)
    expect(page?.text).toContain('You were a founder there, and are now an editor.')
    expect(await installations()).toEqual([])
  })

  test('if the person is deactivated, nothing is installed', async () => {
    const { user, press, installations } = await arranged()
    let response: Promise<SeenPage> | undefined
    await site.db.databases.test.transaction(async (tx) => {
      await lockUser(tx, 'user', user)
      response = press()
      await site.db.untilTransactionWaits()
      await deactivateUser(tx, user, occasionAt())
    })
    expect((await response)?.status).toBe(403)
    expect(await installations()).toEqual([])
  })
})

test('many presses of the button at once make one installation, and every 409 response contains its id', async () => {
  const { press, installations } = await arranged()
  const responses = await Promise.all(Array.from({ length: TOGETHER }, () => press()))
  const statuses = responses.map(({ status }) => status).sort()
  expect(statuses).toEqual([303, ...Array.from({ length: TOGETHER - 1 }, () => 409)])
  const [made, ...more] = await installations()
  expect(more).toEqual([])
  for (const { status, text } of responses) if (status === 409) expect(text).toContain(`<code>${made?.id}</code>`)
})
