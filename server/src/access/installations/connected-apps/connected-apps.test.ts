import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Id, newId } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import { anApp, anOrganization, type MadeUpApp } from '#test/apps.ts'
import { makeConnection } from '#test/installations.ts'
import { findInstallations } from '../store.ts'
import { openSite, type Site, type SitePerson, userIn } from '../testing/site.ts'
import { giveTokens, tokensOf } from '../testing/tokens.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

type Made = MadeUpApp & { readonly world?: World; readonly organizationName?: string }

async function connected(person: SitePerson, { world = 'test', organizationName = 'Partner', ...made }: Made = {}) {
  const { db } = site
  const organization = await anOrganization(db, { name: organizationName })
  const appId = await anApp(db, { scopes: ['read:profile', 'read:investments'], ...made, organization })
  const scopes = made.scopes ?? ['read:profile']
  return db.databases[world].transaction((tx) => makeConnection(tx, { appId, userId: userIn(person, world), scopes }))
}

const pathOf = (id: string) => `/settings/apps/${id}/disconnect`
const stateOf = async (id: Id<'installation'>, world: World = 'test') =>
  (await findInstallations(site.db.databases[world].reads, [id]))[0]?.state

describe('GET /settings/apps', () => {
  test('303 to the sign-in page for a signed-out person, who returns to this page after signing in', async () => {
    const seen = await site.browser().open('/settings/apps')
    expect([seen.status, seen.location]).toEqual([303, '/sign-in?return_to=%2Fsettings%2Fapps'])
  })

  test('for a person without a connection, describes what the page will list later', async () => {
    const browser = await site.signedIn(await site.person())
    const { status, text } = await browser.open('/settings/apps')
    expect(status).toBe(200)
    expect(text).toContain('Nothing is connected')
    expect(text).toContain('When an app asks to connect to your account and you agree, it appears here')
  })

  test('lists each app with its organization, its rights in plain words, its date, and a link to disconnect it', async () => {
    const person = await site.person()
    const made = await connected(person, {
      name: 'Fieldbook CRM',
      organizationName: 'Fieldbook Inc.',
      scopes: ['read:profile', 'read:investments'],
    })
    const { text } = await (await site.signedIn(person)).open('/settings/apps')
    expect(text).toContain('Fieldbook CRM')
    expect(text).toContain('Fieldbook Inc.')
    expect(text).toContain('See your name, email address, account status')
    expect(text).toContain('See your investments, reservations and portfolio')
    expect(text).toContain('What you invested or reserved, where and when')
    expect(text).toContain('just now')
    expect(text).toContain(`href="${pathOf(made.id)}" aria-label="Disconnect Fieldbook CRM"`)
    expect(text).not.toContain('read:investments')
  })

  test('shows when the app’s token was last used: never, within the last hour, or how many hours ago', async () => {
    const person = await site.person()
    const made = await connected(person)
    const browser = await site.signedIn(person)
    expect((await browser.open('/settings/apps')).text).toContain('No use recorded yet.')
    const used = (when: string) =>
      site.db.sql(
        `insert into test.installation_uses (installation_id, used_at) values ($1, clock_timestamp() - $2::interval)
         on conflict (installation_id) do update set used_at = excluded.used_at`,
        [made.id, when],
      )
    await used('50 minutes')
    expect((await browser.open('/settings/apps')).text).toContain('Last used within the hour.')
    await used('190 minutes')
    expect((await browser.open('/settings/apps')).text).toMatch(/Last used <time [^>]+>3 hours ago<\/time>\./)
  })

  test('lists connections of both worlds, the connections of the sandbox separately and marked', async () => {
    const person = await site.person()
    await connected(person, { name: 'Played With' })
    await connected(person, { name: 'Earnest', world: 'live' })
    const { text } = await (await site.signedIn(person)).open('/settings/apps')
    const order = ['Earnest', 'In the sandbox', 'Played With'].map((word) => text.indexOf(word))
    expect(order).toEqual([...order].sort((a, b) => a - b))
    expect(order).not.toContain(-1)
  })

  test('lists no connection of another person', async () => {
    const [person, other] = [await site.person(), await site.person()]
    await connected(other, { name: 'Other App' })
    const { text } = await (await site.signedIn(person)).open('/settings/apps')
    expect(text).toContain('Nothing is connected')
  })

  test('lists no connection that has ended', async () => {
    const person = await site.person()
    await connected(person, { name: 'Still Here' })
    const ended = await connected(person, { name: 'Long Gone' })
    const browser = await site.signedIn(person)
    expect((await browser.open('/settings/apps')).text).toContain('Long Gone')
    await browser.open(pathOf(ended.id))
    await browser.submit(pathOf(ended.id), {})
    const { text } = await browser.open('/settings/apps')
    expect(text).toContain('Still Here')
    expect(text).not.toContain('Long Gone')
  })

  test('an app that the platform suspended is shown as unable to act', async () => {
    const person = await site.person()
    await connected(person, { name: 'Stopped', state: 'suspended' })
    const { text } = await (await site.signedIn(person)).open('/settings/apps')
    expect(text).toContain('Wefunder has stopped it: at the moment it can do nothing for you.')
  })

  test('shows markup in a name as text', async () => {
    const person = await site.person()
    await connected(person, { name: '<script>alert(1)</script>' })
    const { text } = await (await site.signedIn(person)).open('/settings/apps')
    expect(text).not.toContain('<script>alert')
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  })
})

