import { describe, expect, test } from 'vitest'
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

  test('of this project can be parsed, and the numbers have no gaps', async () => {
    const migrations = await readMigrations(migrationsDirectory)
    expect(migrations.map(({ number }) => number)).toEqual(migrations.map((_, index) => index + 1))
  })
})
