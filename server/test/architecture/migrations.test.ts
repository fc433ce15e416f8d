import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { migrationsDirectory } from '#main/database-server.ts'
import { migrationProblem } from '../../../scripts/check-migrations.ts'

async function problemOfFiles(files: ReadonlyMap<string, string>): Promise<string | null> {
  const directory = await mkdtemp(join(tmpdir(), 'portico-migrations-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  for (const [name, text] of files) await writeFile(join(directory, name), text)
  return migrationProblem(directory)
}

const EMPTY = '-- schema: worlds\nselect 1;\n'
const problemOf = (...names: readonly string[]) => problemOfFiles(new Map(names.map((name) => [name, EMPTY])))

/** Checks the text as migration 100, because the first migrations are older than the rule. */
const problemOfLater = (text: string) => {
  const earlier = Array.from({ length: 99 }, (_, at) => [`${String(at + 1).padStart(4, '0')}_a.sql`, EMPTY] as const)
  return problemOfFiles(new Map([...earlier, ['0100_later.sql', `-- schema: worlds\n${text}\n`]]))
}

test('the migrations of this project are numbered from 1 without gaps, and lock no table for long', async () => {
  expect(await migrationProblem(migrationsDirectory)).toBeNull()
  expect(await problemOf('0001_a.sql', '0002_b.sql')).toBeNull()
})

test.each([
  ['a gap', ['0001_a.sql', '0003_c.sql'], '0003_c should be number 2'],
  ['a number used twice', ['0001_a.sql', '0002_b.sql', '0002_c.sql'], '0002_c should be number 3'],
  ['a list that does not begin with 1', ['0002_b.sql'], '0002_b should be number 1'],
  ['a name without a number', ['0001_a.sql', 'later.sql'], 'later.sql is not named like'],
])('%s fails the check', async (_, names, problem) => {
  expect(await problemOf(...names)).toContain(problem)
})

test.each([
  'create index notes_at on notes (at);',
  'create unique index notes_at on notes (at);',
  "alter table notes add constraint notes_at_late check (at > '2020-01-01');",
  'alter table notes\n  add column word text,\n  add constraint notes_word check (word is not null);',
  'alter table notes add constraint notes_user foreign key (user_id) references users;',
  'alter table notes add constraint notes_at_key unique (at);',
  'alter table notes alter column at set not null;',
  'alter table notes alter column at type date;',
  'alter table notes add column number bigint generated always as identity;',
])('a later migration may not lock a table while PostgreSQL reads the rows of the table: %s', async (text) => {
  expect(await problemOfLater(text)).toContain('0100_later locks notes while it reads all rows')
  expect(await problemOfLater(`-- few rows: notes\n${text}`)).toBeNull()
  expect(await problemOfLater(`create table notes (id integer);\n${text}`)).toBeNull()
})

test.each([
  '-- no transaction\ncreate index concurrently notes_at on notes (at);',
  "alter table notes\n  add column word text,\n  add constraint notes_word check (word <> '') not valid;",
  'alter table notes add column seen boolean not null default false;',
  'alter table notes validate constraint notes_word;',
  'create function touch() returns void language sql as $$ create index notes_at on notes (at); $$;',
])('a later migration may contain: %s', async (text) => {
  expect(await problemOfLater(text)).toBeNull()
})
