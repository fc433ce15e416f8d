import { afterAll, beforeAll, expect, test } from 'vitest'
import { constraintError, EXPLAINED_CONSTRAINTS } from '#kernel/constraint-errors.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

test('every constraint that has words exists: a renamed one must not lose them', async () => {
  const known = await db.sql<{ name: string }>(`
    select conname as name from pg_constraint where connamespace::regnamespace::text in ('platform', 'test')
    union select indexname from pg_indexes where schemaname in ('platform', 'test')`)
  const names = new Set(known.map(({ name }) => name))
  expect(EXPLAINED_CONSTRAINTS.filter((name) => !names.has(name))).toEqual([])
})

test('a constraint with words is a 422 that names its field; another is our own bug', () => {
  expect(constraintError('users_email_key')).toMatchObject({
    type: 'validation_error',
    details: { fields: [{ field: 'email', code: 'taken' }] },
  })
  expect(constraintError('investments_status_known')).toBeNull()
})
