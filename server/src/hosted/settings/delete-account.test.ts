import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CONDITIONS_VERSION } from '#access/apps/index.ts'
import { findInstallations } from '#access/installations/index.ts'
import { openSite, type Site, type SitePerson, userIn } from '#access/installations/testing/site.ts'
import { giveTokens, tokensOf } from '#access/installations/testing/tokens.ts'
import type { TestBrowser } from '#http/testing/browser.ts'
import { newId } from '#kernel/ids.ts'
import { WORLDS } from '#kernel/world.ts'
import { aMember, anApp, anOrganization } from '#test/apps.ts'
import { makeConnection } from '#test/installations.ts'
import { quickHasher } from '#test/quick-hasher.ts'
import { deleteAccount } from './delete-account.ts'
import { settingsRoutes } from './http.ts'

let site: Site
beforeAll(async () => {
  site = await openSite((deps) =>
    settingsRoutes({ ...deps, platformNames: 'wefunder', mails: null, onDeleted: [], onRevoked: [] }),
  )
})
afterAll(() => site.close())

const DELETE = '/settings/data/delete'
const PASSWORD = 'lantern over a quiet harbour'

const rows = (text: string, ...values: string[]) => site.db.sql<Record<string, unknown>>(text, values)

async function emailOf({ account }: SitePerson): Promise<string> {
  const [row] = await rows('select email from platform.accounts where id = $1', account)
  return String(row?.['email'])
}

async function ready(person: SitePerson): Promise<TestBrowser> {
  const browser = await site.signedIn(person)
  await browser.open(DELETE)
  return browser
}

async function remove(person: SitePerson) {
  const email = await emailOf(person)
  return (await ready(person)).submit(DELETE, { email })
}

type Asked = { readonly organization: string; readonly email: string; readonly by: string }

async function anInvitation({ organization, email, by }: Asked): Promise<void> {
  await rows(
    `insert into platform.organization_invitations (id, organization_id, email, role, invited_by)
     values ($1, $2, lower($3), 'developer', $4)`,
    ...[newId('organizationInvitation'), organization, email, by],
  )
}

/**
 * The columns of the tables from which a deletion removes the account's rows. `TABLES_OF_ACCOUNT` lists those tables that
 * belong to the module of accounts; add a new table of that module to both lists.
 */
const GOES = [
  'account_identities.account_id',
  'account_links.account_id',
  'account_passkeys.account_id',
  'account_recovery_codes.account_id',
  'account_totp.account_id',
  'account_users.account_id',
  'organization_invitations.invited_by',
  'organization_members.account_id',
  'sign_in_devices.account_id',
  'sign_in_sessions.account_id',
]
const STAYS: Readonly<Record<string, string>> = {
  'apps.conditions_accepted_by': 'who accepted the usage conditions for an app, by id',
  'earlier_acceptances.account_id': 'who accepted earlier versions for an app, by id',
}

/** Every column of the database that refers to an account. */
async function references() {
  const found = await rows(
    `select conrelid::regclass::text as table, a.attname as column
       from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
      where c.contype = 'f' and c.confrelid = 'platform.accounts'::regclass`,
  )
  return found.map(({ table, column }) => {
    const name = `${String(table).replace('platform.', '')}.${column}`
    return { table: String(table), column: String(column), name }
  })
}

const isDeleted = async ({ account }: SitePerson) =>
  (await rows('select 1 from platform.accounts where id = $1 and deleted_at is not null', account)).length === 1

describe('GET /settings/data/delete', () => {
  test('303 to the sign-in page without sign-in', async () => {
    expect((await site.browser().open(DELETE)).status).toBe(303)
  })

  test('lists what is deleted, what stays and why, and deletes nothing', async () => {
    const person = await site.person()
    const { status, text } = await (await site.signedIn(person)).open(DELETE)
    expect(status).toBe(200)
    expect(text).toContain('What is deleted')
    expect(text).toContain('What stays, and why')
    expect(await isDeleted(person)).toBe(false)
  })
})

