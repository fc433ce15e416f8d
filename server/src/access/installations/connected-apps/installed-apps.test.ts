import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Id, newId } from '#kernel/ids.ts'
import { endRole } from '#market/companies/index.ts'
import { occasionAt } from '#test/caused-events.ts'
import {
  aCompanyOf,
  aLinkedApp,
  aSyndicateOf,
  installationsOf,
  linkTo,
  openInstallSite,
  pressInstall,
} from '../install-page/testing/install-site.ts'
import { findInstallations } from '../store.ts'
import { type Site, userIn } from '../testing/site.ts'
import { giveTokens, tokensOf } from '../testing/tokens.ts'

let site: Site
beforeAll(async () => {
  site = await openInstallSite()
})
afterAll(() => site.close())

const pathOf = (id: string) => `/settings/apps/${id}/remove`

/** An app that a founder has installed on their company. */
async function installed(made: Parameters<typeof aLinkedApp>[1] = {}) {
  const world = made.world ?? 'test'
  const app = await aLinkedApp(site, made)
  const founder = await site.person()
  const company = await aCompanyOf(site, founder, { world })
  const browser = await site.signedIn(founder)
  await pressInstall(browser, linkTo(app, { target: company }))
  const [row] = await installationsOf(site, app)
  if (row === undefined) throw new Error('nothing was installed')
  return { app, founder, company, browser, id: row.id }
}

const found = async (id: Id<'installation'>, world: 'test' | 'live' = 'test') => {
  const [installation] = await findInstallations(site.db.databases[world].reads, [id])
  if (installation === undefined) throw new Error('there is no such installation')
  return installation
}
const stateOf = async (id: Id<'installation'>, world: 'test' | 'live' = 'test') => (await found(id, world)).state

describe('GET /settings/apps, the apps on companies and syndicates that the person runs', () => {
  test('lists each app with its target, its rights, its date and its tier', async () => {
    const { browser, id } = await installed()
    const { text } = await browser.open('/settings/apps')
    expect(text).toContain('On companies and syndicates you run')
    expect(text).toContain('On <strong><bdi>Tidepool Robotics</bdi></strong>')
    expect(text).toContain('See this company, its offerings, funds (SPVs) and investors.')
    expect(text).toContain('tier founder')
    expect(text).toContain(`href="${pathOf(id)}" aria-label="Remove Fieldbook CRM from Tidepool Robotics"`)
  })

  test('an editor of the company sees the app too; a stranger and an employee do not', async () => {
    const { company } = await installed({ name: 'Seen By Some' })
    const [editor, employee] = [await site.person(), await site.person()]
    for (const [person, role] of [
      [editor, 'editor'],
      [employee, 'employee'],
    ] as const) {
      await site.db.sql(
        `insert into test.company_people (company_id, user_id, role, started_at) values ($1, $2, $3, now())`,
        [company, userIn(person), role],
      )
    }
    const seen = async (person: typeof editor) => (await (await site.signedIn(person)).open('/settings/apps')).text
    expect(await seen(editor)).toContain('Seen By Some')
    expect(await seen(employee)).toContain('Nothing is connected')
    expect(await seen(await site.person())).toContain('Nothing is connected')
  })
})

describe('GET /settings/apps/{installation}/remove', () => {
  test('asks for confirmation, naming the app and the company', async () => {
    const { browser, id } = await installed()
    const { status, text } = await browser.open(pathOf(id))
    expect(status).toBe(200)
    expect(text).toContain('Remove Fieldbook CRM from Tidepool Robotics?')
    expect(text).not.toContain('<script')
    expect(await stateOf(id)).toBe('active')
  })

  test('the same 404 for a person without a role at the target, for an unknown installation, and for an invalid id', async () => {
    const { id } = await installed()
    const browser = await site.signedIn(await site.person())
    const pages = await Promise.all([id, newId('installation'), 'inst_x'].map((one) => browser.open(pathOf(one))))
    expect(pages.map(({ status }) => status)).toEqual([404, 404, 404])
    expect(new Set(pages.map(({ text }) => text.replace(/req_\w+/g, ''))).size).toBe(1)
  })
})

