import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { allStatements } from '#system/postgres/statement.ts'
import { anApp } from '#test/apps.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import './http.ts'

type Node = {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Index Cond'?: string
  readonly 'Subplan Name'?: string
  readonly Plans?: readonly Node[]
}

const USERS = 200
const FOLLOWED = 100
const COMPANIES = 2000
const SOMEBODY = `'${newId('user')}'`

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
  const id = (prefix: string, n: string) => `'${prefix}' || lpad((${n})::text, 24, '0')`
  await db.sql(`insert into test.users (id, name, email)
    select ${id('usr_', 'n')}, 'User ' || n, n || '@example.org' from generate_series(1, ${USERS}) n`)
  await db.sql(`insert into test.companies (id, name, page_url)
    select ${id('co_', 'n')}, 'Company ' || n, '/c/' || n from generate_series(1, ${COMPANIES}) n`)
  await db.sql(`insert into test.follows (user_id, company_id, followed_at)
    select u.id, c.id, now() from test.users u cross join (select id from test.companies order by id limit ${FOLLOWED}) c`)
  await db.sql(`insert into test.raises (id, company_id, currency)
    select ${id('rse_', 'n')}, ${id('co_', 'n')}, 'usd' from generate_series(1, ${COMPANIES}) n`)
  await db.sql(`insert into test.offerings (id, company_id, raise_id, currency, exemption, security_type, security_terms, listed)
    select ${id('ofr_', `n * 10 + m`)}, ${id('co_', 'n')}, ${id('rse_', 'n')}, 'usd', 'reg_cf', 'other', '{}', true
      from generate_series(1, ${COMPANIES}) n cross join generate_series(1, 2) m`)
  await db.sql(`insert into test.company_people (company_id, user_id, role, started_at)
    select c.id, u.id, 'editor', now() from test.users u
      cross join (select id from test.companies order by id limit 20) c`)
  const app = await anApp(db)
  await db.sql(
    `insert into test.installations (id, app_id, target_type, user_id, tier, scopes, installed_by_role, state, revoked_at,
                                     revoked_by_role, superseded)
     select ${id('inst_', 'row_number() over ()')}, $1, 'user', u.id, 'user', '{read:profile}', 'user',
            case n when 1 then 'active' else 'revoked' end, case when n > 1 then now() end,
            case when n > 1 then 'user' end, n > 1
       from test.users u cross join generate_series(1, 10) n`,
    [app],
  )
  await db.sql(
    `insert into test.access_tokens (hash, kind, key_id, app_id, user_id, installation_id, scopes, generation, expires_at)
     select sha256((i.id || n)::bytea), 'user', 'pk_test_none', $1, i.user_id, i.id, '{read:profile}', 1, now()
       from test.installations i cross join generate_series(1, 5) n`,
    [app],
  )
  await db.sql('analyze')
})
afterAll(() => db.close())

/** Whether the node is the CTE that reads the viewer's own rows first. The tests check only the rest of the plan. */
const isBefore = (node: Node) => node['Subplan Name']?.startsWith('CTE') ?? false

const nodesOf = (node: Node): readonly Node[] => [
  node,
  ...(node.Plans ?? []).filter((plan) => !isBefore(plan)).flatMap(nodesOf),
]

/** The generic plan of a prepared statement, which does not depend on the values. */
async function planOf(name: string, values: string): Promise<readonly Node[]> {
  const found = allStatements().find((one) => one.name === name)
  if (found === undefined) throw new Error(`no statement ${name}`)
  await db.sql('set search_path = test')
  await db.sql('set plan_cache_mode = force_generic_plan')
  await db.sql(`prepare "${name}" as ${found.text}`)
  const [row] = await db.sql<{ 'QUERY PLAN': [{ Plan: Node }] }>(`explain (format json) execute "${name}" (${values})`)
  await db.sql('reset search_path')
  await db.sql('reset plan_cache_mode')
  return row === undefined ? [] : nodesOf(row['QUERY PLAN'][0].Plan)
}

describe('every page of follows costs the same', () => {
  test.each(['profile.follows_every', 'profile.follows_public'])(
    '%s scans the index from the page’s first row',
    async (name) => {
      const nodes = await planOf(name, `${SOMEBODY}, ${SOMEBODY}, 'infinity', '~', 26`)
      const follows = nodes.filter((node) => node['Relation Name'] === 'follows')
      expect(follows.map((node) => node['Index Name'])).toEqual(['follows_newest'])
      expect(follows[0]?.['Index Cond']).toContain('ROW(followed_at, company_id)')
      expect(nodes.map((node) => node['Node Type'])).not.toContain('Sort')
      const whole = nodes.filter((node) => node['Node Type'] === 'Seq Scan').map((node) => node['Relation Name'])
      expect(whole).toEqual([])
      expect(nodes.map((node) => node['Index Name'])).toContain('catalog_entries_company')
    },
  )
})

describe('a short list is read by the indexes of the user’s own rows', () => {
  const indexesOf = (nodes: readonly Node[]) => nodes.map((node) => node['Index Name'])
  const wholeOf = (nodes: readonly Node[]) =>
    nodes.filter((node) => node['Node Type'] === 'Seq Scan').map((node) => node['Relation Name'])

  test('profile.my_companies', async () => {
    const nodes = await planOf('profile.my_companies', SOMEBODY)
    expect(wholeOf(nodes)).toEqual([])
    expect(indexesOf(nodes)).toEqual(expect.arrayContaining(['company_people_user', 'offerings_company']))
  })

  test('profile.connected_apps', async () => {
    const nodes = await planOf('profile.connected_apps', SOMEBODY)
    for (const long of ['installations', 'access_tokens']) expect(wholeOf(nodes)).not.toContain(long)
    expect(indexesOf(nodes)).toEqual(expect.arrayContaining(['installations_user', 'access_tokens_installation']))
  })
})
