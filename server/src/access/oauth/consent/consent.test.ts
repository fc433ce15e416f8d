import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Site, userIn } from '#access/installations/testing/site.ts'
import { deactivateUser } from '#access/people/index.ts'
import type { Id } from '#kernel/ids.ts'
import { aMember, anOrganization } from '#test/apps.ts'
import { occasionAt } from '#test/caused-events.ts'
import {
  type AskingApp,
  addressFor,
  agree,
  anAskingApp,
  CALLBACK,
  openConsentSite,
  parametersIn,
} from './testing/consent-site.ts'

let site: Site
beforeAll(async () => {
  site = await openConsentSite()
})
afterAll(() => site.close())

/** A signed-in person who sees the consent screen. */
async function asked(app: AskingApp, more: Parameters<typeof addressFor>[1] = {}) {
  const person = await site.person()
  const browser = await site.signedIn(person)
  const address = addressFor(app, more)
  return { person, browser, address, page: await browser.open(address) }
}

const codes = async (user: Id<'user'>) =>
  site.db.sql<{ scopes: string[] }>('select scopes from test.authorization_codes where user_id = $1', [user])

describe('GET /oauth/authorize', () => {
  test('303 to the sign-in page, which returns to this request', async () => {
    const app = await anAskingApp(site)
    const address = addressFor(app)
    const { status, location } = await site.browser().open(address)
    expect(status).toBe(303)
    const url = new URL(String(location), site.url)
    expect(url.pathname).toBe('/sign-in')
    expect(url.searchParams.get('return_to')).toBe(address)
  })

  test('shows the app’s name, its organization, and the site to which the person returns', async () => {
    const organization = await anOrganization(site.db, { name: 'Fieldbook Inc.' })
    const { page } = await asked(await anAskingApp(site, { organization }))
    expect(page.status).toBe(200)
    expect(page.text).toContain('<h1>Connect <bdi>Fieldbook CRM</bdi> to your account?</h1>')
    expect(page.text).toContain('by <bdi>Fieldbook Inc.</bdi>')
    expect(page.text).toContain('You will return to <strong>app.fieldbook.example</strong>')
  })

  test('shows the signed-in person, with a button to switch accounts', async () => {
    const { page, browser, address } = await asked(await anAskingApp(site))
    expect(page.text).toContain('Signed in as <strong><bdi>Ada Lovelace</bdi></strong>')
    expect(page.text).toContain('Not you?')
    const out = await browser.submit('/sign-out', { return_to: address })
    expect(out.location).toBe(`/sign-in?return_to=${encodeURIComponent(address)}`)
    const { status, location } = await browser.open(address)
    expect([status, location]).toEqual([303, `/sign-in?return_to=${encodeURIComponent(address)}`])
  })

  test('shows each scope with a sentence and its own switch; for a sensitive scope, the data that becomes visible', async () => {
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

  test('shows what the app can never do, how long the connection lasts, where to end it, and a button that names the app', async () => {
    const { page } = await asked(await anAskingApp(site))
    expect(page.text).toContain('Invest, sign, or move money for you.')
    expect(page.text).toContain('It stays connected until you disconnect it')
    expect(page.text).toContain('<a href="/settings/apps">Connected apps</a>')
    expect(page.text).toContain('value="connect">Connect Fieldbook CRM</button>')
    expect(page.text).toContain('value="cancel">Cancel</button>')
  })

  test('asks for read:profile if the app requests no scope', async () => {
    const { page } = await asked(await anAskingApp(site, { scopes: [] }), { scope: undefined })
    expect(page.text.match(/name="scope"/g)).toHaveLength(1)
    expect(page.text).toContain('value="read:profile"')
  })

  test('warns everyone outside the app’s team when the platform has not reviewed the app', async () => {
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

  test('offers investor PII only if the app is approved for it', async () => {
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

  test('offers full attribution to every person if the app declares it', async () => {
    const full = 'read:attribution:full'
    const app = await anAskingApp(site, { scopes: ['read:companies', full] })
    expect((await asked(app, { scope: full })).page.text).toContain(`value="${full}"`)
  })

  test('invalid_scope, not access_denied, if the app requests only investor PII and the person cannot grant it', async () => {
    const organization = await anOrganization(site.db)
    const app = await anAskingApp(site, { organization })
    const { page, person, browser, address } = await asked(app, { scope: 'read:investors:pii' })
    expect([page.status, parametersIn(page.location)]).toMatchObject([
      303,
      { error: 'invalid_scope', error_description: expect.stringContaining('approves the app for investor PII') },
    ])
    await aMember(site.db, { organization, account: person.account })
    expect((await browser.open(address)).text).toContain('value="read:investors:pii"')
  })

  test('shows no switch for read:public, because every app has it', async () => {
    const { page } = await asked(await anAskingApp(site), { scope: 'read:public read:profile' })
    expect(page.text).not.toContain('value="read:public"')
    expect(page.text).toContain('See the offerings and companies that everybody can see. Every app can.')
  })

  test('marks the sandbox, but not the live world', async () => {
    expect((await asked(await anAskingApp(site))).page.text).toContain('<strong>Sandbox.</strong>')
    const live = await asked(await anAskingApp(site, { world: 'live' }))
    expect(live.page.text).not.toContain('Sandbox')
  })

  test('shows markup in names as text, and has no script', async () => {
    const organization = await anOrganization(site.db, { name: 'Wefunder <b>Support</b>' })
    const app = await anAskingApp(site, { name: '"><img src=x onerror=alert(1)>', organization })
    const { page } = await asked(app)
    expect(page.text).not.toContain('<img src=x')
    expect(page.text).not.toContain('<b>Support')
    expect(page.text).not.toContain('<script')
    const policy = String(page.headers.get('content-security-policy'))
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toContain('script-src')
  })

  test('allows its form to redirect to the app’s redirect URI, for browsers that apply form-action to redirects', async () => {
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

  test('shows that a new decision replaces an earlier connection of the app, if there is one', async () => {
    const app = await anAskingApp(site)
    const { browser, address, page } = await asked(app)
    expect(page.text).not.toContain('replaces')
    await agree(browser, address, ['read:profile'])
    expect((await browser.open(address)).text).toContain(
      'If you choose differently now, the new choice replaces the earlier one',
    )
  })
})

describe('400 with our own page, because the redirect URI is not trusted, for', () => {
  test.each([
    ['no client id', { client_id: undefined }, 'This link is not complete'],
    ['a request that is too long for the sign-in page', { nonce: 'x'.repeat(8_000) }, 'This link is too long'],
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

describe('303 to the app with the error, before the person has to sign in, for', () => {
  test.each([
    ['a scope that the app does not declare', { scope: 'read:syndicates' }, 'invalid_scope'],
    ['no PKCE', { code_challenge: undefined }, 'invalid_request'],
  ])('%s', async (_, more, error) => {
    const app = await anAskingApp(site)
    const { status, location } = await site.browser().open(addressFor(app, more))
    expect(status).toBe(303)
    expect(parametersIn(location)).toMatchObject({ error, state: 'st&te', iss: site.url })
  })
})

describe('403 for a person without an active user in the app’s world', () => {
  test('if they have no user in that world; the app receives nothing', async () => {
    const person = await site.person(['live'])
    const app = await anAskingApp(site)
    const browser = await site.signedIn(person)
    const { status, text, location } = await browser.open(addressFor(app))
    expect([status, location]).toEqual([403, null])
    expect(text).toContain('has nothing in the sandbox that an app could be connected to')
  })

  test('if the user was deactivated, before or after the page was shown', async () => {
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
