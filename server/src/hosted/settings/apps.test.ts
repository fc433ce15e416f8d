import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CONDITIONS_VERSION } from '#access/apps/index.ts'
import { openSite, type Site } from '#access/installations/testing/site.ts'
import type { OrganizationRole } from '#access/organizations/index.ts'
import type { FormFields } from '#http/testing/browser.ts'
import { type Id, newId } from '#kernel/ids.ts'
import { digestOf } from '#system/crypto/secret.ts'
import { aKey, aMember, anApp, anOrganization } from '#test/apps.ts'
import { settingsRoutes } from './http.ts'

let site: Site
beforeAll(async () => {
  site = await openSite((deps) =>
    settingsRoutes({ ...deps, platformNames: 'wefunder', mails: null, onDeleted: [], onRevoked: [] }),
  )
})
afterAll(() => site.close())

async function seated(organization: Id<'organization'> | null, role: OrganizationRole = 'developer') {
  const person = await site.person([])
  if (organization !== null) await aMember(site.db, { organization, role, account: person.account })
  const browser = await site.signedIn(person)
  await browser.open('/settings')
  return { ...person, browser }
}

async function stage(role: OrganizationRole = 'developer') {
  const organization = await anOrganization(site.db, { name: 'Acme' })
  const app = await anApp(site.db, { organization, name: 'Deal Desk' })
  const { browser, account } = await seated(organization, role)
  return { organization, app, browser, account, at: `/settings/organizations/${organization}/apps/${app}` }
}

const SERVER_KEY: FormFields = { name: 'Server', mode: 'test', client_type: 'confidential', redirect_uris: '' }

const secretIn = (text: string) => /sk_(?:test|live)_[\w-]+/.exec(text)?.[0] ?? ''
const isInForce = async (secret: string) =>
  (await site.db.sql('select 1 from platform.app_secrets where hash = $1', [digestOf(secret)])).length === 1
const keysOf = (app: string) =>
  site.db.sql<{ id: string; state: string }>('select id, state from platform.app_keys where app_id = $1', [app])

describe('creating an app', () => {
  test('a developer can create an app; the app’s page shows the selected scopes and asks for a key next', async () => {
    const organization = await anOrganization(site.db, { name: 'Acme' })
    const { browser } = await seated(organization)
    const form = await browser.open(`/settings/organizations/${organization}/apps/new`)
    expect(form.status).toBe(200)
    expect(form.text).toContain('See your investments, reservations and portfolio')
    const seen = await browser.submit(`/settings/organizations/${organization}/apps`, {
      ...{ name: 'Deal Desk', description: 'Keeps deals.', website_url: '', accepted_conditions: CONDITIONS_VERSION },
      scopes: ['read:profile', 'read:investments'],
    })
    expect(seen.status).toBe(303)
    const page = await browser.open(seen.location ?? '')
    expect(page.text).toContain('Create a key next')
    expect(page.text).toContain('read:investments')
    expect(page.text).toContain('No keys yet')
  })

  test.each([
    ['no name', { name: '' }, 'Name is required.'],
    ['a malformed website', { website_url: 'ftp://x' }, 'Website must be an absolute URL in plain ASCII.'],
    ['conditions that were not accepted', { accepted_conditions: '' }, 'Accepting the usage conditions is required.'],
    ['the platform’s name', { name: 'Wefunder App' }, 'Name must not begin with the platform’s own name.'],
  ])('422 for %s: the form shows the error and the input', async (_, wrong, message) => {
    const organization = await anOrganization(site.db)
    const { browser } = await seated(organization)
    const { status, text } = await browser.submit(`/settings/organizations/${organization}/apps`, {
      ...{ name: 'Deal Desk', description: 'Kept text.', accepted_conditions: CONDITIONS_VERSION },
      scopes: 'read:profile',
      ...wrong,
    })
    expect(status).toBe(422)
    expect(text).toContain(message)
    expect(text).toContain('Kept text.')
    expect(text).toContain('value="read:profile" checked')
  })

  test('422 for a scope that cannot be selected', async () => {
    const organization = await anOrganization(site.db)
    const { browser } = await seated(organization)
    const { status, text } = await browser.submit(`/settings/organizations/${organization}/apps`, {
      ...{ name: 'Deal Desk', accepted_conditions: CONDITIONS_VERSION, scopes: 'write:investments' },
    })
    expect(status).toBe(422)
    expect(text).toContain('write:investments cannot be selected')
  })
})

