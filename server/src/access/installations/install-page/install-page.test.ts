import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deactivateUser } from '#access/people/index.ts'
import { newClientId, newId } from '#kernel/ids.ts'
import { endRole, setRole } from '#market/companies/index.ts'
import { aKey, aMember, anApp, anOrganization } from '#test/apps.ts'
import { occasionAt } from '#test/caused-events.ts'
import { type Site, userIn } from '../testing/site.ts'
import {
  aCompanyOf,
  aLinkedApp,
  aSyndicateOf,
  installationsOf,
  linkTo,
  openInstallSite,
  parametersIn,
  pressInstall,
  SETUP,
  shownIn,
} from './testing/install-site.ts'

let site: Site
beforeAll(async () => {
  site = await openInstallSite()
})
afterAll(() => site.close())

/** A person with a company, who has opened the app's install link for the company. */
async function arrived(made: Parameters<typeof aLinkedApp>[1] = {}, at: Parameters<typeof aCompanyOf>[2] = {}) {
  const world = made.world ?? 'test'
  const app = await aLinkedApp(site, made)
  const person = await site.person()
  const company = await aCompanyOf(site, person, { world, ...at })
  const browser = await site.signedIn(person)
  const address = linkTo(app, { target: company })
  return { app, person, company, browser, address, page: await browser.open(address) }
}

const suspend = (app: string) =>
  site.db.sql(`update platform.app_keys set state = 'suspended' where app_id = $1`, [app])

async function declare(app: string, scopes: readonly string[]) {
  for (const [table, id] of [
    ['apps', 'id'],
    ['app_keys', 'app_id'],
  ]) {
    await site.db.sql(`update platform.${table} set scopes = $2 where ${id} = $1`, [app, scopes])
  }
}

