import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Id } from '#kernel/ids.ts'
import { connectionsOf } from '#modules/installations/index.ts'
import { type Site, type SitePerson, userIn } from '#modules/installations/testing/site.ts'
import { deactivateUser } from '#modules/people/index.ts'
import { aMember, anOrganization } from '#test/apps.ts'
import { occasionAt } from '#test/caused-events.ts'
import {
  type AskingApp,
  addressFor,
  agree,
  anAskingApp,
  CALLBACK,
  heard,
  openConsentSite,
  VERIFIER,
} from './testing/consent-site.ts'

let site: Site
beforeAll(async () => {
  site = await openConsentSite()
})
afterAll(() => site.close())

const connections = (person: SitePerson, world: 'test' | 'live' = 'test') =>
  connectionsOf(site.db.databases[world].reads, userIn(person, world))

/** A signed-in person who has the consent screen before them. */
async function asked(app: AskingApp, more: Parameters<typeof addressFor>[1] = {}) {
  const person = await site.person()
  const browser = await site.signedIn(person)
  const address = addressFor(app, more)
  return { person, browser, address, page: await browser.open(address) }
}

const codes = async (user: Id<'user'>) =>
  site.db.sql<{ scopes: string[] }>('select scopes from test.authorization_codes where user_id = $1', [user])

