import { type TestDatabase, testDatabase } from '#test/database.ts'

/** Creates a database whose `sql` runs one statement at a time, because many callers share its one connection. */
export async function oneByOneDatabase(): Promise<TestDatabase> {
  const db = await testDatabase()
  let last: Promise<unknown> = Promise.resolve()
  return {
    ...db,
    sql: <Row extends object>(text: string, values?: readonly unknown[]) => {
      const rows = last.then(() => db.sql<Row>(text, values))
      last = rows.catch(() => {})
      return rows
    },
  }
}
