import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSite, type Site, type SitePerson } from '#access/installations/testing/site.ts'
import type { OrganizationRole } from '#access/organizations/index.ts'
import type { TestBrowser } from '#http/testing/browser.ts'
import { type Id, newId } from '#kernel/ids.ts'
import { aMember, anApp, anOrganization } from '#test/apps.ts'
import { settingsRoutes } from './http.ts'

let site: Site
beforeAll(async () => {
  site = await openSite((deps) =>
    settingsRoutes({ ...deps, platformNames: 'wefunder', mails: null, onDeleted: [], onRevoked: [] }),
  )
})
afterAll(() => site.close())

const ORGANIZATIONS = '/settings/organizations'

async function browserOf(person: SitePerson): Promise<TestBrowser> {
  const browser = await site.signedIn(person)
  await browser.open('/settings')
  return browser
}

/** A person on a team, with a browser. */
async function seated(organization: Id<'organization'>, role: OrganizationRole, name?: string) {
  const person = await site.person([], name)
  await aMember(site.db, { organization, role, account: person.account })
  return { ...person, browser: await browserOf(person) }
}

async function stranger() {
  return browserOf(await site.person([]))
}

const roleIn = async (organization: string, account: string) => {
  const [row] = await site.db.sql<{ role: string }>(
    'select role from platform.organization_members where organization_id = $1 and account_id = $2',
    [organization, account],
  )
  return row?.role ?? null
}

const emailOf = async ({ account }: SitePerson) => {
  const [row] = await site.db.sql<{ email: string }>('select email from platform.accounts where id = $1', [account])
  return row?.email ?? ''
}

async function invite(browser: TestBrowser, organization: string, email: string, role = 'developer') {
  return browser.submit(`${ORGANIZATIONS}/${organization}/invite`, { email, role })
}

describe('GET /settings/organizations', () => {
  test('303 to the sign-in page without sign-in, with this page as the address to return to', async () => {
    const seen = await site.browser().open(ORGANIZATIONS)
    expect([seen.status, seen.location]).toEqual([303, '/sign-in?return_to=%2Fsettings%2Forganizations'])
  })

  test('shows the first step if the person has no organization', async () => {
    const { status, text } = await (await stranger()).open(ORGANIZATIONS)
    expect(status).toBe(200)
    expect(text).toContain('You are in no organization yet')
    expect(text).toContain('Create organization')
  })

  test('lists only the person’s own organizations, with the person’s role', async () => {
    const mine = await anOrganization(site.db, { name: 'Acme <b>Labs</b>' })
    await anOrganization(site.db, { name: 'Elsewhere' })
    const { browser } = await seated(mine, 'admin')
    const { text } = await browser.open(ORGANIZATIONS)
    expect(text).toContain('Acme &lt;b&gt;Labs&lt;/b&gt;')
    expect(text).toContain('Admin')
    expect(text).toContain(`href="${ORGANIZATIONS}/${mine}"`)
    expect(text).not.toContain('Elsewhere')
  })
})

