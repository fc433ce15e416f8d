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

describe('every statement of every store', () => {
  test('prepares against the migrated schema, in each world it can run in', async () => {
    const statements = allStatements()
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

  test('names its columns: a new column breaks prepared plans of "select *" on nodes that still run', () => {
    const starred = allStatements().filter(({ text }) => /\bselect\s+(\w+\.)?\*|\breturning\s+(\w+\.)?\*/i.test(text))
    expect(starred.map(({ name }) => name)).toEqual([])
  })

  test('on the platform handle names its schema, because no search_path leads to a world there', () => {
    const bare = allStatements().filter(
      ({ home, text }) =>
        home === 'platform' &&
        /\b(from|join|into|update)\s+(?!lateral\b|\(|platform\.|test\.|live\.|pg_)[a-z_]+\b/i.test(text),
    )
    expect(bare.map(({ name }) => name)).toEqual([])
  })
})
