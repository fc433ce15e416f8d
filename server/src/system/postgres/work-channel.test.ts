import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { announceWork, listenForWork } from './work-channel.ts'

let db: TestDatabase
let other: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
  other = await testDatabase()
})
afterAll(() => Promise.all([db.close(), other.close()]))

const LISTENERS = `select pid from pg_stat_activity where datname = current_database() and query = 'listen portico_work'`

let wakeUps: number
let warnings: string[]
beforeEach(() => {
  wakeUps = 0
  warnings = []
})

/** Opens a listener. It calls `onWork` once as soon as it listens, so the counter begins with 1 for each listener. */
async function listening(url = db.url) {
  const listener = listenForWork({
    url,
    onWork: () => {
      wakeUps += 1
    },
    log: { warn: (message: unknown) => warnings.push(String(message)) },
  })
  onTestFinished(() => listener.close())
  return listener
}

test('a signal reaches every listener of its database, and no listener of another database', async () => {
  await listening()
  await listening()
  await expect.poll(() => wakeUps).toBe(2)
  announceWork(other.databases.platform)
  announceWork(db.databases.platform)
  await expect.poll(() => wakeUps).toBe(4)
})

test('a listener whose connection is lost opens a new one, and then polls for work, because it may have missed a signal', async () => {
  await listening()
  await expect.poll(() => wakeUps).toBe(1)
  await db.sql(`select pg_terminate_backend(pid) from (${LISTENERS}) as listeners`)
  await expect.poll(() => wakeUps).toBe(2)
  announceWork(db.databases.platform)
  await expect.poll(() => wakeUps).toBe(3)
})

test('a listener without a database logs warnings and tries again', async () => {
  await listening(db.url.replace(/t_[0-9a-f]+/, 't_missing'))
  await expect.poll(() => warnings.length).toBeGreaterThanOrEqual(2)
  expect(warnings[0]).toContain('polling finds the work')
  expect(wakeUps).toBe(0)
})

test('a listener that is closed leaves no connection, even if it was still connecting', async () => {
  const listener = await listening()
  await listener.close()
  expect(await db.sql(LISTENERS)).toEqual([])
})

test('announcing work does not throw when the database is closed', async () => {
  const closed = await testDatabase()
  await closed.close()
  expect(() => announceWork(closed.databases.platform)).not.toThrow()
})
