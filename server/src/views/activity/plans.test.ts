import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { allStatements } from '#system/postgres/statement.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import './http.ts'
import './index.ts'

type Node = {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Index Cond'?: string
  readonly Plans?: readonly Node[]
}

const USERS = 50
const EACH = 400

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
  const id = (prefix: string, n: string) => `'${prefix}' || lpad((${n})::text, 24, '0')`
  await db.sql(`insert into test.users (id, name, email)
    select ${id('usr_', 'n')}, 'User ' || n, n || '@example.org' from generate_series(1, ${USERS}) n`)
  await db.sql(`insert into test.activity_entries
      (id, user_id, app_id, actor, action, resource_id, status, error_type, occurred_at)
    select ${id('act_', `u * ${EACH} + n`)}, ${id('usr_', 'u')}, ${id('app_', 'n % 3')}, 'app', 'things.create',
           ${id('co_', 'n % 50')}, case when n % 100 = 0 then 'denied' else 'success' end,
           case when n % 100 = 0 then 'forbidden' end, now() - n * interval '1 minute'
      from generate_series(1, ${USERS}) u cross join generate_series(1, ${EACH}) n`)
  await db.sql('analyze')
})
afterAll(() => db.close())

const nodesOf = (node: Node): readonly Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

/** The generic plan of a prepared statement, for any values. */
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

const PAGE = `'${newId('user')}', 'infinity', '~', '-infinity', 'infinity', 'a', 'r', 's', true, 2000, null, null, 26`

describe('every page of activity costs the same', () => {
  test.each([
    ['activity.list', 'activity_entries_user'],
    ['activity.list_of_app', 'activity_entries_app'],
    ['activity.list_about', 'activity_entries_resource'],
    ['activity.list_refused', 'activity_entries_refused'],
  ])('%s starts at the page’s first entry and scans %s in index order', async (name, index) => {
    const nodes = await planOf(name, PAGE)
    const read = nodes.filter((node) => node['Relation Name'] === 'activity_entries')
    expect(read.map((node) => node['Index Name'])).toEqual([index])
    expect(read[0]?.['Index Cond']).toContain('ROW(occurred_at, id)')
    expect(read[0]?.['Index Cond']).toContain('user_id = $1')
    const lookedAt = nodes.find((node) => (node as { 'Subplan Name'?: string })['Subplan Name'] === 'CTE looked_at')
    expect(lookedAt?.['Node Type']).toBe('Limit')
    expect(nodesOf(lookedAt ?? { 'Node Type': '' }).map((node) => node['Node Type'])).not.toContain('Sort')
  })

  test('counts the newest entries of an app by their index', async () => {
    const nodes = await planOf('activity.count_by_app', `'${newId('user')}', array['${newId('app')}'], true`)
    const read = nodes.filter((node) => node['Relation Name'] === 'activity_entries')
    expect(read.map((node) => node['Index Name'])).toEqual(['activity_entries_app'])
    expect(read[0]?.['Index Cond']).toContain('app_id')
    expect(nodes.map((node) => node['Node Type'])).not.toContain('Sort')
  })

  test('finds old entries by id', async () => {
    const nodes = await planOf('activity.purge', '500')
    const read = nodes.filter(
      (node) => node['Node Type'].includes('Scan') && node['Relation Name'] === 'activity_entries',
    )
    expect(read.map((node) => node['Node Type'])).not.toContain('Seq Scan')
    const along = read.filter((node) => node['Index Name'] === 'activity_entries_pkey')
    expect(along.some((node) => node['Index Cond'] === undefined)).toBe(true)
  })
})
