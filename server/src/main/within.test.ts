import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/support/database.ts'
import { countMigrations } from './health-store.ts'
import { within, withinOwnTime } from './within.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

const never = new Promise<never>(() => {})

/** Blocks this thread: timers fall due and answers arrive, and nothing of ours runs. */
function stall(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

describe('time in which our own event loop stood still', () => {
  test('does not make a database that answers look silent', async () => {
    const asked = withinOwnTime(1_000, countMigrations(database.databases.platform), () => 'silent')
    // The statement leaves before the stall, and PostgreSQL answers during it.
    await new Promise((resolve) => setImmediate(resolve))
    stall(1_500)
    expect(await asked).toBeGreaterThan(0)
  })

  test('counts where only our own clock is asked', async () => {
    const asked = within(50, never, () => 'late')
    stall(100)
    expect(await asked).toBe('late')
  })
})

describe('a database that does not answer', () => {
  test('is silent after the time it has', async () => {
    expect(await withinOwnTime(120, never, () => 'silent')).toBe('silent')
  })

  test('and says so is not waited for', async () => {
    await expect(withinOwnTime(60_000, Promise.reject(new Error('refused')), () => 'silent')).rejects.toThrow('refused')
  })
})