describe('GET /oauth/authorize', () => {
  test('303 to the sign-in page, and after signing in back to this very request', async () => {
    const app = await anAskingApp(site)
    const address = addressFor(app)
    const { status, location } = await site.browser().open(address)
    expect(status).toBe(303)
    const url = new URL(String(location), site.url)
    expect(url.pathname).toBe('/sign-in')
    expect(url.searchParams.get('return_to')).toBe(address)
  })

  test('who asks: the app’s name, the organization behind it, and where one returns to', async () => {
    const organization = await anOrganization(site.db, { name: 'Fieldbook Inc.' })
    const { page } = await asked(await anAskingApp(site, { organization }))
    expect(page.status).toBe(200)
    expect(page.text).toContain('<h1>Fieldbook CRM</h1>')
    expect(page.text).toContain('by <bdi>Fieldbook Inc.</bdi>')
    expect(page.text).toContain('You will return to <strong>app.fieldbook.example</strong>')
  })

  test('of whom: the signed-in person, with a way to become another one', async () => {
    const { page, browser, address } = await asked(await anAskingApp(site))
    expect(page.text).toContain('Signed in as <strong><bdi>Ada Lovelace</bdi></strong>')
    expect(page.text).toContain('Not you?')
    const out = await browser.submit('/sign-out', { return_to: address })
    expect(out.location).toBe(`/sign-in?return_to=${encodeURIComponent(address)}`)
    const { status, location } = await browser.open(address)
    expect([status, location]).toEqual([303, `/sign-in?return_to=${encodeURIComponent(address)}`])
  })

  test('for what: each scope with its sentence and a switch of its own, sensitive ones with what becomes visible', async () => {
    const { page } = await asked(await anAskingApp(site))
    expect(page.text).toContain('It will be able to')
    for (const scope of ['read:profile', 'read:investments']) {
      expect(page.text).toContain(`<input type="checkbox" role="switch" name="scope" value="${scope}" checked>`)
    }
    expect(page.text).toContain('<legend>Your profile</legend>')
    expect(page.text).toContain('<legend>Your investments</legend>')
    expect(page.text).toContain('See your investments, reservations and portfolio')
    expect(page.text).toContain('<span class="hint">What you invested or reserved, where and when')
    expect(page.text.match(/>Sensitive</g)).toHaveLength(1)
  })

  test('what it will never do, how long it lasts, where to disconnect it, and a button that says what happens', async () => {
    const { page } = await asked(await anAskingApp(site))
    expect(page.text).toContain('Invest, sign, or move money for you.')
    expect(page.text).toContain('It stays connected until you disconnect it')
    expect(page.text).toContain('<a href="/settings/apps">Connected apps</a>')
    expect(page.text).toContain('value="connect">Connect Fieldbook CRM</button>')
    expect(page.text).toContain('value="cancel">Cancel</button>')
  })

  test('an app that requests no scope asks for read:profile', async () => {
    const { page } = await asked(await anAskingApp(site, { scopes: [] }), { scope: undefined })
    expect(page.text.match(/name="scope"/g)).toHaveLength(1)
    expect(page.text).toContain('value="read:profile"')
  })

  test('an app nobody has reviewed says so, to everybody but its own team', async () => {
    const organization = await anOrganization(site.db)
    const account = await aMember(site.db, { organization, role: 'developer' })
    const app = await anAskingApp(site, { organization })
    const words = 'Wefunder has not reviewed this app.'
    expect((await asked(app)).page.text).toContain(words)
    expect((await asked(await anAskingApp(site, { approved: true }))).page.text).not.toContain(words)
    const member = await site.person()
    await site.db.sql('update platform.organization_members set account_id = $1 where account_id = $2', [
      member.account,
      account,
    ])
    const { text } = await (await site.signedIn(member)).open(addressFor(app))
    expect(text).not.toContain(words)
    expect(text).toContain('This is an app of your own team')
  })

  test('investor PII is offered once the app is approved for it, and before that only to its team', async () => {
    const pii = 'value="read:investors:pii"'
    const scope = 'read:companies read:investors:pii'
    const { page } = await asked(await anAskingApp(site), { scope })
    expect(page.text).not.toContain(pii)
    expect(page.text).toContain(
      'Investor names and emails: not granted, because Wefunder has not approved this app for them.',
    )
    const approved = await asked(await anAskingApp(site, { piiApproved: true }), { scope })
    expect(approved.page.text).toContain(pii)
    expect(approved.page.text).not.toContain('not granted')
  })

  test('the sandbox is marked as such, the live world is not', async () => {
    expect((await asked(await anAskingApp(site))).page.text).toContain('<strong>Sandbox.</strong>')
    const live = await asked(await anAskingApp(site, { world: 'live' }))
    expect(live.page.text).not.toContain('Sandbox')
  })

  test('names are text: what looks like markup is shown and not run, and there is no script at all', async () => {
    const organization = await anOrganization(site.db, { name: 'Wefunder <b>Support</b>' })
    const app = await anAskingApp(site, { name: '"><img src=x onerror=alert(1)>', organization })
    const { page } = await asked(app)
    expect(page.text).not.toContain('<img src=x')
    expect(page.text).not.toContain('<b>Support')
    expect(page.text).not.toContain('<script')
    const policy = String(page.headers.get('content-security-policy'))
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("default-src 'none'")
  })

  test('the form may lead to where the app is answered, and a browser that checks redirects lets it', async () => {
    const targets: [string, string][] = [
      [CALLBACK, "form-action 'self' https:;"],
      ['http://127.0.0.1:4711/back', "form-action 'self' https: http://localhost:* http://127.0.0.1:*;"],
      ['http://[::1]:4711/back', "form-action 'self' https: http:;"],
      ['com.fieldbook.app:/back', "form-action 'self' com.fieldbook.app:;"],
    ]
    const app = await anAskingApp(site, { redirectUris: targets.map(([uri]) => uri) })
    for (const [redirect_uri, policy] of targets) {
      const { page } = await asked(app, { redirect_uri })
      expect(`${page.headers.get('content-security-policy')};`).toContain(policy)
    }
  })

  test('who connected it before is told since when, and what choosing again does', async () => {
    const app = await anAskingApp(site)
    const { browser, address, page } = await asked(app)
    expect(page.text).not.toContain('replaces')
    await agree(browser, address, ['read:profile'])
    expect((await browser.open(address)).text).toContain('What you choose now replaces that')
  })
})

describe('what stays on our page (400), because nobody knows whom to trust', () => {
  test.each([
    ['no client id', { client_id: undefined }, 'This link is not complete'],
    ['an unknown client', { client_id: `pk_test_${'z'.repeat(24)}` }, 'We do not know this app'],
    ['a redirect URI that is not the app’s', { redirect_uri: 'https://evil.example/' }, 'in a way we do not trust'],
  ])('%s', async (_, more, title) => {
    const { page } = await asked(await anAskingApp(site), more)
    expect([page.status, page.location]).toEqual([400, null])
    expect(page.text).toContain(title)
    expect(page.text).toMatch(/Request <code>req_\w+<\/code>/)
  })

  test.each(['suspended', 'disabled'] as const)('an app that is %s', async (state) => {
    const { page } = await asked(await anAskingApp(site, { state }))
    expect(page.status).toBe(400)
    expect(page.text).toContain('This app cannot be connected')
  })
})

describe('what the app hears of instead (303), before anybody is asked to sign in', () => {
  test.each([
    ['a scope it does not declare', { scope: 'read:syndicates' }, 'invalid_scope'],
    ['no PKCE', { code_challenge: undefined }, 'invalid_request'],
  ])('%s', async (_, more, error) => {
    const app = await anAskingApp(site)
    const { status, location } = await site.browser().open(addressFor(app, more))
    expect(status).toBe(303)
    expect(heard(location)).toMatchObject({ error, state: 'st&te', iss: site.url })
  })
})