describe('POST /settings/organizations', () => {
  test('creates an organization that the person owns, and redirects to it', async () => {
    const person = await site.person([])
    const browser = await browserOf(person)
    const seen = await browser.submit(ORGANIZATIONS, { name: 'Acme' })
    const [, id = ''] = /^\/settings\/organizations\/(org_\w+)\?done=created$/.exec(seen.location ?? '') ?? []
    expect(seen.status).toBe(303)
    expect(await roleIn(id, person.account)).toBe('owner')
    expect((await browser.open(seen.location ?? '')).text).toContain('Your organization is created')
  })

  test.each([
    ['nothing', '', 'Name is required.'],
    ['two lines', 'A\nB', 'Name does not have the right form.'],
    ['too much', 'x'.repeat(201), 'Name must have at most 200 characters.'],
    ['the platform’s own name', 'Wefunder Support', 'Name must not begin with the platform’s own name.'],
  ])('422 for %s: only the field shows the error, and the input stays', async (_, name, message) => {
    const { status, text } = await (await stranger()).submit(ORGANIZATIONS, { name })
    expect(status).toBe(422)
    expect(text.split(message)).toHaveLength(2)
    expect(text).toContain(`id="field-name-error">${message}`)
    if (name.length > 0 && !name.includes('\n')) expect(text).toContain(`value="${name}"`)
  })

  test('403 for the twenty-first organization of one owner', async () => {
    const person = await site.person([])
    for (let i = 0; i < 20; i++) {
      await aMember(site.db, { organization: await anOrganization(site.db), account: person.account })
    }
    const { status, text } = await (await browserOf(person)).submit(ORGANIZATIONS, { name: 'One more' })
    expect(status).toBe(403)
    expect(text).toContain('You own 20 organizations, which is as many as one person can.')
  })

  test('403 without this browser’s token, and nothing is created', async () => {
    const person = await site.person([])
    const seen = await (await browserOf(person)).submit(ORGANIZATIONS, { name: 'Forged', csrf: 'x' })
    expect(seen.status).toBe(403)
    expect(await site.db.sql('select 1 from platform.organizations where name = $1', ['Forged'])).toEqual([])
  })

  test('303 to the sign-in page for a signed-out person, and nothing changes', async () => {
    const browser = site.browser()
    await browser.open('/sign-in')
    const seen = await browser.submit(ORGANIZATIONS, { name: 'Nobody’s' })
    expect([seen.status, seen.location]).toEqual([303, '/sign-in?return_to=%2Fsettings%2Forganizations'])
    expect(await site.db.sql('select 1 from platform.organizations where name = $1', ['Nobody’s'])).toEqual([])
  })
})

describe('GET /settings/organizations/{id}', () => {
  test('shows the team with roles, the open invitations and the apps to every role', async () => {
    const organization = await anOrganization(site.db, { name: 'Acme' })
    const owner = await seated(organization, 'owner', 'Olive Owner')
    const developer = await seated(organization, 'developer', 'Dev Eloper')
    const app = await anApp(site.db, { organization, name: 'Deal Desk' })
    await invite(owner.browser, organization, 'new@example.org')
    for (const { browser } of [owner, developer]) {
      const { status, text } = await browser.open(`${ORGANIZATIONS}/${organization}`)
      expect(status).toBe(200)
      for (const shown of ['Olive Owner', 'Dev Eloper', 'new@example.org', 'Deal Desk', `/apps/${app}`]) {
        expect(text).toContain(shown)
      }
    }
  })

  test('shows more than 200 apps on several pages, the newest on the last page', async () => {
    const organization = await anOrganization(site.db)
    const { browser } = await seated(organization, 'developer')
    const first = await anApp(site.db, { organization, name: 'The oldest', state: 'disabled' })
    await site.db.sql(
      `insert into platform.apps (id, organization_id, name, api_version, scopes, disabled_at, conditions_version,
                                  conditions_accepted_by)
       select 'app_' || overlay(substr(id, 5) placing lpad(place::text, 4, '0') from 21), organization_id, 'In between',
              api_version, scopes, disabled_at, conditions_version, conditions_accepted_by
         from platform.apps, generate_series(1, 199) as place where id = $1`,
      [first],
    )
    await anApp(site.db, { organization, name: 'The newest' })
    const start = await browser.open(`${ORGANIZATIONS}/${organization}`)
    expect([start.text.includes('The oldest'), start.text.includes('The newest')]).toEqual([true, false])
    const more = /href="([^"]+\?apps_after=app_\w+)">More apps/.exec(start.text)?.[1] ?? ''
    const rest = await browser.open(more)
    expect([rest.text.includes('The oldest'), rest.text.includes('The newest')]).toEqual([false, true])
    expect(rest.text).toContain('First apps')
    expect(rest.text).not.toContain('More apps')
    expect((await browser.open(`${ORGANIZATIONS}/${organization}?apps_after=%00`)).status).toBeLessThan(500)
  })

  test('has only the forms that the person’s role allows', async () => {
    const organization = await anOrganization(site.db)
    const [owner, developer] = [await seated(organization, 'owner'), await seated(organization, 'developer')]
    const seen = async (browser: TestBrowser) => (await browser.open(`${ORGANIZATIONS}/${organization}`)).text
    const ofOwner = await seen(owner.browser)
    const ofDeveloper = await seen(developer.browser)
    for (const path of ['/invite', '/rename', `/members/${developer.account}/role`]) {
      expect(ofOwner).toContain(`${ORGANIZATIONS}/${organization}${path}`)
      expect(ofDeveloper).not.toContain(`${ORGANIZATIONS}/${organization}${path}`)
    }
    expect(ofDeveloper).toContain('Leave this organization')
    expect(ofDeveloper).toContain('Create an app')
  })

  test('the same 404 for a stranger, for a removed member, and for an unknown organization', async () => {
    const organization = await anOrganization(site.db)
    const [owner, former] = [await seated(organization, 'owner'), await seated(organization, 'developer')]
    await owner.browser.submit(`${ORGANIZATIONS}/${organization}/members/${former.account}/remove`, {})
    const responses = [
      await (await stranger()).open(`${ORGANIZATIONS}/${organization}`),
      await former.browser.open(`${ORGANIZATIONS}/${organization}`),
      await former.browser.open(`${ORGANIZATIONS}/${newId('organization')}`),
    ]
    const shown = responses.map(({ status, text }) => [status, text.replace(/req_\w+/g, '')])
    expect(shown.map(([status]) => status)).toEqual([404, 404, 404])
    expect(new Set(shown.map(([, text]) => text)).size).toBe(1)
  })
})

