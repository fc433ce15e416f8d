import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeCompany } from '#test/companies.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { makeInvestment } from '#test/investments.ts'
import { publishAll } from '#test/ledger.ts'
import { makeOffering } from '#test/offerings.ts'
import { relocateInPlace } from '#test/relocation.ts'
import { purgeLedger } from './ledger.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

const purge = (limit: number) => db.databases.test.transaction((tx) => purgeLedger(tx, limit))
const count = async (from: string) =>
  (await db.sql<{ n: number }>(`select count(*)::int as n from test.${from}`))[0]?.n ?? -1
const pass = (days: number) => db.sql(`update test.world_clock set ahead = ahead + interval '1 day' * ${days}`)

/** Publishes an investment that then leaves its offering. */
async function move(): Promise<void> {
  const { id, offering } = await db.databases.test.transaction(async (tx) => {
    const company = await makeCompany(tx)
    const there = await makeOffering(tx, { company })
    return { id: await makeInvestment(tx, { offering: await makeOffering(tx, { company }) }), offering: there }
  })
  await publishAll(db.databases.test)
  // A pause, so that each batch has its own time.
  await pass(0.001)
  await db.databases.test.transaction((tx) => relocateInPlace(tx, { id, offering }))
  await publishAll(db.databases.test)
}

test('after 91 days of world time the companies’ departures and all old batches but the newest are deleted; all heads stay', async () => {
  for (let week = 0; week < 3; week++) {
    await move()
    await pass(7)
  }
  expect([await count('ledger_batches'), await count('ledger_departures where not own')]).toEqual([6, 3])
  expect(await purge(10)).toBe(0)
  await pass(91 - 21 + 8)
  await move()
  // The batches of the first two weeks are older than 91 days. The newest of these batches stays, because it has the
  // position for that time.
  expect([await purge(1), await purge(10), await purge(10)]).toEqual([1, 4, 0])
  expect([await count('ledger_batches'), await count('ledger_departures where not own')]).toEqual([5, 2])
  await pass(365)
  while ((await purge(10)) > 0);
  expect([await count('ledger_batches'), await count('ledger_departures where not own')]).toEqual([1, 0])
  expect(await count('ledger_heads')).toBe(4)
  expect(await count('ledger_departures where own')).toBe(4)
})
