import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { statement } from './statement.ts'
import { newestWrite } from './work-channel.ts'

const TAKE_NUMBER = statement<{ number: string }>('t.take_number', 'select pg_current_xact_id()::text as number')

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

/** Other databases of the server write too, so a test can only show that the text changes, never that it stays the same. */
test('the text of newestWrite changes with a committed write', async () => {
  const before = await newestWrite(db.databases.platform)
  await db.sql(`update test.world_clock set ahead = ahead`)
  expect(await newestWrite(db.databases.platform)).not.toBe(before)
})

test('if a transaction commits after one that began later, its commit changes the text too', async () => {
  const started = Promise.withResolvers<void>()
  const mayEnd = Promise.withResolvers<void>()
  const slow = db.databases.test.transaction(async (tx) => {
    await tx.one(TAKE_NUMBER)
    started.resolve()
    await mayEnd.promise
  })
  await started.promise
  await db.sql(`update live.world_clock set ahead = ahead`)
  const before = (await newestWrite(db.databases.platform)).split(':')
  mayEnd.resolve()
  await slow
  const after = (await newestWrite(db.databases.platform)).split(':')
  // The transaction was in progress at the first read and is not at the second. So the list at the end of the text
  // changes, or the oldest number at the start of the text.
  expect([after[0], after[2]]).not.toEqual([before[0], before[2]])
})
