import { Client } from 'pg'
import { describe, expect, test } from 'vitest'
import { emptyDatabase } from '#test/database.ts'
import { CannotMigrate, migrate } from './migrate.ts'
import { parseMigration } from './migration-files.ts'

const log = () => {}
const CREATE_NOTES = parseMigration('0001_notes.sql', '-- schema: worlds\ncreate table notes (id integer primary key);')
const CREATE_SHARED = parseMigration('0002_shared.sql', '-- schema: platform\ncreate table shared (id integer);')
const INDEX_NOTES = parseMigration(
  '0003_index.sql',
  '-- schema: worlds\n-- no transaction\ndrop index concurrently if exists notes_again;\ncreate index concurrently notes_again on notes (id);',
)
const LATER = ['0004_more.sql', '0005_most.sql'].map((file) => parseMigration(file, '-- schema: platform\nselect 1;'))

async function query<Row extends object>(url: string, text: string): Promise<Row[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}

const tablesOf = async (url: string) =>
  (
    await query<{ place: string }>(
      url,
      `select table_schema || '.' || table_name as place from information_schema.tables
        where table_schema in ('platform', 'test', 'live') and table_name <> 'migrations' order by 1`,
    )
  ).map(({ place }) => place)

describe('migrate', () => {
  test('five calls at once apply each migration once, in order', async () => {
    const url = await emptyDatabase()
    const migrations = [CREATE_NOTES, CREATE_SHARED, INDEX_NOTES]
    const results = await Promise.all(Array.from({ length: 5 }, () => migrate({ url, migrations, log })))
    expect(results.map(({ applied }) => applied).sort()).toEqual([0, 0, 0, 0, 3])
    expect(await tablesOf(url)).toEqual(['live.notes', 'platform.shared', 'test.notes'])
    expect(await query(url, 'select number from platform.migrations order by number')).toHaveLength(3)
  })

  test('a world migration is applied to both worlds or to neither', async () => {
    const url = await emptyDatabase()
    const onlyInTest = parseMigration(
      '0001_half.sql',
      `-- schema: worlds\ncreate table half (id integer);\nselect 1 / (case current_schema() when 'live' then 0 else 1 end);`,
    )
    await expect(migrate({ url, migrations: [onlyInTest], log })).rejects.toThrow('division by zero')
    expect(await tablesOf(url)).toEqual([])
    await migrate({ url, migrations: [CREATE_NOTES], log })
    expect(await tablesOf(url)).toEqual(['live.notes', 'test.notes'])
  })

  test('in an empty database many migrations run in one transaction; if one fails, the error names it and the earlier ones stay', async () => {
    const url = await emptyDatabase()
    const broken = parseMigration('0003_broken.sql', '-- schema: platform\nselect 1 / 0;')
    const later = parseMigration('0004_later.sql', '-- schema: platform\ncreate table later (id integer);')
    const all = [CREATE_NOTES, CREATE_SHARED, broken, later]
    const failed = migrate({ url, migrations: all, log })
    await expect(failed).rejects.toThrow(CannotMigrate)
    await expect(failed).rejects.toThrow('Migration 0003_broken failed: division by zero')
    expect(await tablesOf(url)).toEqual(['live.notes', 'platform.shared', 'test.notes'])
    const mended = parseMigration('0003_broken.sql', '-- schema: platform\nselect 1;')
    expect(await migrate({ url, migrations: [CREATE_NOTES, CREATE_SHARED, mended, later], log })).toEqual({
      applied: 2,
    })
    const together = await query<{ times: string }>(
      url,
      'select count(distinct xmin::text) as times from platform.migrations where number < 3',
    )
    expect(together).toEqual([{ times: '2' }])

    const other = await emptyDatabase()
    await migrate({ url: other, migrations: [CREATE_NOTES, CREATE_SHARED, INDEX_NOTES], log })
    const rows = await query<{ number: number; xmin: string }>(other, 'select number, xmin from platform.migrations')
    expect(rows).toHaveLength(3)
    expect(new Set(rows.map(({ xmin }) => xmin)).size).toBe(1)
  })

  test('reports each migration as it begins, and the migrations of an empty database together', async () => {
    const [url, seen] = [await emptyDatabase(), [] as string[]]
    const run = (count: number) =>
      migrate({
        ...{ url, log, migrations: [CREATE_NOTES, CREATE_SHARED, INDEX_NOTES, ...LATER].slice(0, count) },
        onApply: ({ name, place, of }) => seen.push(`${name} ${place}/${of}`),
      })
    await run(3)
    expect(seen.splice(0)).toEqual(['0001_notes 1/3'])
    await run(5)
    expect(seen).toEqual(['0004_more 1/2', '0005_most 2/2'])
  })

  test('a failed migration without a transaction reports that its first statements stay, and can be run again', async () => {
    const url = await emptyDatabase()
    const text = (last: string) =>
      `-- schema: platform\n-- no transaction\ncreate table if not exists first (id int);\n${last}`
    const broken = parseMigration('0001_parts.sql', text('select 1 / 0;'))
    const failed = migrate({ url, migrations: [broken], log })
    await expect(failed).rejects.toThrow(
      'division by zero. It runs without a transaction, so the statements before the failed one stay',
    )
    expect(await tablesOf(url)).toEqual(['platform.first'])
    expect(await migrate({ url, migrations: [parseMigration('0001_parts.sql', text('select 1;'))], log })).toEqual({
      applied: 1,
    })
  })

  test('creates an index of a partitioned table partition by partition, and continues after an interrupted attempt', async () => {
    const url = await emptyDatabase()
    const table = parseMigration(
      '0001_log.sql',
      `-- schema: platform
create table log (at integer, word text) partition by range (at);
create table log_rest partition of log default;
create table log_1 partition of log for values from (0) to (10);
create table log_2 partition of log for values from (10) to (20);
insert into log select n, case n when 15 then 'same' else n::text end from generate_series(0, 29) n;`,
    )
    const index = parseMigration(
      '0002_index.sql',
      `-- schema: platform
-- no transaction
-- Why there is an index.
create index concurrently log_word on log (word) where word is not null;
select 1 / (select count(*) from log where word = 'more');`,
    )
    await expect(migrate({ url, migrations: [table, index], log })).rejects.toThrow('division by zero')
    // The state after an interrupted attempt: one partition has no index, and the index of another is not attached.
    await query(
      url,
      `drop index platform.log_word;
       create index log_word on only platform.log (word) where word is not null;
       create index log_1_word on platform.log_1 (word);
       create index log_2_word on platform.log_2 (word) where word is not null;
       alter index platform.log_word attach partition platform.log_2_word;
       insert into platform.log values (1, 'more')`,
    )
    await migrate({ url, migrations: [table, index], log })
    await query(url, 'create table platform.log_3 partition of platform.log for values from (30) to (40)')
    const parts = await query<{ name: string; definition: string }>(
      url,
      `select i.indrelid::regclass::text as name, pg_get_expr(i.indpred, i.indrelid) as definition
         from pg_index i left join pg_inherits p on p.inhrelid = i.indexrelid
        where i.indisvalid and (p.inhparent = to_regclass('platform.log_word') or i.indexrelid = to_regclass('platform.log_word'))
        order by 1`,
    )
    const whole = (name: string) => ({ name: `platform.${name}`, definition: '(word IS NOT NULL)' })
    expect(parts).toEqual(['log', 'log_1', 'log_2', 'log_3', 'log_rest'].map(whole))
  })

  test('an empty database gets the same indexes as one that is migrated step by step', async () => {
    const table = parseMigration(
      '0001_log.sql',
      '-- schema: platform\ncreate table log (at integer, word text) partition by range (at);\n' +
        'create table log_rest partition of log default;',
    )
    const index = parseMigration(
      '0002_index.sql',
      '-- schema: platform\n-- no transaction\ndrop index concurrently if exists log_at;\n' +
        'create index concurrently log_word on log (word);\ncreate index concurrently if not exists rest_at on log_rest (at);',
    )
    const [empty, stepByStep] = [await emptyDatabase(), await emptyDatabase()]
    await migrate({ url: empty, migrations: [table, index], log })
    for (const migrations of [[table], [table, index]]) await migrate({ url: stepByStep, migrations, log })
    const indexes = (url: string) =>
      query(
        url,
        `select indexdef, indisvalid from pg_indexes join pg_index on indexrelid = format('%I.%I', schemaname, indexname)::regclass
          where schemaname = 'platform' and tablename <> 'migrations' order by indexdef`,
      )
    const made = await indexes(empty)
    expect(made).toHaveLength(3)
    expect(made).toEqual(await indexes(stepByStep))
  })

  test('creating a concurrent index waits until another session’s transaction ends, however long it lasts', async () => {
    const url = await emptyDatabase()
    await migrate({ url, migrations: [CREATE_NOTES, CREATE_SHARED], log })
    const reader = new Client({ connectionString: url })
    await reader.connect()
    await reader.query('begin isolation level repeatable read; select from live.notes')
    const done = migrate({ url, migrations: [CREATE_NOTES, CREATE_SHARED, INDEX_NOTES], log })
    // The statement waits longer than the lock timeout of other migrations. With that timeout it would have ended and begun again.
    const waits = () =>
      query(
        url,
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
            and application_name = 'portico migrate' and query like 'create index concurrently%'
            and clock_timestamp() - query_start > interval '2500 ms'`,
      )
    await expect.poll(waits).toHaveLength(1)
    await reader.query('insert into test.notes values (1); insert into live.notes values (1)')
    await reader.query('commit')
    await reader.end()
    expect(await done).toEqual({ applied: 1 })
  })

  test('a database newer than the code is rejected with that reason', async () => {
    const url = await emptyDatabase()
    await migrate({ url, migrations: [CREATE_NOTES, CREATE_SHARED], log })
    const older = migrate({ url, migrations: [CREATE_NOTES], log })
    await expect(older).rejects.toThrow(CannotMigrate)
    await expect(older).rejects.toThrow('newer than this version of Portico')
  })

  test('an applied migration whose text was edited is rejected', async () => {
    const url = await emptyDatabase()
    await migrate({ url, migrations: [CREATE_NOTES], log })
    const edited = { ...CREATE_NOTES, checksum: 'another' }
    await expect(migrate({ url, migrations: [edited], log })).rejects.toThrow('never edited')
  })

  test('a migration that was applied when its checksum still covered comments is accepted', async () => {
    const url = await emptyDatabase()
    await migrate({ url, migrations: [{ ...CREATE_NOTES, checksum: 'former' }], log })
    const known = { ...CREATE_NOTES, formerChecksum: 'former' }
    expect(await migrate({ url, migrations: [known, CREATE_SHARED], log })).toEqual({ applied: 1 })
    const other = { ...CREATE_NOTES, formerChecksum: 'of another file' }
    await expect(migrate({ url, migrations: [other, CREATE_SHARED], log })).rejects.toThrow('never edited')
  })

  test('a migration waits while another session has locked the table, and is applied after the lock is released', async () => {
    const url = await emptyDatabase()
    await migrate({ url, migrations: [CREATE_NOTES], log })
    const holder = new Client({ connectionString: url })
    await holder.connect()
    await holder.query('begin; lock table live.notes in access exclusive mode')
    const alter = parseMigration('0002_alter.sql', '-- schema: worlds\nalter table notes add column word text;')
    const done = migrate({ url, migrations: [CREATE_NOTES, alter], log })
    // Released only once the migration is waiting, so that the wait really happens.
    await expect
      .poll(() =>
        query(
          url,
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
              and application_name = 'portico migrate'`,
        ),
      )
      .not.toHaveLength(0)
    await holder.end()
    expect(await done).toEqual({ applied: 1 })
  })

  test('without the right to create roles migrate() continues, and logs that only schemas separate the worlds', async () => {
    const url = await emptyDatabase()
    const name = `plain_${process.pid}`
    await query(url, `create role ${name} login password 'plain'`)
    try {
      await query(url, `grant all on database ${/\/(t_\w+)/.exec(url)?.[1]} to ${name}`)
      const messages: string[] = []
      const asPlain = url.replace(/\/\/[^@]*@/, `//${name}:plain@`)
      await migrate({ url: asPlain, migrations: [CREATE_NOTES], log: (message) => messages.push(message) })
      expect(messages.join()).toContain('may not create roles')
    } finally {
      await query(url, `drop owned by ${name} cascade; drop role ${name}`)
    }
  })
})