describe('GET /apps/{client_id}/install', () => {
  test('303 to the sign-in page, with this link as the return address', async () => {
    const address = linkTo(await aLinkedApp(site))
    const { status, location } = await site.browser().open(address)
    expect(status).toBe(303)
    const url = new URL(String(location), site.url)
    expect([url.pathname, url.searchParams.get('return_to')]).toEqual(['/sign-in', address])
  })

  test('lists only the companies that the person runs and the syndicates that they manage, with the person’s role', async () => {
    const app = await aLinkedApp(site)
    const person = await site.person()
    const mine = [
      await aCompanyOf(site, person, { name: 'Tidepool Robotics' }),
      await aCompanyOf(site, person, { name: 'Harbor Looms', role: 'editor' }),
      await aSyndicateOf(site, person),
    ]
    await aCompanyOf(site, person, { name: 'Where I Work', role: 'employee' })
    await aCompanyOf(site, await site.person(), { name: 'Other Company' })
    const { status, text } = await (await site.signedIn(person)).open(linkTo(app))
    expect(status).toBe(200)
    expect([...text.matchAll(/name="target" value="([^"]+)"/g)].map(([, id]) => id)).toEqual([
      mine[1],
      mine[0],
      mine[2],
    ])
    expect(text).toContain('Tidepool Robotics<span class="hint">You are a founder</span>')
    expect(text).toContain('Harbor Looms<span class="hint">You are an editor</span>')
    expect(text).toContain('Engine Backers<span class="hint">You are a manager</span>')
    expect(text).not.toContain('Where I Work')
    expect(text).not.toContain('Other Company')
    expect(text).toContain('<input type="hidden" name="state" value="st&amp;te">')
  })

  test('shows the app, the signed-in person with a button to switch accounts, and the site to which they return', async () => {
    const organization = await anOrganization(site.db, { name: 'Fieldbook Inc.' })
    const { page } = await arrived({ organization })
    expect(page.text).toContain('<h1>Install <bdi>Fieldbook CRM</bdi> on <bdi>Tidepool Robotics</bdi>?</h1>')
    expect(page.text).toContain('by <bdi>Fieldbook Inc.</bdi>')
    expect(page.text).toContain('You will return to <strong>app.fieldbook.example</strong>')
    expect(page.text).toContain('Signed in as <strong><bdi>Ada Lovelace</bdi></strong>')
    expect(page.text).toContain('Not you?')
  })

  test('marks a target that has the app already, which cannot be chosen, and links to the page that removes apps', async () => {
    const { app, browser, address, person, company } = await arrived()
    await aCompanyOf(site, person, { name: 'Harbor Looms' })
    await pressInstall(browser, address)
    const { text } = await browser.open(linkTo(app))
    expect(text).toContain('Installed already')
    expect(text).not.toContain(`value="${company}"`)
    expect(text).toContain('<bdi>Tidepool Robotics</bdi><span class="hint">Installed')
    expect(text).toContain('remove it under <a href="/settings/apps">Connected apps</a>')
    const [made] = await installationsOf(site, app)
    const chosen = await browser.open(address)
    expect(chosen.status).toBe(200)
    expect(chosen.text).toContain('is installed on <bdi>Tidepool Robotics</bdi> already')
    expect(chosen.text).toContain(`<code>${made?.id}</code>`)
    expect(chosen.text).toContain(`installation_id=${made?.id}&amp;state=st%26te">Open Fieldbook CRM</a>`)
    expect(chosen.text).toContain('<a class="button" href="/settings/apps">Manage</a>')
    expect(chosen.text).not.toContain('value="install"')
  })

  test('asks for no choice if there is one target; without a target the page says which roles can install', async () => {
    const { app, browser } = await arrived()
    const only = await browser.open(linkTo(app))
    expect(only.text).toContain('Install Fieldbook CRM on Tidepool Robotics</button>')
    expect(only.text).toContain('The only one you can install apps on.')
    const withoutTarget = await (await site.signedIn(await site.person())).open(linkTo(app))
    expect(withoutTarget.status).toBe(200)
    expect(withoutTarget.text).toContain('There is nothing you can install it on')
    expect(withoutTarget.text).toContain('its founders, admins and editors install apps; on a syndicate, its managers')
    expect(withoutTarget.text).not.toContain('value="install"')
  })

  test('shows a founder the granted scopes in plain words, with the data that becomes visible', async () => {
    const { page } = await arrived({ piiApproved: true })
    expect(page.text).toContain('You are a founder<span class="hint">')
    expect(page.text).toContain('See this company, its offerings, funds (SPVs) and investors.')
    expect(page.text).toContain('See who the investors of this company are.')
    expect(page.text).toContain('Each investor’s name, legal name, email address')
    expect(page.text).toContain('Invest, sign, or move money for you or others.')
    expect(page.text).not.toContain('Investor names and emails: not granted')
    expect(page.text).not.toMatch(/>[^<]*read:companies/)
  })

  test('shows which scopes are not granted, and why: investor PII without approval, scopes that no installation can have', async () => {
    const { page } = await arrived()
    expect(page.text).toContain(
      'Investor names and emails: not granted, because Wefunder has not approved this app for them.',
    )
    expect(page.text).toContain(
      'See its own referral codes and how much they are used: not granted, because the app has this by itself.',
    )
  })

  test('shows an editor that write scopes are not granted, and which roles could grant them', async () => {
    const { page } = await arrived({}, { role: 'editor' })
    expect(page.text).toContain('it can see things and cannot change anything')
    expect(page.text).toContain('Anything that changes your company: not granted, because editors cannot grant it.')
    expect(page.text).toContain('ask a founder or admin of Tidepool Robotics')
    expect(shownIn(page.text)).toMatchObject({ tier: 'editor', scopes: 'read:profile read:companies' })
  })

  test('shows a member of the app’s team that it is their own app; they may grant investor PII without approval', async () => {
    const organization = await anOrganization(site.db, { name: 'Fieldbook Inc.' })
    const app = await aLinkedApp(site, { organization, approved: false })
    const person = await site.person()
    await aMember(site.db, { organization, account: person.account, role: 'developer' })
    const company = await aCompanyOf(site, person)
    const { status, text } = await (await site.signedIn(person)).open(linkTo(app, { target: company }))
    expect(status).toBe(200)
    expect(text).toContain('This is an app of your own team, <bdi>Fieldbook Inc.</bdi>.')
    expect(text).toContain('See who the investors of this company are.')
  })

  test('cannot install an app if no scope can be granted', async () => {
    const { page } = await arrived({ scopes: ['read:referral_codes'] })
    expect(page.text).toContain('There is nothing that you can grant')
    expect(page.text).not.toContain('value="install"')
    expect(page.text).toContain('Return to Fieldbook CRM</button>')
  })

  test('shows markup in names as text, and has no script', async () => {
    const { page } = await arrived({ name: '"><img src=x onerror=alert(1)>' }, { name: '<b>Tidepool</b>' })
    expect(page.text).not.toContain('<img src=x')
    expect(page.text).not.toContain('<b>Tidepool')
    expect(page.text).not.toContain('<script')
  })

  test('allows its form to redirect to the setup URL and further sites; without a setup URL to no other site', async () => {
    const policy = async (setupUrl: string | null) =>
      `${(await arrived({ setupUrl })).page.headers.get('content-security-policy')};`
    expect(await policy(SETUP)).toContain("form-action 'self' https:;")
    expect(await policy('http://127.0.0.1:4711/setup')).toContain(
      "form-action 'self' https: http://localhost:* http://127.0.0.1:*;",
    )
    expect(await policy(null)).toContain("form-action 'self';")
  })

  test('marks the sandbox, but not the live world', async () => {
    expect((await arrived()).page.text).toContain('<strong>Sandbox.</strong>')
    const live = await arrived({ world: 'live' })
    expect(live.page.status).toBe(200)
    expect(live.page.text).toContain('Install Fieldbook CRM on Tidepool Robotics</button>')
    expect(live.page.text).not.toContain('Sandbox')
  })
})