describe('every form of an organization', () => {
  const FORMS = (member: string) => ({
    rename: { name: 'Taken over' },
    invite: { email: 'friend@example.org', role: 'owner' },
    [`members/${member}/role`]: { role: 'developer' },
    [`members/${member}/remove`]: {},
    apps: { name: 'Mine now', accepted_conditions: '2026-11-01' },
  })

  test('404 for a stranger and for a member who was removed, and nothing changes', async () => {
    const organization = await anOrganization(site.db, { name: 'Quiet' })
    const owner = await seated(organization, 'owner')
    const former = await seated(organization, 'admin')
    await owner.browser.submit(`${ORGANIZATIONS}/${organization}/members/${former.account}/remove`, {})
    for (const browser of [await stranger(), former.browser]) {
      for (const [path, fields] of Object.entries(FORMS(owner.account))) {
        expect((await browser.submit(`${ORGANIZATIONS}/${organization}/${path}`, fields)).status, path).toBe(404)
      }
    }
    const { text } = await owner.browser.open(`${ORGANIZATIONS}/${organization}`)
    expect(text).toContain('Quiet')
    expect(text).not.toContain('friend@example.org')
    expect(text).toContain('No apps yet')
    expect(await roleIn(organization, owner.account)).toBe('owner')
  })

  test('403 for a developer on forms for owners and admins, with the reason on the page; nothing changes', async () => {
    const organization = await anOrganization(site.db, { name: 'Quiet' })
    const owner = await seated(organization, 'owner')
    const { browser } = await seated(organization, 'developer')
    const { apps: _, ...managed } = FORMS(owner.account)
    for (const [path, fields] of Object.entries(managed)) {
      const { status, text } = await browser.submit(`${ORGANIZATIONS}/${organization}/${path}`, fields)
      expect([path, status]).toEqual([path, 403])
      expect(text).toContain('Your role in this organization (developer)')
    }
    expect(await roleIn(organization, owner.account)).toBe('owner')
  })

  test('303 to the sign-in page for a disabled account, and nothing changes', async () => {
    const organization = await anOrganization(site.db)
    const owner = await seated(organization, 'owner')
    await site.db.sql('update platform.accounts set disabled_at = clock_timestamp() where id = $1', [owner.account])
    for (const [path, fields] of Object.entries(FORMS(owner.account))) {
      expect((await owner.browser.submit(`${ORGANIZATIONS}/${organization}/${path}`, fields)).status).toBe(303)
    }
    expect(await site.db.sql('select 1 from platform.apps where organization_id = $1', [organization])).toEqual([])
  })

  test('409 for an invitation to an organization that the platform ended', async () => {
    const organization = await anOrganization(site.db)
    const { browser } = await seated(organization, 'owner')
    await site.db.sql("update platform.organizations set state = 'ended', ended_at = clock_timestamp() where id = $1", [
      organization,
    ])
    const { status, text } = await invite(browser, organization, 'late@example.org')
    expect(status).toBe(409)
    expect(text).toContain('It can no longer be changed.')
  })
})

