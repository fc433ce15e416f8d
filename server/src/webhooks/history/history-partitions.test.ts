import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { HISTORY_DAYS, purgeStrays, turnHistory } from './retention.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

const turn = () => db.databases.platform.transaction((tx) => turnHistory(tx, 'test'))
const purge = (limit = 100) => db.databases.test.transaction((tx) => purgeStrays(tx, limit))
const advance = (interval: string) => db.sql('update test.world_clock set ahead = ahead + $1::interval', [interval])

/** Inserts a delivery that ended now, and returns its partition. */
async function ended(): Promise<string> {
  const [row] = await db.sql<{ place: string }>(
    `insert into test.delivery_history (id, endpoint_id, event_id, api_version, state, created_at, ended_at)
     values ($1, $2, $3, '2026-11-01', 'delivered', now(), test.world_now()) returning tableoid::regclass::text as place`,
    [newId('delivery'), newId('webhookEndpoint'), newId('event')],
  )
  return row?.place ?? ''
}

const count = async () => (await db.sql('select id from test.delivery_history')).length

test('the history is stored for 30 days of world time, in weekly partitions that are created in advance and dropped whole', async () => {
  expect(HISTORY_DAYS).toBe(30)
  expect(await turn()).toBeGreaterThan(0)
  expect(await turn()).toBe(0)
  expect(await ended()).toMatch(/delivery_history_\d{8}$/)
  await advance('14 days')
  expect(await ended()).toMatch(/delivery_history_\d{8}$/)
  await turn()
  await advance('15 days')
  await turn()
  expect(await count()).toBe(2)
  // A weekly partition is dropped once its last day is 30 days ago.
  await advance('9 days')
  await turn()
  expect(await count()).toBe(1)
})

test('three workers at the same time create each partition once', async () => {
  await advance('21 days')
  const turned = await Promise.all([turn(), turn(), turn()])
  expect(turned.filter((each) => each > 0)).toHaveLength(1)
})

test('deliveries outside of the weekly partitions (after a jump of the clock) are purged by age, in batches', async () => {
  await advance('365 days')
  for (let made = 0; made < 3; made += 1) expect(await ended()).toMatch(/delivery_history_rest$/)
  expect(await purge()).toBe(0)
  await advance('31 days')
  const fresh = await ended()
  expect(fresh).toMatch(/delivery_history_rest$/)
  expect(await purge(2)).toBe(2)
  expect(await purge(2)).toBe(1)
  expect(await purge(2)).toBe(0)
})