describe('POST /settings/apps/{installation}/remove', () => {
  test('303 to the list, which confirms the removal; the app’s tokens are rejected, and revoked_by is founder', async () => {
    const { browser, id } = await installed()
    await giveTokens(site.db, await found(id))
    await browser.open(pathOf(id))
    const { status, location } = await browser.submit(pathOf(id), {})
    expect([status, location]).toEqual([303, `/settings/apps?removed=${id}`])
    expect(await found(id)).toMatchObject({ state: 'revoked', revokedByRole: 'founder' })
    expect(await tokensOf(site.db, id)).toMatchObject({ access: 'revoked' })
    const { text } = await browser.open(String(location))
    expect(text).toContain('<bdi>Fieldbook CRM</bdi> is removed from <bdi>Tidepool Robotics</bdi>.')
    expect((await browser.submit(pathOf(id), {})).status).toBe(303)
  })

  test('the app’s history says that the app must delete investor data, if it could see investors’ identity', async () => {
    for (const piiApproved of [true, false]) {
      const { app, browser, id } = await installed({ piiApproved })
      await browser.open(pathOf(id))
      await browser.submit(pathOf(id), {})
      const entries = await site.db.sql(
        `select details from platform.audit_entries where subject = $1 and action = 'installation.removal_due'`,
        [app.appId],
      )
      const data = [{ kind: 'investor_pii', scopes: ['read:investors:pii'] }]
      expect(entries).toMatchObject(piiApproved ? [{ details: { installation: id, data } }] : [])
    }
  })

  test('afterwards the app can be installed again, as a new installation', async () => {
    const { app, company, browser, id } = await installed()
    await browser.open(pathOf(id))
    await browser.submit(pathOf(id), {})
    expect((await pressInstall(browser, linkTo(app, { target: company }))).status).toBe(303)
    expect((await installationsOf(site, app)).map(({ state }) => state)).toEqual(['revoked', 'active'])
  })

  test('a syndicate’s manager removes an app in the sandbox, and a founder removes an app in the live world', async () => {
    const app = await aLinkedApp(site)
    const manager = await site.person()
    const browser = await site.signedIn(manager)
    await pressInstall(browser, linkTo(app, { target: await aSyndicateOf(site, manager) }))
    const [row] = await installationsOf(site, app)
    await browser.submit(pathOf(row?.id ?? ''), {})
    expect(await found(row?.id ?? newId('installation'))).toMatchObject({ state: 'revoked', revokedByRole: 'manager' })
    const live = await installed({ world: 'live' })
    expect((await live.browser.submit(pathOf(live.id), {})).status).toBe(303)
    expect(await stateOf(live.id, 'live')).toBe('revoked')
  })

  test('404 for a founder of another company, and for a former founder; the installation stays', async () => {
    const [mine, theirs] = [await installed(), await installed()]
    await mine.browser.open(pathOf(mine.id))
    expect((await mine.browser.submit(pathOf(theirs.id), {})).status).toBe(404)
    const { company } = mine
    const user = userIn(mine.founder)
    await site.db.databases.test.transaction((tx) => endRole(tx, { company, user, role: 'founder' }, occasionAt()))
    expect((await mine.browser.submit(pathOf(mine.id), {})).status).toBe(404)
    expect([await stateOf(mine.id), await stateOf(theirs.id)]).toEqual(['active', 'active'])
  })

  test('403 without the CSRF token, or from another site; the installation stays', async () => {
    const { browser, id } = await installed()
    await browser.open(pathOf(id))
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    expect((await browser.submit(pathOf(id), { csrf: 'guessed' })).status).toBe(403)
    expect((await browser.submit(pathOf(id), {}, foreign)).status).toBe(403)
    expect(await stateOf(id)).toBe('active')
  })

  test('a person who is not signed in is sent to the sign-in page', async () => {
    const { id } = await installed()
    const { status, location } = await site.browser().open(pathOf(id))
    expect([status, location]).toEqual([303, `/sign-in?return_to=${encodeURIComponent(pathOf(id))}`])
  })
})