describe('the team', () => {
  test('a person who is invited by address and accepts is on the team', async () => {
    const organization = await anOrganization(site.db, { name: 'Acme' })
    const owner = await seated(organization, 'owner')
    const asked = await site.person([])
    expect((await invite(owner.browser, organization, await emailOf(asked), 'admin')).status).toBe(303)
    const browser = await browserOf(asked)
    expect((await browser.open(ORGANIZATIONS)).text).toContain('Join <bdi>Acme</bdi> as admin?')
    const seen = await browser.submit(`${ORGANIZATIONS}/${organization}/accept`, {})
    expect(seen.location).toBe(`${ORGANIZATIONS}/${organization}?done=joined`)
    expect(await roleIn(organization, asked.account)).toBe('admin')
    expect((await browser.submit(`${ORGANIZATIONS}/${organization}/accept`, {})).status).toBe(404)
  })

  test('only the invited person can accept an invitation, and only until it is withdrawn; the person can also decline', async () => {
    const organization = await anOrganization(site.db)
    const owner = await seated(organization, 'owner')
    const asked = await site.person([])
    const email = await emailOf(asked)
    await invite(owner.browser, organization, email)
    expect((await (await stranger()).submit(`${ORGANIZATIONS}/${organization}/accept`, {})).status).toBe(404)
    const { text } = await owner.browser.open(`${ORGANIZATIONS}/${organization}`)
    const [withdraw = ''] = /\/settings\/organizations\/\w+\/invitations\/\w+\/withdraw/.exec(text) ?? []
    expect((await owner.browser.submit(withdraw, {})).status).toBe(303)
    const browser = await browserOf(asked)
    expect((await browser.submit(`${ORGANIZATIONS}/${organization}/accept`, {})).status).toBe(404)
    await invite(owner.browser, organization, email)
    expect((await browser.submit(`${ORGANIZATIONS}/${organization}/decline`, {})).status).toBe(303)
    expect(await roleIn(organization, asked.account)).toBeNull()
  })

  test('ten concurrent acceptances make one member', async () => {
    const organization = await anOrganization(site.db)
    const owner = await seated(organization, 'owner')
    const asked = await site.person([])
    await invite(owner.browser, organization, await emailOf(asked))
    const browser = await browserOf(asked)
    const tries = Array.from({ length: 10 }, () => browser.submit(`${ORGANIZATIONS}/${organization}/accept`, {}))
    const statuses = (await Promise.all(tries)).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([303, ...Array(9).fill(404)])
  })

  test('the last owner can neither leave nor be demoted; if ten owners leave at once, one stays', async () => {
    const organization = await anOrganization(site.db)
    const owner = await seated(organization, 'owner')
    const at = (account: string) => `${ORGANIZATIONS}/${organization}/members/${account}`
    for (const [path, fields] of [
      ['remove', {}],
      ['role', { role: 'admin' }],
    ] as const) {
      const { status, text } = await owner.browser.submit(`${at(owner.account)}/${path}`, fields)
      expect(status).toBe(409)
      expect(text).toContain('an organization always has one')
    }
    const others = await Promise.all(Array.from({ length: 9 }, () => seated(organization, 'owner')))
    const leaving = [owner, ...others].map(({ account, browser }) => browser.submit(`${at(account)}/remove`, {}))
    const statuses = (await Promise.all(leaving)).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([...Array(9).fill(303), 409])
  })

  test('422 for an invalid address, with the error at the field', async () => {
    const organization = await anOrganization(site.db)
    const { browser } = await seated(organization, 'owner')
    const { status, text } = await invite(browser, organization, 'nowhere')
    expect(status).toBe(422)
    expect(text).toContain('id="field-email-error">Email does not have the right form.')
  })
})