describe('GET /settings/apps/{installation}/disconnect', () => {
  test('asks for confirmation, naming the app, in a form that works without scripts', async () => {
    const person = await site.person()
    const made = await connected(person, { name: 'Fieldbook CRM' })
    const { status, text } = await (await site.signedIn(person)).open(pathOf(made.id))
    expect(status).toBe(200)
    expect(text).toContain('Disconnect Fieldbook CRM?')
    expect(text).toMatch(new RegExp(`<form method="post" action="${pathOf(made.id)}"`))
    expect(text).not.toContain('<script')
    expect(await stateOf(made.id)).toBe('active')
  })

  test('404 with the same page for another person’s connection, an unknown connection and an invalid id', async () => {
    const [person, other] = [await site.person(), await site.person()]
    const theirs = await connected(other)
    const browser = await site.signedIn(person)
    const pages = [theirs.id, newId('installation'), 'inst_x'].map((id) => browser.open(pathOf(id)))
    const [one, two, three] = await Promise.all(pages)
    expect([one?.status, two?.status, three?.status]).toEqual([404, 404, 404])
    const without = (text = '') => text.replace(/req_\w+/g, '')
    expect(without(one?.text)).toBe(without(two?.text))
    expect(without(one?.text)).toBe(without(three?.text))
  })
})

