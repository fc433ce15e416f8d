import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { allStatements } from '#system/postgres/statement.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import './index.ts'

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
  await db.sql('analyze')
})
afterAll(() => db.close())

/** What the viewer has of their own is read beforehand, by their own rows. */
const isBefore = (node: Node) => node['Subplan Name']?.startsWith('CTE') ?? false

const nodesOf = (node: Node): readonly Node[] => [
  node,
  ...(node.Plans ?? []).filter((plan) => !isBefore(plan)).flatMap(nodesOf),
]

/** The plan that is kept for a prepared statement, whatever it is given. */
async function planOf(name: string): Promise<readonly Node[]> {
  const found = allStatements().find((one) => one.name === name)
  if (found === undefined) throw new Error(`no statement ${name}`)
  await db.sql('set search_path = test')
  await db.sql('set plan_cache_mode = force_generic_plan')
  await db.sql(`prepare "${name}" as ${found.text}`)
  const values = `'${newId('user')}', '${newId('user')}', 'infinity', '~', 26`
  const [row] = await db.sql<{ 'QUERY PLAN': [{ Plan: Node }] }>(`explain (format json) execute "${name}" (${values})`)
  await db.sql('reset search_path')
  await db.sql('reset plan_cache_mode')
  return row === undefined ? [] : nodesOf(row['QUERY PLAN'][0].Plan)
}

describe('a page of follows costs the same wherever it is', () => {
  test.each(['profile.follows_every', 'profile.follows_public'])(
    '%s goes along the index from its place on',
    async (name) => {
      const nodes = await planOf(name)
      const follows = nodes.filter((node) => node['Relation Name'] === 'follows')
      expect(follows.map((node) => node['Index Name'])).toEqual(['follows_newest'])
      expect(follows[0]?.['Index Cond']).toContain('ROW(followed_at, company_id)')
      expect(nodes.map((node) => node['Node Type'])).not.toContain('Sort')
      const whole = nodes.filter((node) => node['Node Type'] === 'Seq Scan').map((node) => node['Relation Name'])
      expect(whole).not.toContain('catalog_entries')
      expect(nodes.map((node) => node['Index Name'])).toContain('catalog_entries_company')
    },
  )
})
