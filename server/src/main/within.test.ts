import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countMigrations } from '#system/postgres/migrate.ts'
import { type TestDatabase, testDatabase } from '../../test/support/database.ts'
import { closeWithin, within, withinOwnTime } from './within.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

const never = new Promise<never>(() => {})

/** Blocks this thread. Timers become due and responses arrive meanwhile, but none of our code runs. */
function stall(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

describe('time in which our own event loop was blocked', () => {
  test('does not make a responding database look silent', async () => {
    const work = withinOwnTime(1_000, countMigrations(database.databases.platform), () => 'silent')
    // The statement is sent before the stall, and PostgreSQL responds during it.
    await new Promise((resolve) => setImmediate(resolve))
    stall(1_500)
    expect(await work).toBeGreaterThan(0)
  })

  test('counts against the limit of within(), which uses only the clock', async () => {
    const work = within(50, never, () => 'late')
    stall(100)
    expect(await work).toBe('late')
  })
})

describe('a database that does not respond', () => {
  test('counts as silent after the limit', async () => {
    expect(await withinOwnTime(120, never, () => 'silent')).toBe('silent')
  })

  test('reports an error without waiting for the limit', async () => {
    await expect(withinOwnTime(60_000, Promise.reject(new Error('refused')), () => 'silent')).rejects.toThrow('refused')
  })
})

describe('closing the app', () => {
  const limits = { requests: 1, records: 1 }

  test('cuts the connections of requests that do not finish, and does not wait for records that are not written', async () => {
    const seen: string[] = []
    const server = { closeAllConnections: () => void seen.push('cut') }
    await closeWithin({ server, close: () => never }, limits, () => void seen.push('late'))
    expect(seen).toEqual(['cut', 'late'])
  })

  test('cuts no connection if all requests finish', async () => {
    const seen: string[] = []
    const server = { closeAllConnections: () => void seen.push('cut') }
    await closeWithin({ server, close: async () => {} }, limits, () => void seen.push('late'))
    expect(seen).toEqual([])
  })
})
