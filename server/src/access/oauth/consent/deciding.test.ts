import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectionsOf } from '#access/installations/index.ts'
import { type Site, type SitePerson, userIn } from '#access/installations/testing/site.ts'
import type { Id } from '#kernel/ids.ts'
import { aMember, anOrganization } from '#test/apps.ts'
import {
  type AskingApp,
  addressFor,
  agree,
  anAskingApp,
  CALLBACK,
  openConsentSite,
  parametersIn,
  VERIFIER,
} from './testing/consent-site.ts'

let site: Site
beforeAll(async () => {
  site = await openConsentSite()
})
afterAll(() => site.close())

const connections = (person: SitePerson, world: 'test' | 'live' = 'test') =>
  connectionsOf(site.db.databases[world].reads, userIn(person, world))

/** A signed-in person who sees the consent screen. */
async function asked(app: AskingApp, more: Parameters<typeof addressFor>[1] = {}) {
  const person = await site.person()
  const browser = await site.signedIn(person)
  const address = addressFor(app, more)
  return { person, browser, address, page: await browser.open(address) }
}

const codes = async (user: Id<'user'>) =>
  site.db.sql<{ scopes: string[] }>('select scopes from test.authorization_codes where user_id = $1', [user])

describe('POST /oauth/authorize', () => {
  test('303 to the redirect URI with code, state and iss; the code is exchanged for a token with the granted scopes', async () => {
    const app = await anAskingApp(site)
    const { person, browser, address } = await asked(app)
    const { status, location } = await agree(browser, address, ['read:profile', 'read:investments'])
    expect(status).toBe(303)
    const { code = '', ...rest } = parametersIn(location)
    expect(rest).toEqual({
      at: 'https://app.fieldbook.example/oauth/callback',
      from: 'us',
      state: 'st&te',
      iss: site.url,
    })
    const exchange = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: VERIFIER }
    const client = { client_id: app.clientId, client_secret: app.secret }
    const body = new URLSearchParams({ ...exchange, ...client })
    const token = await fetch(`${site.url}/oauth/token`, { method: 'POST', body })
    expect(await token.json()).toMatchObject({ scope: 'read:profile read:investments', token_type: 'Bearer' })
    expect(await connections(person)).toMatchObject([{ scopes: ['read:profile', 'read:investments'] }])
  })

  test('each scope can be declined; a scope that was switched off is not granted', async () => {
    const app = await anAskingApp(site)
    const { person, browser, address } = await asked(app)
    await agree(browser, address, ['read:investments'])
    expect(await connections(person)).toMatchObject([{ scopes: ['read:investments'] }])
    expect(await codes(userIn(person))).toEqual([{ scopes: ['read:investments'] }])
  })

  test.each([
    ['Cancel', { decision: 'cancel', scope: 'read:profile' }],
    ['declining all', { decision: 'connect' }],
  ])('%s leads to access_denied, and nothing is connected', async (_, fields) => {
    const { person, browser, address } = await asked(await anAskingApp(site))
    const { status, location } = await browser.submit(address, fields)
    expect(status).toBe(303)
    expect(parametersIn(location)).toMatchObject({ error: 'access_denied', state: 'st&te', iss: site.url })
    expect(parametersIn(location)).not.toHaveProperty('code')
    expect(await connections(person)).toEqual([])
  })

  test('forged scope names in the form grant nothing, whether they are not requested, not declared, not grantable or unknown', async () => {
    const app = await anAskingApp(site)
    const { person, browser, address } = await asked(app, { scope: 'read:profile read:investors:pii' })
    const forged = ['read:profile', 'read:companies', 'read:investors:pii', 'write:syndicates', 'admin:read', 'x']
    const { location } = await agree(browser, address, forged)
    expect(parametersIn(location)).toHaveProperty('code')
    expect(await connections(person)).toMatchObject([{ scopes: ['read:profile'] }])
    expect(await codes(userIn(person))).toEqual([{ scopes: ['read:profile'] }])
    const only = await asked(app, { scope: 'read:investors:pii' })
    await only.browser.open(addressFor(app))
    const rejected = await agree(only.browser, only.address, ['read:investors:pii'])
    expect(parametersIn(rejected.location)).toMatchObject({ error: 'invalid_scope' })
    expect(await connections(only.person)).toEqual([])
  })

  test('a request for only read:public connects without scopes; if other scopes are requested, one must be granted', async () => {
    const app = await anAskingApp(site)
    const { person, browser, address } = await asked(app, { scope: 'read:public' })
    expect(parametersIn((await browser.submit(address, { decision: 'connect' })).location)).toHaveProperty('code')
    expect(await connections(person)).toMatchObject([{ scopes: [] }])
    const both = await asked(app, { scope: 'read:public read:profile' })
    expect(parametersIn((await both.browser.submit(both.address, { decision: 'connect' })).location)).toMatchObject({
      error: 'access_denied',
    })
  })

  test('a form that is posted to a forged address is checked like a new request', async () => {
    const app = await anAskingApp(site)
    const { person, browser } = await asked(app)
    const undeclared = await agree(browser, addressFor(app, { scope: 'read:syndicates' }), ['read:syndicates'])
    expect(parametersIn(undeclared.location)).toMatchObject({ error: 'invalid_scope' })
    const elsewhere = await agree(browser, addressFor(app, { redirect_uri: 'https://evil.example/' }), ['read:profile'])
    expect([elsewhere.status, elsewhere.location]).toEqual([400, null])
    expect(await connections(person)).toEqual([])
  })

  test('a retired scope and its replacement share one switch, and both names are granted', async () => {
    const app = await anAskingApp(site)
    const { person, browser, address, page } = await asked(app, { scope: 'read:companies read:offerings' })
    expect(page.text).toContain('value="read:companies read:offerings"')
    await agree(browser, address, ['read:companies read:offerings'])
    expect(await connections(person)).toMatchObject([{ scopes: ['read:companies', 'read:offerings'] }])
  })

  test('the app’s own team grants investor PII without review, other people only if the app is approved', async () => {
    const organization = await anOrganization(site.db)
    const app = await anAskingApp(site, { organization })
    const { person, browser, address } = await asked(app, { scope: 'read:companies read:investors:pii' })
    await aMember(site.db, { organization, account: person.account, role: 'admin' })
    await agree(browser, address, ['read:companies', 'read:investors:pii'])
    expect(await connections(person)).toMatchObject([{ scopes: ['read:companies', 'read:investors:pii'] }])
    const approved = await asked(await anAskingApp(site, { piiApproved: true }), { scope: 'read:investors:pii' })
    await agree(approved.browser, approved.address, ['read:investors:pii'])
    expect(await connections(approved.person)).toMatchObject([{ scopes: ['read:investors:pii'] }])
    const restsOn = (one: SitePerson) =>
      site.db.sql('select pii_by from test.installations where user_id = $1', [userIn(one)])
    expect([await restsOn(person), await restsOn(approved.person)]).toEqual([
      [{ pii_by: 'team' }],
      [{ pii_by: 'approval' }],
    ])
  })

  const noted = (app: AskingApp) =>
    site.db.sql('select first_installed_at is not null as noted from platform.apps where id = $1', [app.appId])

  test('a consent in the live world records the app as installed, so the app can no longer be deleted', async () => {
    const app = await anAskingApp(site, { world: 'live' })
    const { browser, address } = await asked(app)
    await agree(browser, address, ['read:profile'])
    expect(await noted(app)).toEqual([{ noted: true }])
  })

  test('a consent in the test world does not record the app as installed, so the app can still be deleted', async () => {
    const app = await anAskingApp(site)
    const { person, browser, address } = await asked(app)
    await agree(browser, address, ['read:profile'])
    expect(await connections(person)).toHaveLength(1)
    expect(await noted(app)).toEqual([{ noted: false }])
  })

  test.each([
    ['Cancel', 'read:profile', { decision: 'cancel', scope: 'read:profile' }],
    ['declining all', 'read:profile', { decision: 'connect' }],
    ['scopes that were not requested', 'read:profile', { decision: 'connect', scope: ['read:companies', 'x'] }],
  ])('an app is not recorded as installed if no scope was granted, because of %s', async (_, scope, fields) => {
    const app = await anAskingApp(site, { world: 'live' })
    const { browser, address } = await asked(app, { scope })
    expect(parametersIn((await browser.submit(address, fields)).location)).toMatchObject({ error: 'access_denied' })
    expect(await noted(app)).toEqual([{ noted: false }])
  })

  test('the event has the id of the consent request as its cause', async () => {
    const app = await anAskingApp(site)
    const { person, browser, address } = await asked(app)
    const { headers } = await agree(browser, address, ['read:profile'])
    const events = await site.db.sql('select name, fact_id from test.events where user_id = $1', [userIn(person)])
    expect(events).toEqual([{ name: 'installation.created', fact_id: headers.get('x-request-id') }])
  })

  test('400 with our own page if the app was suspended after the page was shown; no code and no connection', async () => {
    const app = await anAskingApp(site)
    const { person, browser, address } = await asked(app)
    await site.db.sql(`update platform.app_keys set state = 'suspended' where app_id = $1`, [app.appId])
    const { status, text } = await agree(browser, address, ['read:profile'])
    expect(status).toBe(400)
    expect(text).toContain('This app cannot be connected')
    expect(await connections(person)).toEqual([])
  })

  test('invalid_scope if a scope was removed after the page was shown; nothing is granted', async () => {
    const app = await anAskingApp(site)
    const { person, browser, address } = await asked(app)
    for (const table of ['apps where id', 'app_keys where app_id']) {
      const [name, where] = table.split(' where ')
      await site.db.sql(`update platform.${name} set scopes = '{read:profile}' where ${where} = $1`, [app.appId])
    }
    const { location } = await agree(browser, address, ['read:profile', 'read:investments'])
    expect(parametersIn(location)).toMatchObject({ error: 'invalid_scope' })
    expect(await connections(person)).toEqual([])
  })

  test('grants all other scopes if the PII approval was withdrawn after the page was shown', async () => {
    const app = await anAskingApp(site, { piiApproved: true })
    const scope = 'read:companies read:investors:pii'
    const { person, browser, address } = await asked(app, { scope })
    await site.db.sql('update platform.apps set pii_approved_at = null where id = $1', [app.appId])
    await agree(browser, address, ['read:companies', 'read:investors:pii'])
    expect(await connections(person)).toMatchObject([{ scopes: ['read:companies'] }])
  })

  test('303 to the sign-in page if the person’s account was disabled after the page was shown', async () => {
    const app = await anAskingApp(site)
    const { person, browser, address } = await asked(app)
    await site.db.sql('update platform.accounts set disabled_at = now() where id = $1', [person.account])
    const { status, location } = await agree(browser, address, ['read:profile'])
    expect([status, location]).toEqual([303, `/sign-in?return_to=${encodeURIComponent(address)}`])
    expect(await connections(person)).toEqual([])
  })

  test('403 without the CSRF token, with another browser’s token, or from another site', async () => {
    const app = await anAskingApp(site)
    const { person, browser, address, page } = await asked(app)
    const other = await asked(app)
    const theirs = /name="csrf" value="([^"]+)"/.exec(other.page.text)?.[1] ?? ''
    const fields = { decision: 'connect', scope: 'read:profile' }
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    const tries = [
      await browser.submit(address, { ...fields, csrf: '' }),
      await browser.submit(address, { ...fields, csrf: theirs }),
      await browser.submit(
        address,
        { ...fields, csrf: /name="csrf" value="([^"]+)"/.exec(page.text)?.[1] ?? '' },
        foreign,
      ),
    ]
    expect(tries.map(({ status, location }) => [status, location])).toEqual(tries.map(() => [403, null]))
    expect(await connections(person)).toEqual([])
  })

  test('422 for a decision that is neither connect nor cancel', async () => {
    const { browser, address } = await asked(await anAskingApp(site))
    expect((await browser.submit(address, { decision: 'maybe' })).status).toBe(422)
    expect((await browser.submit(address, {})).status).toBe(422)
  })

  test('a connection in the live world does not exist in the sandbox', async () => {
    const app = await anAskingApp(site, { world: 'live' })
    const { person, browser, address } = await asked(app)
    await agree(browser, address, ['read:profile'])
    expect(await connections(person, 'live')).toMatchObject([{ scopes: ['read:profile'] }])
    expect(await connections(person)).toEqual([])
  })
})