describe('a mistake in the link is shown on our page, without a redirect', () => {
  const rejected = async (clientId: string, query = '?state=x') => {
    const browser = await site.signedIn(await site.person())
    return browser.open(`/apps/${clientId}/install${query}`)
  }

  test.each([
    ['an unknown id', newClientId('test')],
    ['an unknown live id', newClientId('live')],
    ['an invalid id', 'fieldbook'],
  ])('404 for %s', async (_, clientId) => {
    const { status, location, text } = await rejected(clientId)
    expect([status, location]).toEqual([404, null])
    expect(text).toContain('We do not know this app')
    expect(text).toMatch(/Request <code>req_\w+<\/code>/)
  })

  test.each(['suspended', 'disabled', 'ended', 'revoked'] as const)('403 for a key that is %s', async (state) => {
    const appId = await anApp(site.db, { scopes: ['read:companies'], approved: true, setupUrl: SETUP })
    const { clientId } = await aKey(site.db, appId, { state })
    const { status, location, text } = await rejected(clientId)
    expect([status, location]).toEqual([403, null])
    expect(text).toContain('This app cannot be installed')
    expect(text).toContain('no installation was changed')
  })

  test.each([
    ['longer than 2,048 characters', `?state=${'s'.repeat(2_049)}`],
    ['too long for the address of the sign-in page', `?state=${'%C3%A9'.repeat(1_024)}`],
    ['sent twice', '?state=a&state=b'],
    ['not correctly encoded', '?state=%ff'],
  ])('400 for a state that is %s', async (_, query) => {
    const { clientId } = await aLinkedApp(site)
    const { status, location, text } = await rejected(clientId, query)
    expect([status, location]).toEqual([400, null])
    expect(text).toContain('This link is not valid')
  })

  test('403 for an app that was not approved, if the person is not on its team', async () => {
    const app = await aLinkedApp(site, { approved: false, name: 'Digest' })
    const person = await site.person()
    const company = await aCompanyOf(site, person)
    const browser = await site.signedIn(person)
    const { status, location, text } = await browser.open(linkTo(app, { target: company }))
    expect([status, location]).toEqual([403, null])
    expect(text).toContain('Digest has not been approved yet')
    const forced = await browser.submit(linkTo(app), { decision: 'install', target: company, tier: 'founder' })
    expect(forced.status).toBe(403)
    expect(await installationsOf(site, app)).toEqual([])
  })

  test('403 for a person without an active user in the app’s world', async () => {
    const app = await aLinkedApp(site)
    const stranger = await (await site.signedIn(await site.person(['live']))).open(linkTo(app))
    expect([stranger.status, stranger.location]).toEqual([403, null])
    expect(stranger.text).toContain('has no company or syndicate in the sandbox')
    const person = await site.person()
    await site.db.databases.test.transaction((tx) => deactivateUser(tx, userIn(person), occasionAt()))
    const gone = await (await site.signedIn(person)).open(linkTo(app))
    expect(gone.status).toBe(403)
    expect(gone.text).toContain('was deactivated in the sandbox')
  })

  test('404 with the same page for another person’s target, a target of the other world, an unknown target and an invalid id', async () => {
    const { app, person, browser } = await arrived()
    const others = [
      await aCompanyOf(site, await site.person()),
      await aCompanyOf(site, person, { world: 'live' }),
      await aSyndicateOf(site, await site.person()),
      newId('company'),
      'co_x',
    ]
    const pages = await Promise.all(others.map((target) => browser.open(linkTo(app, { target }))))
    expect(pages.map(({ status }) => status)).toEqual(others.map(() => 404))
    const without = (text: string, id: string) => text.replaceAll(id, '').replace(/req_\w+/g, '')
    const texts = pages.map(({ text }, at) => without(text, others[at] ?? ''))
    expect(new Set(texts).size).toBe(1)
    expect(texts[0]).toContain('is not one you can install apps on')
  })
})