describe('POST /settings/data/delete', () => {
  test('keeps the id of the account and no personal data; every browser is signed out at once', async () => {
    const person = await site.person()
    const email = await emailOf(person)
    const other = await site.signedIn(person)
    const browser = await ready(person)
    const seen = await browser.submit(DELETE, { email: email.toUpperCase() })
    expect(seen.status).toBe(200)
    expect(seen.text).toContain('Your account is deleted')
    expect(browser.cookies.has('portico')).toBe(false)
    expect((await other.open('/settings')).status).toBe(303)
    expect(
      await rows(
        'select email, name, password_hash, disabled_at is not null as off from platform.accounts where id = $1',
        person.account,
      ),
    ).toEqual([
      { email: `${person.account}@deleted.invalid`, name: '[deleted account]', password_hash: null, off: true },
    ])
    for (const { table, column } of (await references()).filter(({ name }) => !(name in STAYS))) {
      expect(await rows(`select 1 from ${table} where ${column} = $1`, person.account), table).toEqual([])
    }
  })

  test('every table that refers to an account loses the account’s rows, or is in a list with the reason why the rows stay', async () => {
    const found = (await references()).map(({ name }) => name)
    expect(found.toSorted()).toEqual([...GOES, ...Object.keys(STAYS)].toSorted())
  })

  test('a mail confirms the deletion, and is the only mail queued for the address', async () => {
    const person = await site.person()
    const email = await emailOf(person)
    await rows('insert into platform.mails (key, recipient, letter) values ($1, $2, $3)', `x/${email}`, email, '{}')
    await remove(person)
    const waiting = await rows(
      'select letter->>$2 as subject from platform.mails where recipient = $1',
      email,
      'subject',
    )
    expect(waiting).toEqual([{ subject: 'Your account is deleted' }])
  })

  test('queued mails are deleted too: invitations that the person sent, and a mail that confirms a new address of the person', async () => {
    const person = await site.person()
    const organization = await anOrganization(site.db)
    await aMember(site.db, { organization })
    const invited = newId('organizationInvitation')
    await rows(
      `insert into platform.organization_invitations (id, organization_id, email, role, invited_by)
       values ($1, $2, 'invited@example.org', 'developer', $3)`,
      ...[invited, organization, person.account],
    )
    const queued = [`team_invitation ${invited}`, `change_email ${person.account} abc`, 'team_invitation of another']
    for (const key of queued) {
      await rows(
        `insert into platform.mails (key, recipient, letter) values ($1, 'invited@example.org', '{}') on conflict do nothing`,
        key,
      )
    }
    expect((await remove(person)).status).toBe(200)
    const left = await rows(
      'select key from platform.mails where key = any (string_to_array($1, $2))',
      queued.join('|'),
      '|',
    )
    expect(left).toEqual([{ key: 'team_invitation of another' }])
  })

  test.each([
    ['https://platform.example/help', 'Contact support'],
    [null, null],
  ])('the mail has a link to the platform’s support page, if there is one: %s', async (support, label) => {
    const person = await site.person()
    const email = await emailOf(person)
    await deleteAccount(site.db.databases.platform, {
      ...{ account: person.account, typed: email, cause: 'req_test', onRevoked: [], support },
    })
    const [mail] = await rows('select letter from platform.mails where recipient = $1', email)
    const letter = mail?.['letter'] as { readonly action?: object }
    expect(letter.action ?? null).toEqual(support && { label, url: support })
    expect(JSON.stringify(letter).includes('support')).toBe(support !== null)
  })

  test('the audit entry has the account’s id as its actor, and no address', async () => {
    const person = await site.person()
    const email = await emailOf(person)
    await remove(person)
    const entries = await rows(
      "select action, details from platform.audit_entries where actor = $1 and action = 'account.deleted'",
      person.account,
    )
    expect(entries).toEqual([{ action: 'account.deleted', details: { organizations: 0, connections: 0 } }])
    expect(await rows("select 1 from platform.audit_entries where details::text like '%' || $1 || '%'", email)).toEqual(
      [],
    )
  })

  test('apps lose their access in both worlds; the users stay, because only the platform erases them', async () => {
    const person = await site.person()
    const appId = await anApp(site.db, { scopes: ['read:profile'] })
    const made = await Promise.all(
      WORLDS.map((world) =>
        site.db.databases[world].transaction((tx) =>
          makeConnection(tx, { appId, userId: userIn(person, world), scopes: ['read:profile'] }),
        ),
      ),
    )
    const [inTest] = made
    if (inTest === undefined) throw new Error('no connection in the test world')
    await giveTokens(site.db, inTest)
    await remove(person)
    for (const [at, world] of WORLDS.entries()) {
      const id = made[at]?.id ?? inTest.id
      expect(await findInstallations(site.db.databases[world].reads, [id])).toMatchObject([
        { state: 'revoked', revokedByRole: 'user' },
      ])
      expect(
        await rows(`select 1 from ${world}.users where id = $1 and name is not null`, userIn(person, world)),
      ).toHaveLength(1)
    }
    expect(await tokensOf(site.db, inTest.id)).toEqual({ access: 'revoked', refresh: 'revoked', code: 'revoked' })
  })

  test('without a recent proof of identity the page and the form first ask for this proof', async () => {
    const person = await site.person()
    const browser = await ready(person)
    await rows("update platform.sign_in_sessions set proven_at = '-infinity' where account_id = $1", person.account)
    const seen = [await browser.open(DELETE), await browser.submit(DELETE, { email: await emailOf(person) })]
    expect(seen.map(({ status }) => status)).toEqual([303, 307])
    for (const { location } of seen) {
      expect(new URL(location ?? '', site.url).searchParams.get('return_to')).toBe(DELETE)
    }
    expect(await isDeleted(person)).toBe(false)
  })

  test('422 for another address, and nothing is deleted', async () => {
    const person = await site.person()
    const { status, text } = await (await ready(person)).submit(DELETE, { email: 'somebody@example.org' })
    expect(status).toBe(422)
    expect(text).toContain('id="field-email-error">What you typed is not the address of your account.')
    expect(await isDeleted(person)).toBe(false)
  })

  test('403 without this browser’s token, 303 for a signed-out person', async () => {
    const person = await site.person()
    const email = await emailOf(person)
    expect((await (await ready(person)).submit(DELETE, { email, csrf: 'x' })).status).toBe(403)
    const stranger = site.browser()
    await stranger.open('/sign-in')
    expect((await stranger.submit(DELETE, { email })).status).toBe(303)
    expect(await isDeleted(person)).toBe(false)
  })

  test('another person can have the address afterwards', async () => {
    const person = await site.person()
    const email = await emailOf(person)
    await remove(person)
    await rows("insert into platform.accounts (id, email, name) values ('acct_' || repeat('z', 24), $1, 'New')", email)
    expect(await rows('select name from platform.accounts where email = $1', email)).toEqual([{ name: 'New' }])
  })
})

