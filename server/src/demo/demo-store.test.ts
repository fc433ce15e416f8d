import { afterAll, beforeAll, expect, test } from 'vitest'
import type { WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { withoutWaiting } from './demo-store.ts'

let db: TestDatabase

beforeAll(async () => {
  db = await testDatabase()
})

afterAll(() => db.close())

const SAID_BY = statement<{ source: string }>(
  'probe.who_said_how_to_commit',
  `select source from pg_settings where name = 'synchronous_commit'`,
)

const saidBy = async (queries: WorldQueries) => (await queries.one(SAID_BY)).source

test('a transaction of the demo does not wait for the disk, and the next on that connection does again', async () => {
  const world = db.databases.test
  expect(await withoutWaiting(world).transaction(saidBy)).toBe('session')
  expect(await world.transaction(saidBy)).toBe('command line')
})