describe('POST /apps/{client_id}/install', () => {
  test('303 to the setup URL, with its own query, installation_id and state; the page shows no token', async () => {
    const { app, company, browser, address } = await arrived()
    const { status, location, text } = await pressInstall(browser, address)
    expect([status, text]).toEqual([303, ''])
    const [made] = await installationsOf(site, app)
    expect(parametersIn(location)).toEqual({
      at: 'https://app.fieldbook.example/setup',
      from: 'us',
      installation_id: made?.id,
      state: 'st&te',
    })
    expect(made).toMatchObject({ state: 'active', tier: 'founder', target: company })
    expect(made?.scopes).toEqual([
      'read:profile',
      'read:companies',
      'write:webhooks',
      'write:syndicates',
      'write:invite_links',
    ])
    const tokens = await site.db.sql('select from test.access_tokens where installation_id = $1', [made?.id])
    expect(tokens).toEqual([])
  })

  test('installs on a syndicate for its manager', async () => {
    const app = await aLinkedApp(site)
    const person = await site.person()
    const syndicate = await aSyndicateOf(site, person)
    const browser = await site.signedIn(person)
    const address = linkTo(app, { target: syndicate })
    const { text } = await browser.open(address)
    expect(text).toContain('See and run this syndicate: members, deals and settings.')
    expect(text).toContain('where it has access, it sees what managers see, such as email addresses')
    expect(parametersIn((await pressInstall(browser, address)).location)).toHaveProperty('installation_id')
    expect(await installationsOf(site, app)).toMatchObject([{ tier: 'manager', target: syndicate }])
  })

  test('records an event with this request as its cause', async () => {
    const { browser, address, company } = await arrived()
    const { headers } = await pressInstall(browser, address)
    const events = await site.db.sql<{ name: string; fact_id: string }>(
      'select name, fact_id from test.events where company_id = $1',
      [company],
    )
    expect(events).toContainEqual({ name: 'installation.created', fact_id: headers.get('x-request-id') })
  })

  test('returns a state of 2,048 characters unchanged; without a state it returns no state', async () => {
    const app = await aLinkedApp(site)
    const [long, person] = ['a.b~'.repeat(512), await site.person()]
    const company = await aCompanyOf(site, person)
    const browser = await site.signedIn(person)
    const address = linkTo(app, { target: company, state: long })
    await browser.open(address)
    expect(parametersIn((await browser.submit(address, { decision: 'cancel' })).location)).toMatchObject({
      state: long,
    })
    const without = await pressInstall(browser, `/apps/${app.clientId}/install?target=${company}`)
    expect(parametersIn(without.location)).not.toHaveProperty('state')
  })

  test('redirects with access_denied and the state after Cancel on either step; nothing is installed', async () => {
    const { app, browser, address } = await arrived()
    for (const at of [linkTo(app), address]) {
      const { status, location } = await browser.submit(at, { decision: 'cancel' })
      expect(status).toBe(303)
      expect(parametersIn(location)).toEqual({
        at: 'https://app.fieldbook.example/setup',
        from: 'us',
        error: 'access_denied',
        state: 'st&te',
      })
    }
    expect(await installationsOf(site, app)).toEqual([])
  })

  test('without a setup URL, ends on our page, which says whether the app was installed', async () => {
    const { app, browser, address } = await arrived({ setupUrl: null })
    const canceled = await browser.submit(address, { decision: 'cancel' })
    expect([canceled.status, canceled.location]).toEqual([200, null])
    expect(canceled.text).toContain('Nothing was installed')
    const done = await pressInstall(browser, address)
    const [made] = await installationsOf(site, app)
    expect(done.location).toBe(`/apps/${app.clientId}/install?state=st%26te&installed=${made?.id}`)
    const { status, text } = await browser.open(String(done.location))
    expect(status).toBe(200)
    expect(text).toContain('<h1>Fieldbook CRM is installed on Tidepool Robotics</h1>')
    const other = await (await site.signedIn(await site.person())).open(String(done.location))
    expect(other.text).not.toContain('Tidepool')
  })

  test('404 for a company on which the person may not install; nothing is installed', async () => {
    const { app, browser } = await arrived()
    const theirs = await aCompanyOf(site, await site.person(), { name: 'Other Company' })
    const { status, location, text } = await pressInstall(browser, linkTo(app), { target: theirs })
    expect([status, location]).toEqual([404, null])
    expect(text).not.toContain('Other Company')
    expect(await installationsOf(site, app)).toEqual([])
  })

  test('404 if the person’s role ended after the page was shown, or was never sufficient', async () => {
    const { app, person, company, browser, address } = await arrived()
    await browser.open(address)
    const user = userIn(person)
    await site.db.databases.test.transaction((tx) => endRole(tx, { company, user, role: 'founder' }, occasionAt()))
    const ended = await browser.submit(address, { decision: 'install', target: company, tier: 'founder', scopes: '' })
    expect(ended.status).toBe(404)
    const work = await aCompanyOf(site, person, { role: 'employee' })
    const employee = { decision: 'install', target: work, tier: 'founder', scopes: 'read:companies' }
    expect((await browser.submit(linkTo(app), employee)).status).toBe(404)
    expect(await installationsOf(site, app)).toEqual([])
  })

  test('404 for a company that is not in the key’s world', async () => {
    const { app, person, browser } = await arrived()
    const live = await aCompanyOf(site, person, { world: 'live' })
    const { status } = await pressInstall(browser, linkTo(app), { target: live })
    expect(status).toBe(404)
    expect(await installationsOf(site, app)).toEqual([])
    expect(await installationsOf(site, { ...app, world: 'live' })).toEqual([])
  })

  test('403 with our page if the app was suspended after the page was shown; nothing is installed, and there is no redirect', async () => {
    const { app, browser, address, page } = await arrived()
    await suspend(app.appId)
    for (const decision of ['install', 'cancel']) {
      const { status, location, text } = await browser.submit(address, { ...shownIn(page.text), decision })
      expect([status, location]).toEqual([403, null])
      expect(text).toContain('This app cannot be installed')
    }
    expect(await installationsOf(site, app)).toEqual([])
  })

  test('409 with the existing installation if a colleague installed the app meanwhile', async () => {
    const { app, company, browser, address, page } = await arrived()
    const colleague = await site.person()
    const joining = { company, user: userIn(colleague), role: 'admin' } as const
    await site.db.databases.test.transaction((tx) => setRole(tx, joining, occasionAt()))
    await pressInstall(await site.signedIn(colleague), address)
    const [made] = await installationsOf(site, app)
    const { status, location, text } = await browser.submit(address, { ...shownIn(page.text), decision: 'install' })
    expect([status, location]).toEqual([409, null])
    expect(text).toContain(`<code>${made?.id}</code>`)
    expect(text).toContain('<dd>admin</dd>')
    expect(text).toContain('nothing was done now')
    expect(await installationsOf(site, app)).toHaveLength(1)
  })

  test('makes one installation if the button is pressed twice at once; both responses lead to the app', async () => {
    const { app, browser, address, page } = await arrived()
    const press = () => browser.submit(address, { ...shownIn(page.text), decision: 'install' })
    const both = await Promise.all([press(), press()])
    expect(both.map(({ status }) => status).sort()).toEqual([303, 409])
    const [made, ...more] = await installationsOf(site, app)
    expect(more).toEqual([])
    expect(both.find(({ status }) => status === 409)?.text).toContain(`installation_id=${made?.id}`)
  })

  test('409 if the grant changed meanwhile: the page shows the change, and installs only after a new decision', async () => {
    const { app, browser, address, page } = await arrived({ scopes: ['read:companies', 'write:invite_links'] })
    await declare(app.appId, ['read:companies', 'write:webhooks'])
    const { status, text } = await browser.submit(address, { ...shownIn(page.text), decision: 'install' })
    expect(status).toBe(409)
    expect(text).toContain('Something changed since you opened this page. Nothing was installed; please look again.')
    expect(text).toContain('New: See and choose which of its own addresses are notified')
    expect(text).toContain('No longer granted: See, make and change the links')
    expect(await installationsOf(site, app)).toEqual([])
    const again = await browser.submit(address, { ...shownIn(text), decision: 'install' })
    expect(again.status).toBe(303)
    expect(await installationsOf(site, app)).toMatchObject([{ scopes: ['read:companies', 'write:webhooks'] }])
  })

  test('409 if investor PII was approved or the tier changed meanwhile', async () => {
    const approved = await arrived()
    await site.db.sql('update platform.apps set pii_approved_at = now() where id = $1', [approved.app.appId])
    const shown = { ...shownIn(approved.page.text), decision: 'install' }
    const pii = await approved.browser.submit(approved.address, shown)
    expect(pii.status).toBe(409)
    expect(pii.text).toContain('New: See who the investors of this company are.')
    const { browser, address, company, page, app } = await arrived()
    await site.db.sql(`update test.company_people set role = 'editor' where company_id = $1`, [company])
    const lowered = await browser.submit(address, { ...shownIn(page.text), decision: 'install' })
    expect(lowered.status).toBe(409)
    expect(lowered.text).toContain('You were a founder there, and are now an editor.')
    expect(await installationsOf(site, app)).toEqual([])
  })

  test('409 for a forged form with other scopes or another tier than the page showed; nothing is installed', async () => {
    const { app, browser, address } = await arrived()
    const { scopes } = shownIn((await browser.open(address)).text)
    for (const forged of [`${scopes} read:investors:pii`, 'read:companies', '', 'x y']) {
      expect((await pressInstall(browser, address, { scopes: forged })).status).toBe(409)
    }
    expect((await pressInstall(browser, address, { tier: 'manager' })).status).toBe(409)
    expect(await installationsOf(site, app)).toEqual([])
  })

  test('303 to the sign-in page, with the chosen company, for a person who has signed out meanwhile', async () => {
    const { app, person, browser, address, page } = await arrived()
    await site.db.sql('delete from platform.sign_in_sessions where account_id = $1', [person.account])
    const press = () => browser.submit(linkTo(app), { ...shownIn(page.text), decision: 'install' })
    const { status, location } = await press()
    const url = new URL(String(location), site.url)
    expect([status, url.pathname, url.searchParams.get('return_to')]).toEqual([303, '/sign-in', address])
    // Without the cookie the form’s CSRF token is not valid.
    browser.cookies.clear()
    expect((await press()).status).toBe(403)
    expect(await installationsOf(site, app)).toEqual([])
  })

  test('303 to the sign-in page, with the chosen company, if the person’s account was disabled meanwhile', async () => {
    const { app, person, browser, address, company, page } = await arrived()
    await site.db.sql('update platform.accounts set disabled_at = now() where id = $1', [person.account])
    const { status, location } = await browser.submit(linkTo(app), { ...shownIn(page.text), decision: 'install' })
    expect(status).toBe(303)
    const back = new URL(String(location), site.url).searchParams.get('return_to') ?? ''
    expect(new URL(back, site.url).searchParams.get('target')).toBe(company)
    expect(address).toBe(back)
    expect(await installationsOf(site, app)).toEqual([])
  })

  test('403 without the CSRF token, with that of another browser, or from another site', async () => {
    const { app, browser, address, page } = await arrived()
    const other = await arrived()
    const csrfIn = (text: string) => /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? ''
    const fields = { ...shownIn(page.text), decision: 'install' }
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    const tries = [
      await browser.submit(address, { ...fields, csrf: '' }),
      await browser.submit(address, { ...fields, csrf: csrfIn(other.page.text) }),
      await browser.submit(address, { ...fields, csrf: csrfIn(page.text) }, foreign),
    ]
    expect(tries.map(({ status, location }) => [status, location])).toEqual(tries.map(() => [403, null]))
    expect(await installationsOf(site, app)).toEqual([])
  })

  test('422 for an unknown decision', async () => {
    const { browser, address } = await arrived()
    expect((await browser.submit(address, { decision: 'maybe' })).status).toBe(422)
    expect((await browser.submit(address, {})).status).toBe(422)
  })

  test('installs only in the live world with a live key', async () => {
    const { app, browser, address } = await arrived({ world: 'live' })
    expect((await pressInstall(browser, address)).status).toBe(303)
    expect(await installationsOf(site, app)).toHaveLength(1)
    expect(await installationsOf(site, { ...app, world: 'test' })).toEqual([])
  })

  test('records the app’s first installation, so that the app can no longer be deleted', async () => {
    const { app, browser, address } = await arrived()
    await pressInstall(browser, address)
    const rows = await site.db.sql('select first_installed_at is not null as noted from platform.apps where id = $1', [
      app.appId,
    ])
    expect(rows).toEqual([{ noted: true }])
  })
})