describe('the organizations of a person who deletes their account', () => {
  test('the person leaves each team; invitations from the person and to the person are withdrawn', async () => {
    const organization = await anOrganization(site.db)
    await aMember(site.db, { organization, role: 'owner' })
    const person = await site.person([])
    await aMember(site.db, { organization, role: 'owner', account: person.account })
    const email = await emailOf(person)
    const other = await anOrganization(site.db)
    const inviter = await aMember(site.db, { organization: other })
    await anInvitation({ organization, email: 'x@example.org', by: person.account })
    await anInvitation({ organization: other, email, by: inviter })
    expect((await remove(person)).status).toBe(200)
    expect(await rows('select 1 from platform.organization_members where account_id = $1', person.account)).toEqual([])
    const invitations = 'select 1 from platform.organization_invitations where invited_by = $1 or email = lower($2)'
    expect(await rows(invitations, person.account, email)).toEqual([])
  })

  test('409 for the only owner of a team; the page names the team, and nothing is deleted', async () => {
    const organization = await anOrganization(site.db, { name: 'Acme Labs' })
    await aMember(site.db, { organization, role: 'developer' })
    const person = await site.person()
    await aMember(site.db, { organization, role: 'owner', account: person.account })
    const { status, text } = await remove(person)
    expect(status).toBe(409)
    expect(text).toContain('You are the only owner of Acme Labs, and others are on the team.')
    expect(await isDeleted(person)).toBe(false)
    expect((await (await site.signedIn(person)).open('/settings')).status).toBe(200)
  })

  test('409 for the last member of a team with apps; without apps the organization ends with the account', async () => {
    const organization = await anOrganization(site.db, { name: 'Solo' })
    const person = await site.person([])
    await aMember(site.db, { organization, role: 'owner', account: person.account })
    const browser = await ready(person)
    const app = { name: 'Deal Desk', accepted_conditions: CONDITIONS_VERSION }
    const made = await browser.submit(`/settings/organizations/${organization}/apps`, app)
    const [address = ''] = made.location?.split('?') ?? []
    const rejected = await remove(person)
    expect(rejected.status).toBe(409)
    expect(rejected.text).toContain('You are the only member of Solo, which has apps.')
    await browser.submit(`${address}/delete`, { confirmation: 'Deal Desk' })
    expect((await remove(person)).status).toBe(200)
    expect(await rows('select state from platform.organizations where id = $1', organization)).toEqual([
      { state: 'ended' },
    ])
  })

  test('409 names all organizations of which the person is the last member or the only owner', async () => {
    const person = await site.person([])
    const names = ['Solo', 'Duo', 'Trio']
    const organizations = await Promise.all(names.map((name) => anOrganization(site.db, { name })))
    for (const organization of organizations) {
      await aMember(site.db, { organization, role: 'owner', account: person.account })
      await anApp(site.db, { organization })
    }
    const orphaned = await remove(person)
    expect(orphaned.text).toMatch(/You are the only member of \w+, \w+ and \w+, which have apps\./)
    for (const organization of organizations) await aMember(site.db, { organization, role: 'developer' })
    const ownerless = await remove(person)
    expect(ownerless.text).toMatch(/You are the only owner of \w+, \w+ and \w+, and others are on these teams\./)
  })

  test('the only owner of an organization that the platform ended can delete their account', async () => {
    const organization = await anOrganization(site.db)
    await aMember(site.db, { organization, role: 'developer' })
    const person = await site.person([])
    await aMember(site.db, { organization, role: 'owner', account: person.account })
    await rows(
      "update platform.organizations set state = 'ended', ended_at = clock_timestamp() where id = $1",
      organization,
    )
    expect((await remove(person)).status).toBe(200)
  })
})

