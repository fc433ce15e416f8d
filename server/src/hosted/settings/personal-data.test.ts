import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSite, type Site, userIn } from '#access/installations/testing/site.ts'
import { giveTokens } from '#access/installations/testing/tokens.ts'
import { WORLDS } from '#kernel/world.ts'
import { aMember, anApp, anOrganization } from '#test/apps.ts'
import { makeConnection } from '#test/installations.ts'
import { settingsRoutes } from './http.ts'
import { type Classified, PLATFORM_TABLES, ROWS_MAX, WORLD_TABLES } from './store.ts'

let site: Site
beforeAll(async () => {
  site = await openSite((deps) =>
    settingsRoutes({ ...deps, platformNames: 'wefunder', mails: null, onDeleted: [], onRevoked: [] }),
  )
})
afterAll(() => site.close())

/** Every table of a schema with its columns, without partitions. */
async function schemaOf(schema: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = await site.db.sql<{ name: string; columns: string[] }>(
    `select c.relname as name, array_agg(a.attname::text) as columns
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relnamespace = $1::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      group by 1`,
    [schema],
  )
  return new Map(found.map(({ name, columns }) => [name, columns]))
}

const classifiedColumns = (rule: Classified) =>
  'none' in rule ? [] : [...rule.columns, ...Object.keys(rule.withheld)].toSorted()

describe.each([
  ['platform', PLATFORM_TABLES],
  ['test', WORLD_TABLES],
  ['live', WORLD_TABLES],
] as const)('the classification of the schema %s', (schema, tables) => {
  test('names every table; for a new table, decide whether it contains data about people', async () => {
    expect([...(await schemaOf(schema)).keys()].toSorted()).toEqual(Object.keys(tables).toSorted())
  })

  test('names every column of a table about people; for a new column, decide whether it is exported', async () => {
    const columns = await schemaOf(schema)
    for (const [table, rule] of Object.entries(tables)) {
      if ('none' in rule) continue
      expect([table, (columns.get(table) ?? []).toSorted()]).toEqual([table, classifiedColumns(rule)])
    }
  })

  test('exports no column that is named like a secret', () => {
    const exported = Object.values(tables).flatMap((rule) => ('none' in rule ? [] : rule.columns))
    expect(exported.filter((column) => /hash|secret|password|digest|token|bucket|challenge/.test(column))).toEqual([])
  })
})

type Exported = Record<string, Record<string, Record<string, unknown>[]>> & { incomplete: string[] }

async function exportOf(person: Parameters<Site['signedIn']>[0]) {
  const browser = await site.signedIn(person)
  await browser.open('/settings/data')
  const seen = await browser.submit('/settings/data/export', {})
  return { ...seen, data: JSON.parse(seen.text) as Exported }
}

describe('POST /settings/data/export', () => {
  test('303 to the sign-in page for a signed-out person; 403 without this browser’s token', async () => {
    const stranger = site.browser()
    await stranger.open('/sign-in')
    expect((await stranger.submit('/settings/data/export', {})).status).toBe(303)
    const browser = await site.signedIn(await site.person())
    await browser.open('/settings/data')
    expect((await browser.submit('/settings/data/export', { csrf: 'x' })).status).toBe(403)
  })

  test('returns a file that no cache stores, with data about the person from the platform and both worlds', async () => {
    const person = await site.person(WORLDS, 'Ada Lovelace')
    const organization = await anOrganization(site.db, { name: 'Acme' })
    await aMember(site.db, { organization, role: 'admin', account: person.account })
    const appId = await anApp(site.db, { scopes: ['read:profile'] })
    const made = await site.db.databases.live.transaction((tx) =>
      makeConnection(tx, { appId, userId: userIn(person, 'live'), scopes: ['read:profile'] }),
    )
    await giveTokens(site.db, made, { world: 'live' })
    const { status, headers, data } = await exportOf(person)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="personal-data-\d{4}-\d\d-\d\d\.json"$/)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(data['platform']?.['accounts']).toMatchObject([{ id: person.account, name: 'Ada Lovelace' }])
    expect(data['platform']?.['organization_members']).toMatchObject([{ organization_id: organization, role: 'admin' }])
    expect(data['platform']?.['organizations']).toMatchObject([{ name: 'Acme' }])
    expect(data['platform']?.['sign_in_sessions']).toHaveLength(1)
    expect(data['platform']?.['audit_entries']).toMatchObject([{ action: 'account.exported' }])
    for (const world of WORLDS) {
      expect(data[world]?.['users']).toMatchObject([{ id: userIn(person, world), name: 'Ada Lovelace' }])
    }
    expect(data['live']?.['installations']).toMatchObject([{ id: made.id }])
    expect(data['live']?.['access_tokens']).toHaveLength(1)
    expect(data['test']?.['installations']).toEqual([])
    expect(data.incomplete).toEqual([])
  })

  test('contains nothing about other people', async () => {
    const [person, other] = [await site.person(WORLDS, 'Ada'), await site.person(WORLDS, 'Grace')]
    const { text } = await exportOf(person)
    for (const theirs of [other.account, userIn(other, 'live'), userIn(other, 'test'), 'Grace']) {
      expect(text).not.toContain(theirs)
    }
  })

  test('contains what the person did to another account, without the id of that account', async () => {
    const [person, other] = [await site.person(WORLDS, 'Ada'), await site.person(WORLDS, 'Grace')]
    const organization = await anOrganization(site.db, { name: 'Acme' })
    await site.db.sql(
      `insert into platform.audit_entries (actor, action, subject, details)
       values ($1, 'member.removed', $2, jsonb_build_object('account', $3::text)), ($1, 'account.disabled', $3, '{}'),
              ($3, 'account.enabled', $1, '{}')`,
      [person.account, organization, other.account],
    )
    const { text, data } = await exportOf(person)
    expect(text).not.toContain(other.account)
    expect(data['platform']?.['audit_entries']).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ action: 'member.removed', subject: organization }),
        expect.objectContaining({ action: 'account.disabled', subject: null }),
        expect.objectContaining({ action: 'account.enabled', subject: person.account }),
      ]),
    )
  })

  test('contains records of a former address of the user, only in the user’s world', async () => {
    const person = await site.person(['test'])
    await site.db.sql('insert into test.former_addresses (user_id, address) values ($1, $2)', [
      userIn(person),
      'Old@example.org',
    ])
    const { data } = await exportOf(person)
    expect(data['test']?.['former_addresses']).toMatchObject([{ address: 'Old@example.org' }])
    expect(data['live']).toEqual({})
  })

  test('marks a table with too many rows as incomplete', async () => {
    const person = await site.person(['test'])
    await site.db.sql(
      `insert into platform.audit_entries (actor, action, subject)
       select $1, 'account.renamed', $1 from generate_series(1, ${ROWS_MAX + 5})`,
      [person.account],
    )
    const { data } = await exportOf(person)
    expect(data['platform']?.['audit_entries']).toHaveLength(ROWS_MAX)
    expect(data.incomplete).toEqual(['platform.audit_entries'])
  })
})
