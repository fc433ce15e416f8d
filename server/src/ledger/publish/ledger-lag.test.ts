import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { makeInvestment } from '#test/investments.ts'
import { publishAll } from '#test/ledger.ts'
import { ledgerLag } from './ledger-store.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

const lag = () => ledgerLag(db.databases.test)

test('the lag of the ledger is the age of its oldest change, and 0 once that change is published', async () => {
  expect((await lag()).seconds).toBe(0)
  await db.databases.test.transaction((tx) => makeInvestment(tx))
  await db.sql(`update test.investment_changes set recorded_at = recorded_at - interval '1 hour'`)
  expect((await lag()).seconds).toBeGreaterThanOrEqual(3_600)
  await publishAll(db.databases.test)
  expect(await lag()).toEqual({ seconds: 0, attended: true })
})

test('a change that was set aside does not count, and a ledger without a publisher is unattended', async () => {
  await db.databases.test.transaction((tx) => makeInvestment(tx))
  await db.sql(`update test.investment_changes set recorded_at = now() - interval '1 hour', retry_at = now()`)
  await db.sql(`update test.ledger set publisher_at = now() - interval '2 minutes'`)
  expect(await lag()).toEqual({ seconds: 0, attended: false })
})
