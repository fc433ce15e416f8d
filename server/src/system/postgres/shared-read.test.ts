import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { sharedRead } from './shared-lookup.ts'
import { shortStatement, statement } from './statement.ts'

const COUNT = shortStatement<{ n: number }>('t.shared_count', 'select n from shared_read_probe')
const RAISE = statement('t.shared_raise', 'update shared_read_probe set n = n + 1')

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
  await db.sql('create table test.shared_read_probe as select 0 as n')
  await db.sql('create table live.shared_read_probe as select 100 as n')
  await db.sql('grant select, update on test.shared_read_probe, live.shared_read_probe to public')
})
afterAll(() => db.close())

function counting() {
  let statements = 0
  const count = sharedRead(async (world) => {
    statements++
    return (await world.short(COUNT))[0]?.n
  })
  return { count, statements: () => statements }
}

test('reads of one turn share one statement per world', async () => {
  const { count, statements } = counting()
  const { test: sandbox, live } = db.databases
  expect(await Promise.all([count(sandbox), count(live), count(sandbox), count(live)])).toEqual([0, 100, 0, 100])
  expect(statements()).toBe(2)
})

test('a later read sees earlier commits', async () => {
  const { count, statements } = counting()
  const { test: sandbox } = db.databases
  const before = count(sandbox)
  await sandbox.transaction((tx) => tx.run(RAISE))
  expect(await count(sandbox)).toBe(1)
  expect([0, 1]).toContain(await before)
  expect(statements()).toBe(2)
})

test('a failure goes to all reads of the turn, and to no later one', async () => {
  let fails = true
  const read = sharedRead(async () => {
    if (fails) throw new Error('down')
    return 'up'
  })
  const outcomes = await Promise.allSettled([read(db.databases.test), read(db.databases.test)])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  fails = false
  await new Promise((resolve) => setImmediate(resolve))
  expect(await read(db.databases.test)).toBe('up')
})
