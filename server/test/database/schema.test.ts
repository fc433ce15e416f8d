import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '#test/database.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

/** The query for the whole definition of a schema, without its name, so that two schemas can be compared. */
const CATALOGUE = `
  select 'column ' || table_name || '.' || column_name as what,
         concat_ws(' ', data_type, domain_name, collation_name, is_nullable, column_default, identity_generation, generation_expression) as how
    from information_schema.columns where table_schema = $1
  union all
  select 'constraint ' || coalesce(nullif(conrelid, 0)::regclass::text, contypid::regtype::text) || '.' || conname,
         pg_get_constraintdef(oid)
    from pg_constraint where connamespace = $1::regnamespace
  union all
  select 'domain ' || typname,
         concat_ws(' ', format_type(typbasetype, typtypmod), typcollation::regcollation::text, typnotnull, typdefault)
    from pg_type where typnamespace = $1::regnamespace and typtype = 'd'
  union all
  select 'index ' || indexname, indexdef from pg_indexes where schemaname = $1
  union all
  select 'function ' || proname, pg_get_functiondef(oid) from pg_proc where pronamespace = $1::regnamespace
  union all
  select 'trigger ' || tgname || ' on ' || tgrelid::regclass::text, pg_get_triggerdef(t.oid)
    from pg_trigger t join pg_class c on c.oid = t.tgrelid where c.relnamespace = $1::regnamespace and not tgisinternal
  union all
  select 'view ' || viewname, definition from pg_views where schemaname = $1
  order by 1`

async function catalogueOf(world: string): Promise<string[]> {
  const rows = await db.sql<{ what: string; how: string }>(CATALOGUE, [world])
  return rows.map(({ what, how }) => `${what}: ${how}`.replaceAll(`${world}.`, ''))
}

describe('the schema', () => {
  test('of the two worlds is the same, down to the last constraint', async () => {
    const test = await catalogueOf('test')
    expect(test.length).toBeGreaterThan(5)
    expect(test).toContain('domain event_id: text "C" f')
    expect(await catalogueOf('live')).toEqual(test)
  })

  test('gives every id column the collation "C", because base62 ids sort by time only under "C"', async () => {
    const wrong = await db.sql<{ place: string }>(`
      select table_schema || '.' || table_name || '.' || column_name as place
        from information_schema.columns
       where table_schema in ('platform', 'test', 'live') and data_type in ('text', 'character varying', 'character')
         and (column_name = 'id' or column_name like '%\\_id') and collation_name is distinct from 'C'`)
    expect(wrong).toEqual([])
  })

  test('has an index for every foreign key, so that no check scans a table', async () => {
    const missing = await db.sql<{ place: string }>(`
      select conrelid::regclass || '.' || conname as place
        from pg_constraint k
       where contype = 'f' and connamespace::regnamespace::text in ('platform', 'test', 'live')
         and not exists (
           select from pg_index i
            where i.indrelid = k.conrelid
              and (select array_agg(c order by c) from unnest(k.conkey) c)
                = (select array_agg(c order by c) from unnest((i.indkey::int2[])[0:cardinality(k.conkey) - 1]) c))`)
    expect(missing).toEqual([])
  })
})
