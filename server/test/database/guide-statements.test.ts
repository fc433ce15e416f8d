import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '#test/database.ts'

const DOCS = join(import.meta.dirname, '../../../docs')

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

const files = (await readdir(DOCS)).filter((name) => name.endsWith('.md'))
const statements = await Promise.all(
  files.map(async (file) => {
    const text = await readFile(join(DOCS, file), 'utf8')
    return [...text.matchAll(/^```sql[^\n]*\n(.*?)^```$/gms)].flatMap(({ 1: sql = '' }) =>
      sql
        .split(/;\s*$/m)
        .filter((part) => part.trim() !== '')
        .map((part) => [file, part.trim()] as const),
    )
  }),
)

test.each(statements.flat())('a statement for operators in %s fits the schema: %s', async (_file, sql) => {
  await expect(db.sql(sql)).resolves.toBeInstanceOf(Array)
})
