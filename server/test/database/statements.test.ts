import { glob } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allStatements } from '#system/postgres/statement.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'

const source = fileURLToPath(new URL('../../src', import.meta.url))

let db: TestDatabase
beforeAll(async () => {
  for await (const store of glob('**/{store,*-store}.ts', { cwd: source })) await import(`${source}/${store}`)
  db = await testDatabase()
})
afterAll(() => db.close())

/** The statements of the stores. Statements that other test files made in this process are left out. */
const OF_A_TEST = /^(t|probe)\./
const storeStatements = () => allStatements().filter(({ name }) => !OF_A_TEST.test(name))

/** This connection has no search_path, so it prepares only statements that name every schema. */
async function withoutSearchPath(): Promise<Client> {
  const client = new Client({ connectionString: db.url })
  await client.connect()
  await client.query(`set search_path = ''`)
  return client
}

/** A star in the place of a column: after a word that begins a list, or after a comma. `count(*)` does not match. */
const STAR = /(\b(select|all|distinct|returning)|,)\s+(\w+\.)?\*/i

/** How `withLookups` begins a statement. */
const LOOKUPS = /^with caller as \(select .* limit \(select cardinality\(/

describe('every statement of every store', () => {
  test('prepares against the migrated schema, in each world it can run in', async () => {
    const statements = storeStatements()
    expect(statements.length).toBeGreaterThan(0)
    for (const schema of ['test', 'live', 'platform']) {
      const client = new Client({ connectionString: db.url, options: `-c search_path=${schema}` })
      await client.connect()
      for (const { name, text } of statements.filter(({ home }) => (home === 'platform') === (schema === 'platform'))) {
        await client.query(`prepare "${name}" as ${text}`).catch((error) => {
          throw new Error(`${name} does not prepare in ${schema}: ${error.message}`)
        })
      }
      await client.end()
    }
  })

  test('returns types that the driver parses, because the driver returns an array of a domain as text', async () => {
    const client = new Client({ connectionString: db.url, options: '-c search_path=test' })
    await client.connect()
    for (const { name, text } of storeStatements()) await client.query(`prepare "${name}" as ${text}`)
    // PostgreSQL 15 does not report a prepared statement's types, so this test finds no fault there.
    const { rows } = await client.query(`
      select s.name, answered.typname
        from pg_prepared_statements s
        cross join jsonb_path_query(to_jsonb(s), '$.result_types[*] ? (@ != null)') as type
        join pg_type answered on answered.oid = (type #>> '{}')::regtype
        join pg_type element on element.oid = answered.typelem
       where element.typtype = 'd'`)
    await client.end()
    expect(rows).toEqual([])
  })

  test('that looks up rows for many callers reads no whole table, even while the tables are empty', async () => {
    const client = new Client({ connectionString: db.url, options: '-c search_path=test' })
    await client.connect()
    await client.query('set plan_cache_mode = force_generic_plan')
    const lookups = storeStatements().filter(({ text }) => LOOKUPS.test(text))
    const scans: string[] = []
    for (const { name, text } of lookups) {
      await client.query(`prepare "${name}" as ${text}`)
      const { rows } = await client.query('select cardinality(parameter_types) as count from pg_prepared_statements')
      const values = Array.from({ length: rows[0].count }, () => 'null').join(', ')
      const plan = await client.query(`explain execute "${name}" (${values})`)
      scans.push(
        ...plan.rows.flatMap((row) => (/Seq Scan/.test(row['QUERY PLAN']) ? `${name}: ${row['QUERY PLAN']}` : [])),
      )
      await client.query('deallocate all')
    }
    await client.end()
    expect(lookups.map(({ name }) => name)).toContain('investments.move.many')
    expect(scans).toEqual([])
  })

  test.each([
    ['select * from a', true],
    ['select id, a.* from a', true],
    ['select distinct * from a', true],
    ['insert into a values (1) returning id, *', true],
    ['select count(*), 2 * 3 as six from a', false],
  ])('%s: a star for a column? %s', (text, starred) => {
    expect(STAR.test(text)).toBe(starred)
  })

  test('names its columns, because a new column breaks prepared plans of "select *" on running nodes', () => {
    const starred = storeStatements().filter(({ text }) => STAR.test(text))
    expect(starred.map(({ name }) => name)).toEqual([])
  })

  test('on the platform handle names every schema, because the search_path there has no world', async () => {
    const client = await withoutSearchPath()
    const bare: string[] = []
    for (const { name, text } of storeStatements().filter(({ home }) => home === 'platform')) {
      await client.query(`prepare "${name}" as ${text}`).catch((error) => bare.push(`${name}: ${error.message}`))
    }
    await client.end()
    expect(bare).toEqual([])
  })

  test.each([
    ['a table', 'select id from users'],
    ['a table of the platform', 'select id from apps'],
    ['a table after a table with its schema', 'select u.id from test.users u join companies c on c.id = u.id'],
    ['a table in a CTE of the same name', 'with users as (select id from users) select id from users'],
    ['a table with the name of a later CTE', 'with a as (select id from users), users as (select 1) select id from a'],
    ['a function', 'select id from test.users where created_at < world_now()'],
    ['a domain', 'select $1::delivery_id'],
  ])('is rejected on the platform handle for %s without its schema', async (_, text) => {
    const client = await withoutSearchPath()
    await expect(client.query(`prepare bare as ${text}`)).rejects.toThrow(/does not exist/)
    await client.end()
  })

  test.each([
    ['its own CTE', 'with gone as (delete from live.event_queue returning seq) select seq from gone'],
    ['names of PostgreSQL', 'select a, b from unnest($1::text[], $2::text[]) as each (a, b) where now() > $3'],
  ])('is not rejected on the platform handle for %s', async (_, text) => {
    const client = await withoutSearchPath()
    await expect(client.query(`prepare named as ${text}`)).resolves.toMatchObject({ command: 'PREPARE' })
    await client.end()
  })

  test('that selects events by their fact can use the index events_fact', async () => {
    // Without this setting PostgreSQL would scan the empty table.
    await db.sql('set enable_seqscan = off')
    // The query has the condition and the order of the store's statement.
    const plan = await db.sql<{ 'QUERY PLAN': string }>(
      `explain select id from test.events where fact_id = 'x' order by recorded_at, id`,
    )
    await db.sql('reset enable_seqscan')
    expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toContain('events_fact')
  })
})