describe('a key', () => {
  test('one response contains the key’s secret, no cache stores that response, and no later page contains the secret', async () => {
    const { browser, at, app } = await stage()
    const made = await browser.submit(`${at}/keys`, SERVER_KEY)
    const secret = secretIn(made.text)
    expect(made.status).toBe(200)
    expect(made.headers.get('cache-control')).toBe('no-store')
    expect(made.text).toContain('It is shown only once')
    expect(await isInForce(secret)).toBe(true)
    const [key] = await keysOf(app)
    expect(made.text).toContain(`curl -u '${key?.id}:${secret}' ${site.url}/oauth/token`)
    const page = await browser.open(at)
    expect(page.text).toContain(key?.id ?? '')
    expect(page.text).not.toContain('sk_')
  })

  test('a public key has no secret', async () => {
    const { browser, at } = await stage()
    const uri = 'com.example.app:/done'
    const made = await browser.submit(`${at}/keys`, { ...SERVER_KEY, client_type: 'public', redirect_uris: uri })
    expect(made.location).toBe(`${at}?done=key`)
    expect((await browser.open(made.location ?? '')).text).toContain(uri)
  })

  test('may have several redirect URIs, one per line; 422 for a malformed one, and no key is created', async () => {
    const { browser, at, app } = await stage()
    const good = ['https://app.example.com/callback', 'http://localhost:3000/callback']
    expect((await browser.submit(`${at}/keys`, { ...SERVER_KEY, redirect_uris: good.join('\r\n') })).status).toBe(200)
    const bad = await browser.submit(`${at}/keys`, { ...SERVER_KEY, redirect_uris: 'http://app.example.com/' })
    expect(bad.status).toBe(422)
    expect(bad.text).toContain('A redirect URI must begin with https:// unless it is loopback.')
    expect(await keysOf(app)).toHaveLength(1)
  })

  test('rotating shows a new secret; the previous secret still works', async () => {
    const { browser, at, app } = await stage()
    const key = await aKey(site.db, app)
    const seen = await browser.submit(`${at}/keys/${key.clientId}/rotate`, {})
    const secret = secretIn(seen.text)
    expect([seen.status, secret === key.secret]).toEqual([200, false])
    expect([await isInForce(secret), await isInForce(key.secret)]).toEqual([true, true])
    expect((await browser.open(at)).text).toContain('The previous secret works until')
  })

  test('after ten concurrent rotations two secrets work', async () => {
    const { browser, at, app } = await stage()
    const key = await aKey(site.db, app)
    const all = await Promise.all(
      Array.from({ length: 10 }, () => browser.submit(`${at}/keys/${key.clientId}/rotate`, {})),
    )
    expect(all.map(({ status }) => status)).toEqual(Array(10).fill(200))
    const working = await Promise.all(all.map(({ text }) => isInForce(secretIn(text))))
    expect(working.filter(Boolean)).toHaveLength(2)
  })

  test('a revoked key cannot be rotated', async () => {
    const { browser, at, app } = await stage()
    const key = await aKey(site.db, app)
    expect((await browser.submit(`${at}/keys/${key.clientId}/revoke`, {})).status).toBe(303)
    expect(await keysOf(app)).toMatchObject([{ state: 'revoked' }])
    const again = await browser.submit(`${at}/keys/${key.clientId}/rotate`, {})
    expect(again.status).toBe(409)
    expect(again.text).toContain('This key is revoked, which is final.')
  })
})