describe('who is nobody in the app’s world (403)', () => {
  test('no user there: nothing can be connected, and the app hears nothing', async () => {
    const person = await site.person(['live'])
    const app = await anAskingApp(site)
    const browser = await site.signedIn(person)
    const { status, text, location } = await browser.open(addressFor(app))
    expect([status, location]).toEqual([403, null])
    expect(text).toContain('has nothing in the sandbox that an app could be connected to')
  })

  test('deactivated, before the page or between page and decision', async () => {
    const app = await anAskingApp(site)
    const { person, browser, address } = await asked(app)
    await site.db.databases.test.transaction((tx) => deactivateUser(tx, userIn(person), occasionAt()))
    const decided = await agree(browser, address, ['read:profile'])
    expect(decided.status).toBe(403)
    expect(decided.text).toContain('was deactivated in the sandbox')
    expect((await browser.open(address)).status).toBe(403)
    expect(await codes(userIn(person))).toEqual([])
  })
})

describe('POST /oauth/authorize', () => {
  test('303 to the redirect URI with code, state and iss; the code gives a token with what was granted', async () => {
    const app = await anAskingApp(site)
    const { person, browser, address } = await asked(app)
    const { status, location } = await agree(browser, address, ['read:profile', 'read:investments'])
    expect(status).toBe(303)
    const { code = '', ...rest } = heard(location)
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

  test('each scope can be declined: what was switched off is not granted', async () => {
    const app = await anAskingApp(site)
    const { person, browser, address } = await asked(app)
    await agree(browser, address, ['read:investments'])
    expect(await connections(person)).toMatchObject([{ scopes: ['read:investments'] }])
    expect(await codes(userIn(person))).toEqual([{ scopes: ['read:investments'] }])
  })

  test.each([
    ['Cancel', { decision: 'cancel', scope: 'read:profile' }],
    ['declining all', { decision: 'connect' }],
  ])('%s is access_denied, and nothing is connected', async (_, fields) => {
    const { person, browser, address } = await asked(await anAskingApp(site))
    const { status, location } = await browser.submit(address, fields)
    expect(status).toBe(303)
    expect(heard(location)).toMatchObject({ error: 'access_denied', state: 'st&te', iss: site.url })
    expect(heard(location)).not.toHaveProperty('code')
    expect(await connections(person)).toEqual([])
  })

  test('names written into the form give nothing: not requested, not declared, not grantable, not known', async () => {
    const app = await anAskingApp(site)
    const { person, browser, address } = await asked(app, { scope: 'read:profile read:investors:pii' })
    const forged = ['read:profile', 'read:companies', 'read:investors:pii', 'write:syndicates', 'admin:read', 'x']
    const { location } = await agree(browser, address, forged)
    expect(heard(location)).toHaveProperty('code')
    expect(await connections(person)).toMatchObject([{ scopes: ['read:profile'] }])
    expect(await codes(userIn(person))).toEqual([{ scopes: ['read:profile'] }])
    const only = await asked(app, { scope: 'read:investors:pii' })
    expect(only.page.text).toContain('there is nothing to connect')
    expect(heard((await agree(only.browser, only.address, ['read:investors:pii'])).location)).toMatchObject({
      error: 'access_denied',
    })
  })

  test('changing the address the form is sent to is changing the request: all of it is checked again', async () => {
    const app = await anAskingApp(site)
    const { person, browser } = await asked(app)
    const undeclared = await agree(browser, addressFor(app, { scope: 'read:syndicates' }), ['read:syndicates'])
    expect(heard(undeclared.location)).toMatchObject({ error: 'invalid_scope' })
    const elsewhere = await agree(browser, addressFor(app, { redirect_uri: 'https://evil.example/' }), ['read:profile'])
    expect([elsewhere.status, elsewhere.location]).toEqual([400, null])
    expect(await connections(person)).toEqual([])
  })

  test('a retired name beside what replaced it is one switch, and both are granted under their own names', async () => {
    const app = await anAskingApp(site)
    const { person, browser, address, page } = await asked(app, { scope: 'read:companies read:offerings' })
    expect(page.text).toContain('value="read:companies read:offerings"')
    await agree(browser, address, ['read:companies read:offerings'])
    expect(await connections(person)).toMatchObject([{ scopes: ['read:companies', 'read:offerings'] }])
  })

  test('the app’s own team grants investor PII without review, everybody else once it is approved', async () => {
    const organization = await anOrganization(site.db)
    const app = await anAskingApp(site, { organization })
    const { person, browser, address } = await asked(app, { scope: 'read:companies read:investors:pii' })
    await aMember(site.db, { organization, account: person.account, role: 'admin' })
    await agree(browser, address, ['read:companies', 'read:investors:pii'])
    expect(await connections(person)).toMatchObject([{ scopes: ['read:companies', 'read:investors:pii'] }])
    const approved = await asked(await anAskingApp(site, { piiApproved: true }), { scope: 'read:investors:pii' })
    await agree(approved.browser, approved.address, ['read:investors:pii'])
    expect(await connections(approved.person)).toMatchObject([{ scopes: ['read:investors:pii'] }])
  })

  test('the app is noted as installed, so that it can no longer be deleted', async () => {
    const app = await anAskingApp(site)
    const { browser, address } = await asked(app)
    await agree(browser, address, ['read:profile'])
    const rows = await site.db.sql('select first_installed_at is not null as noted from platform.apps where id = $1', [
      app.appId,
    ])
    expect(rows).toEqual([{ noted: true }])
  })

  test('the cause of the events is this request', async () => {
    const app = await anAskingApp(site)
    const { person, browser, address } = await asked(app)
    const { headers } = await agree(browser, address, ['read:profile'])
    const events = await site.db.sql('select name, fact_id from test.events where user_id = $1', [userIn(person)])
    expect(events).toEqual([{ name: 'installation.created', fact_id: headers.get('x-request-id') }])
  })

  test('suspended between page and decision: our page, no code, no connection', async () => {
    const app = await anAskingApp(site)
    const { person, browser, address } = await asked(app)
    await site.db.sql(`update platform.app_keys set state = 'suspended' where app_id = $1`, [app.appId])
    const { status, text } = await agree(browser, address, ['read:profile'])
    expect(status).toBe(400)
    expect(text).toContain('This app cannot be connected')
    expect(await connections(person)).toEqual([])
  })

  test('a scope removed between page and decision: invalid_scope, nothing granted', async () => {
    const app = await anAskingApp(site)
    const { person, browser, address } = await asked(app)
    for (const table of ['apps where id', 'app_keys where app_id']) {
      const [name, where] = table.split(' where ')
      await site.db.sql(`update platform.${name} set scopes = '{read:profile}' where ${where} = $1`, [app.appId])
    }
    const { location } = await agree(browser, address, ['read:profile', 'read:investments'])
    expect(heard(location)).toMatchObject({ error: 'invalid_scope' })
    expect(await connections(person)).toEqual([])
  })

  test('the approval for PII withdrawn between page and decision: everything else is granted', async () => {
    const app = await anAskingApp(site, { piiApproved: true })
    const scope = 'read:companies read:investors:pii'
    const { person, browser, address } = await asked(app, { scope })
    await site.db.sql('update platform.apps set pii_approved_at = null where id = $1', [app.appId])
    await agree(browser, address, ['read:companies', 'read:investors:pii'])
    expect(await connections(person)).toMatchObject([{ scopes: ['read:companies'] }])
  })

  test('the account disabled, or signed out, between page and decision: to the sign-in page', async () => {
    const app = await anAskingApp(site)
    const { person, browser, address } = await asked(app)
    await site.db.sql('update platform.accounts set disabled_at = now() where id = $1', [person.account])
    const { status, location } = await agree(browser, address, ['read:profile'])
    expect([status, location]).toEqual([303, `/sign-in?return_to=${encodeURIComponent(address)}`])
    expect(await connections(person)).toEqual([])
  })

  test('403 without the form’s token, with another browser’s, or from a page of another site', async () => {
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

  test('a decision that is neither of the two is 422', async () => {
    const { browser, address } = await asked(await anAskingApp(site))
    expect((await browser.submit(address, { decision: 'maybe' })).status).toBe(422)
    expect((await browser.submit(address, {})).status).toBe(422)
  })

  test('a key of the other world asks there: what is connected in the sandbox is nothing in the live world', async () => {
    const app = await anAskingApp(site, { world: 'live' })
    const { person, browser, address } = await asked(app)
    await agree(browser, address, ['read:profile'])
    expect(await connections(person, 'live')).toMatchObject([{ scopes: ['read:profile'] }])
    expect(await connections(person)).toEqual([])
  })
})