describe('concurrent requests', () => {
  test('ten deletions cause one entry in the audit and one mail', async () => {
    const person = await site.person()
    const email = await emailOf(person)
    const browser = await ready(person)
    const cookie = browser.cookies.get('portico') ?? ''
    const tries = Array.from({ length: 10 }, async () => {
      const same = await site.signedIn(person)
      same.cookies.set('portico', cookie)
      return same
    })
    const browsers = await Promise.all(tries)
    await Promise.all(browsers.map((each) => each.open(DELETE)))
    const seen = await Promise.all(browsers.map((each) => each.submit(DELETE, { email })))
    // The first request ends the sign-in of the other nine, or they find the account deleted.
    expect(seen.map(({ status }) => status).filter((status) => status !== 200 && status !== 303)).toEqual([])
    expect(seen.some(({ status }) => status === 200)).toBe(true)
    const entries = "select 1 from platform.audit_entries where actor = $1 and action = 'account.deleted'"
    expect(await rows(entries, person.account)).toHaveLength(1)
    expect(await rows('select 1 from platform.mails where recipient = $1', email)).toHaveLength(1)
  })

  test('if the person accepts an invitation during the deletion, they are not a member afterwards', async () => {
    for (let round = 0; round < 5; round++) {
      const organization = await anOrganization(site.db)
      const inviter = await aMember(site.db, { organization })
      const person = await site.person([])
      const email = await emailOf(person)
      await anInvitation({ organization, email, by: inviter })
      const [one, two] = [await ready(person), await ready(person)]
      const [deleted, accepted] = await Promise.all([
        one.submit(DELETE, { email }),
        two.submit(`/settings/organizations/${organization}/accept`, {}),
      ])
      expect(deleted.status).toBe(200)
      expect([303, 404]).toContain(accepted.status)
      const teams = 'select 1 from platform.organization_members where account_id = $1'
      expect(await rows(teams, person.account)).toEqual([])
    }
  })

  test('a concurrent sign-in is rejected, or ended by the deletion', async () => {
    const hash = await quickHasher.hash(PASSWORD)
    for (let round = 0; round < 5; round++) {
      const person = await site.person([])
      await rows('update platform.accounts set password_hash = $2 where id = $1', person.account, hash)
      const email = await emailOf(person)
      const [browser, another] = [await ready(person), site.browser()]
      await another.open('/sign-in')
      await Promise.all([browser.submit(DELETE, { email }), another.submit('/sign-in', { email, password: PASSWORD })])
      expect(await rows('select 1 from platform.sign_in_sessions where account_id = $1', person.account)).toEqual([])
    }
  })
})
