import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { migrationsDirectory } from '#main/database-server.ts'
import { parseMigration, readMigrations, splitStatements } from './migration-files.ts'

describe('a migration file', () => {
  test('names its schema in the first line', () => {
    expect(parseMigration('0001_a.sql', '-- schema: platform\nselect 1').schemas).toEqual(['platform'])
    expect(parseMigration('0001_a.sql', '-- schema: worlds\nselect 1').schemas).toEqual(['test', 'live'])
    expect(() => parseMigration('0001_a.sql', 'select 1')).toThrow('must begin with')
  })

  test('opts out of a transaction in the second line', () => {
    expect(parseMigration('0001_a.sql', '-- schema: worlds\n-- no transaction\nselect 1').transactional).toBe(false)
    expect(parseMigration('0001_a.sql', '-- schema: worlds\nselect 1').transactional).toBe(true)
  })

  test.each(['1_a.sql', '0001-a.sql', '0001_A.sql', '0001_.sql'])('is not named %s', (name) => {
    expect(() => parseMigration(name, '-- schema: platform\n')).toThrow('not named like')
  })

  test('is split at semicolons that end a line; parts without SQL are left out', () => {
    expect(splitStatements('-- why\ncreate index a;\n\n-- only words\n;\ndrop index b;  \n')).toEqual([
      '-- why\ncreate index a',
      'drop index b',
    ])
  })

  const checksumOf = (text: string) => parseMigration('0001_a.sql', text).checksum

  test('has the same checksum after its comments were edited', () => {
    const before = checksumOf('-- schema: worlds\n-- Notes.\ncreate table notes (\n  id integer -- the key\n);\n')
    expect(checksumOf('-- schema: worlds\ncreate table notes (\n  id integer\n);\n\n-- The notes of a person.\n')).toBe(
      before,
    )
  })

  test.each([
    ['a statement', '-- schema: worlds\ncreate table notes (id bigint);'],
    ['the schema', '-- schema: platform\ncreate table notes (id integer);'],
    ['the line about transactions', '-- schema: worlds\n-- no transaction\ncreate table notes (id integer);'],
  ])('has another checksum after %s was edited', (_what, text) => {
    expect(checksumOf(text)).not.toBe(checksumOf('-- schema: worlds\ncreate table notes (id integer);'))
  })

  test('keeps the checksum that databases recorded when comments still counted, until a statement is edited', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'portico-migrations-'))
    onTestFinished(() => rm(directory, { recursive: true }))
    const read = async (text: string) => {
      await writeFile(join(directory, '0001_a.sql'), text)
      return (await readMigrations(directory))[0]?.formerChecksum
    }
    const applied = '-- schema: worlds\n-- An old comment.\nselect 1;\n'
    expect(await read(applied)).toBeUndefined()
    const former = createHash('sha256').update(applied).digest('hex')
    await writeFile(join(directory, 'former-checksums.json'), JSON.stringify({ [checksumOf(applied)]: former }))
    expect(await read('-- schema: worlds\n-- A new comment.\nselect 1;\n')).toBe(former)
    expect(await read('-- schema: worlds\n-- An old comment.\nselect 2;\n')).toBeUndefined()
  })

  test('of this project has a former checksum if its number is 92 or lower, and no later one has', async () => {
    const migrations = await readMigrations(migrationsDirectory)
    const known = migrations.filter(({ formerChecksum }) => formerChecksum !== undefined)
    expect(known.map(({ number }) => number)).toEqual(Array.from({ length: 92 }, (_, at) => at + 1))
  })

  test('of this project can be parsed, and the numbers have no gaps', async () => {
    const migrations = await readMigrations(migrationsDirectory)
    expect(migrations.map(({ number }) => number)).toEqual(migrations.map((_, index) => index + 1))
  })
})
