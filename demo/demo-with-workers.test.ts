import { expireDueSessions } from '@portico/server/hosted/sessions/index.ts'
import { applyFact, factRules } from '@portico/server/intake/facts/index.ts'
import { newId } from '@portico/server/kernel/ids.ts'
import type { WorldDatabase } from '@portico/server/system/postgres/database.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../server/test/support/database.ts'
import { FACT_SETTINGS } from '../server/test/support/fact-settings.ts'
import { applyDemo } from './apply-demo.ts'
import { demoWorld } from './demo-world.ts'
import { ensureDemoWorld } from './index.ts'

const CREATED_MS = Date.now() - 60_000
const rules = factRules(FACT_SETTINGS)

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

const statuses = async (table: string) =>
  (await db.sql<{ status: string }>(`select distinct status from test.${table} order by 1`)).map(({ status }) => status)

describe('the demo in a database with running workers', () => {
  test('applies every fact, although a worker looks for sessions to expire after each transaction', async () => {
    const world = db.databases.test
    let expired = 0
    const withWorkers: WorldDatabase = {
      ...world,
      transaction: async (work) => {
        const result = await world.transaction(work)
        expired += await world.transaction((tx) => expireDueSessions(tx, 50))
        return result
      },
    }
    const { applied } = await applyDemo(withWorkers, rules, { nowMs: CREATED_MS })
    expect(applied).toBe(demoWorld(CREATED_MS).facts.length)
    expect(expired).toBe(0)
    const endStatuses = ['canceled', 'expired', 'rejected']
    expect((await statuses('join_sessions')).filter((status) => endStatuses.includes(status))).toEqual(endStatuses)
    expect(await statuses('investment_sessions')).toContain('expired')
  })
})

describe('a demo that cannot be applied', () => {
  test('fails every start with an error that names the fact, and the remedy --reset', async () => {
    const conflicting = await testDatabase()
    try {
      const facts = demoWorld(CREATED_MS).facts
      const rejected = facts.find(({ fact }) => fact.type === 'join_session.canceled')
      if (rejected === undefined) throw new Error('no session was canceled')
      // A fact about a person who is not in the demo has used this id already.
      const first = facts[0]?.fact
      const data = { ...first?.data, id: newId('user'), email: 'grace@example.org', username: 'grace-elsewhere' }
      const other = { ...first, id: rejected.fact.id, data }
      expect(await applyFact(conflicting.databases.test, rules, other)).toMatchObject({ status: 'applied' })
      for (let start = 0; start < 2; start++) {
        const parts = { databases: conflicting.databases, rules, nowMs: CREATED_MS }
        await expect(ensureDemoWorld(parts)).rejects.toThrow(
          new RegExp(`^the demo world was rejected at ${rejected.fact.id} .*--reset`),
        )
      }
    } finally {
      await conflicting.close()
    }
  })
})
