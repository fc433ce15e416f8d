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

/** Files that ran before in this process have left what they made for themselves, under names that no store uses. */
const OF_A_TEST = /^(t|probe)\./
const storeStatements = () => allStatements().filter(({ name }) => !OF_A_TEST.test(name))

/** What a statement names itself, by `with`. */
const NAMED_HERE = /(?:\bwith|,)\s+(\w+)\s+as\s+(?:materialized\s+)?\(/gi

/** A table without its schema, in a statement whose connection has no search_path that leads to one. */
function namesNoSchema(text: string): boolean {
  const own = [...text.matchAll(NAMED_HERE)].map(([, name]) => `${name}\\b`)
  const known = [
    'lateral\\b',
    'set\\b',
    'skip\\b',
    '\\(',
    'platform\\.',
    'test\\.',
    'live\\.',
    'pg_',
    'unnest\\(',
    ...own,
  ].join('|')
  return new RegExp(`\\b(from|join|into|update)\\s+(?!${known})[a-z_]+\\b`, 'i').test(text)
}

/** A star in the place of a column: after a word that begins a list, or after a comma. `count(*)` is no such star. */
const STAR = /(\b(select|all|distinct|returning)|,)\s+(\w+\.)?\*/i

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

  test('answers in types the driver knows: an array of a domain would arrive as text', async () => {
    const client = new Client({ connectionString: db.url, options: '-c search_path=test' })
    await client.connect()
    for (const { name, text } of storeStatements()) await client.query(`prepare "${name}" as ${text}`)
    // PostgreSQL 15 does not tell a prepared statement's types: there this finds nothing.
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

  test.each([
    ['select * from a', true],
    ['select id, a.* from a', true],
    ['select distinct * from a', true],
    ['insert into a values (1) returning id, *', true],
    ['select count(*), 2 * 3 as six from a', false],
  ])('%s: a star for a column? %s', (text, starred) => {
    expect(STAR.test(text)).toBe(starred)
  })

  test('names its columns: a new column breaks prepared plans of "select *" on nodes that still run', () => {
    const starred = storeStatements().filter(({ text }) => STAR.test(text))
    expect(starred.map(({ name }) => name)).toEqual([])
  })

  test.each([
    ['select id from users', true],
    ['select id from test.users', false],
    ['with gone as (delete from live.a returning id) insert into live.b (id) select id from gone', false],
    ['with gone as (delete from a returning id) insert into live.b (id) select id from gone', true],
    ['with gone as (delete from live.a returning id) select id from gone join ghosts using (id)', true],
  ])('%s: without a schema? %s', (text, bare) => {
    expect(namesNoSchema(text)).toBe(bare)
  })

  test('on the platform handle names its schema, because no search_path leads to a world there', () => {
    const bare = storeStatements().filter(({ home, text }) => home === 'platform' && namesNoSchema(text))
    expect(bare.map(({ name }) => name)).toEqual([])
  })

  test('that finds what a fact caused reads an index, however many events there are', async () => {
    await db.sql('set enable_seqscan = off')
    const plan = await db.sql<{ 'QUERY PLAN': string }>(
      `explain select id from test.events where fact_id = 'x' order by recorded_at, id`,
    )
    await db.sql('reset enable_seqscan')
    expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toContain('events_fact')
  })
})