describe('deleting an app', () => {
  test('an admin deletes the app by typing its name; a text that is not its name gets 422', async () => {
    const { browser, at, organization } = await stage('admin')
    const wrong = await browser.submit(`${at}/delete`, { confirmation: 'deal desk' })
    expect(wrong.status).toBe(422)
    expect(wrong.text).toContain('What you typed is not the name of the app.')
    const seen = await browser.submit(`${at}/delete`, { confirmation: 'Deal Desk' })
    expect(seen.location).toBe(`/settings/organizations/${organization}?done=app_deleted`)
    expect((await browser.open(at)).status).toBe(404)
  })

  test('403 for a developer', async () => {
    const { browser, at } = await stage('developer')
    expect((await browser.submit(`${at}/delete`, { confirmation: 'Deal Desk' })).status).toBe(403)
  })

  test('an app that was used with live data cannot be deleted', async () => {
    const { browser, at, app } = await stage('owner')
    await site.db.sql('update platform.apps set first_live_token_at = clock_timestamp() where id = $1', [app])
    expect((await browser.open(at)).text).not.toContain('Delete this app')
    const seen = await browser.submit(`${at}/delete`, { confirmation: 'Deal Desk' })
    expect(seen.status).toBe(409)
    expect(seen.text).toContain('it cannot be deleted')
  })
})

describe('another organization’s app', () => {
  test('404 on every page and form, also under the address of the person’s own organization, and nothing changes', async () => {
    const theirs = await stage('owner')
    const key = await aKey(site.db, theirs.app)
    const own = await anOrganization(site.db)
    const { browser } = await seated(own, 'owner')
    for (const at of [theirs.at, `/settings/organizations/${own}/apps/${theirs.app}`]) {
      expect((await browser.open(at)).status).toBe(404)
      for (const [path, fields] of Object.entries({
        keys: SERVER_KEY,
        [`keys/${key.clientId}/rotate`]: {},
        [`keys/${key.clientId}/revoke`]: {},
        delete: { confirmation: 'Deal Desk' },
      })) {
        expect((await browser.submit(`${at}/${path}`, fields)).status, path).toBe(404)
      }
    }
    expect(await keysOf(theirs.app)).toMatchObject([{ id: key.clientId, state: 'active' }])
  })

  test('404 under the address of another organization, even for a member of both organizations', async () => {
    const { app, browser, account } = await stage('owner')
    const other = await anOrganization(site.db)
    await aMember(site.db, { organization: other, role: 'owner', account })
    expect((await browser.open(`/settings/organizations/${other}/apps/${app}`)).status).toBe(404)
    expect((await browser.submit(`/settings/organizations/${other}/apps/${app}/keys`, SERVER_KEY)).status).toBe(404)
  })

  test('303 to the sign-in page for a signed-out person; 404 for an invalid id', async () => {
    const { at } = await stage()
    expect((await site.browser().open(at)).status).toBe(303)
    const { browser } = await seated(null)
    expect((await browser.open(`/settings/organizations/x/apps/${newId('app')}`)).status).toBe(404)
  })
})

describe('without a recent proof of identity', () => {
  test('no form creates a secret or deletes anything; the person confirms who they are and returns to the page of the form', async () => {
    const { browser, at, app, account } = await stage('owner')
    const key = await aKey(site.db, app)
    await site.db.sql("update platform.sign_in_sessions set proven_at = '-infinity' where account_id = $1", [account])
    expect((await browser.open(at)).status).toBe(200)
    for (const [path, fields] of Object.entries({
      keys: SERVER_KEY,
      [`keys/${key.clientId}/rotate`]: {},
      delete: { confirmation: 'Deal Desk' },
    })) {
      const seen = await browser.submit(`${at}/${path}`, fields)
      const back = new URL(seen.location ?? '', site.url).searchParams.get('return_to')
      expect([path, seen.status, back]).toEqual([path, 307, `${at}/${path}`])
      expect((await browser.open(back ?? '')).location).toBe(at)
    }
    expect(await keysOf(app)).toEqual([{ id: key.clientId, state: 'active' }])
    expect(await isInForce(key.secret)).toBe(true)
  })
})
