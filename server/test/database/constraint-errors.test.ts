import { afterAll, beforeAll, expect, test } from 'vitest'
import { ApiError } from '#kernel/errors.ts'
import { ConstraintViolation, constraintError, EXPLAINED_CONSTRAINTS, translateError } from '#system/postgres/errors.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

test('every constraint in the table of errors exists, so that a renamed constraint does not lose its error', async () => {
  const known = await db.sql<{ name: string }>(`
    select conname as name from pg_constraint where connamespace::regnamespace::text in ('platform', 'test')
    union select indexname from pg_indexes where schemaname in ('platform', 'test')`)
  const names = new Set(known.map(({ name }) => name))
  expect(EXPLAINED_CONSTRAINTS.filter((name) => !names.has(name))).toEqual([])
})

test('a constraint in the table of errors gives a 422 that names its field, and any other constraint gives no such error', () => {
  expect(constraintError('users_email_key')).toMatchObject({
    type: 'validation_error',
    details: { fields: [{ field: 'email', code: 'taken' }] },
  })
  expect(constraintError('investment_status_known')).toBeNull()
})

/** PostgreSQL checks `$1` before the statement runs, and `($1::bigint)` while the statement runs. */
test.each(['$1', '($1::bigint)'])(
  'a domain that rejects %s causes the same error as a check constraint',
  async (value) => {
    const rejectionOf = async (domain: string) =>
      translateError(await db.sql(`select ${value}::test.${domain}`, [50]).catch((error: unknown) => error))
    expect(await rejectionOf('cents')).toMatchObject({ constraint: 'cents_whole_units', table: null })
    expect(await rejectionOf('cents')).toBeInstanceOf(ConstraintViolation)
    expect(await rejectionOf('investor_total')).toBeInstanceOf(ApiError)
    expect(await rejectionOf('investor_total')).toMatchObject({ details: { fields: [{ code: 'too_large' }] } })
  },
)