describe('POST /settings/apps/{installation}/disconnect', () => {
  test('303 to the list, which confirms the disconnection; the app’s tokens are rejected', async () => {
    const person = await site.person()
    const made = await connected(person, { name: 'Fieldbook CRM' })
    await giveTokens(site.db, made)
    const browser = await site.signedIn(person)
    await browser.open(pathOf(made.id))
    const { status, location } = await browser.submit(pathOf(made.id), {})
    expect([status, location]).toEqual([303, `/settings/apps?disconnected=${made.id}`])
    expect(await stateOf(made.id)).toBe('revoked')
    expect(await tokensOf(site.db, made.id)).toEqual({ access: 'revoked', refresh: 'revoked', code: 'revoked' })
    const { text } = await browser.open(String(location))
    expect(text).toContain('<bdi>Fieldbook CRM</bdi> is disconnected.')
    expect(text).toContain('Nothing is connected')
  })

  test('the app’s history says that the app must delete the user’s data', async () => {
    const person = await site.person()
    const made = await connected(person)
    const browser = await site.signedIn(person)
    await browser.open(pathOf(made.id))
    for (const _ of [1, 2]) await browser.submit(pathOf(made.id), {})
    const entries = await site.db.sql(
      `select details from platform.audit_entries where subject = $1 and action = 'installation.removal_due'`,
      [made.appId],
    )
    const data = [{ kind: 'user_data', scopes: ['read:profile'] }]
    expect(entries).toMatchObject([{ details: { installation: made.id, mode: 'test', data } }])
  })

  test('disconnects a live connection too, and not the same app’s connection in the sandbox', async () => {
    const person = await site.person()
    const made = await connected(person, { world: 'live' })
    const played = await site.db.databases.test.transaction((tx) =>
      makeConnection(tx, { appId: made.appId, userId: userIn(person) }),
    )
    const browser = await site.signedIn(person)
    await browser.open(pathOf(made.id))
    expect((await browser.submit(pathOf(made.id), {})).status).toBe(303)
    expect([await stateOf(made.id, 'live'), await stateOf(played.id)]).toEqual(['revoked', 'active'])
  })

  test('disconnects the app even if the request is repeated or the connection was replaced meanwhile', async () => {
    const person = await site.person()
    const old = await connected(person, { scopes: ['read:profile', 'read:investments'] })
    const browser = await site.signedIn(person)
    await browser.open(pathOf(old.id))
    const now = await site.db.databases.test.transaction((tx) =>
      makeConnection(tx, { appId: old.appId, userId: userIn(person), scopes: ['read:profile'] }),
    )
    for (const _ of [1, 2]) expect((await browser.submit(pathOf(old.id), {})).status).toBe(303)
    expect(await stateOf(now.id)).toBe('revoked')
  })

  test('404 for another person’s connection, which does not change', async () => {
    const [person, other] = [await site.person(), await site.person()]
    const theirs = await connected(other)
    const browser = await site.signedIn(person)
    await browser.open('/settings/apps')
    expect((await browser.submit(pathOf(theirs.id), {})).status).toBe(404)
    expect(await stateOf(theirs.id)).toBe('active')
  })

  test('403 without the CSRF token, or from another site; the app stays connected', async () => {
    const person = await site.person()
    const made = await connected(person)
    const browser = await site.signedIn(person)
    await browser.open(pathOf(made.id))
    expect((await browser.submit(pathOf(made.id), { csrf: 'guessed' })).status).toBe(403)
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    expect((await browser.submit(pathOf(made.id), {}, foreign)).status).toBe(403)
    expect(await stateOf(made.id)).toBe('active')
  })

  test('303 to the sign-in page for a person who has signed out meanwhile; the app stays connected', async () => {
    const person = await site.person()
    const made = await connected(person)
    const browser = await site.signedIn(person)
    await browser.open(pathOf(made.id))
    await site.db.sql('delete from platform.sign_in_sessions where account_id = $1', [person.account])
    const toSignIn = [303, `/sign-in?return_to=${encodeURIComponent(pathOf(made.id))}`]
    const withCookie = await browser.submit(pathOf(made.id), {})
    expect([withCookie.status, withCookie.location]).toEqual(toSignIn)
    browser.cookies.clear()
    const withoutCookie = await browser.submit(pathOf(made.id), {})
    expect([withoutCookie.status, withoutCookie.location]).toEqual(toSignIn)
    expect(await stateOf(made.id)).toBe('active')
  })

  test('303 to the sign-in page if the person’s account was disabled meanwhile; the app stays connected', async () => {
    const person = await site.person()
    const made = await connected(person)
    const browser = await site.signedIn(person)
    await browser.open(pathOf(made.id))
    await site.db.sql('update platform.accounts set disabled_at = now() where id = $1', [person.account])
    const { status, location } = await browser.submit(pathOf(made.id), {})
    expect(status).toBe(303)
    expect(location).toMatch(/^\/sign-in/)
    expect(await stateOf(made.id)).toBe('active')
  })
})
