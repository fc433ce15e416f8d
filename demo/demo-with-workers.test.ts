import { expireDueSessions } from '@portico/server/hosted/sessions/index.ts'
import { applyFact, factRules } from '@portico/server/intake/facts/index.ts'
import type { WorldDatabase } from '@portico/server/system/postgres/database.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../server/test/support/database.ts'
import { FACT_SETTINGS } from '../server/test/support/fact-settings.ts'
import { applyDemo } from './apply-demo.ts'
import { demoWorld } from './demo-world.ts'
import { ensureDemoWorld } from './index.ts'

const MADE_MS = Date.now() - 60_000
const rules = factRules(FACT_SETTINGS)

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

const statuses = async (table: string) =>
  (await db.sql<{ status: string }>(`select distinct status from test.${table} order by 1`)).map(({ status }) => status)

describe('the demo on a database with running workers', () => {
  test('every fact is applied, although workers expire sessions after each transaction', async () => {
    const whole = db.databases.test
    let expired = 0
    const withWorkers: WorldDatabase = {
      ...whole,
      transaction: async (work) => {
        const done = await whole.transaction(work)
        expired += await whole.transaction((tx) => expireDueSessions(tx, 50))
        return done
      },
    }
    const { applied } = await applyDemo(withWorkers, rules, { nowMs: MADE_MS })
    expect(applied).toBe(demoWorld(MADE_MS).facts.length)
    expect(expired).toBe(0)
    const ends = ['canceled', 'expired', 'rejected']
    expect((await statuses('join_sessions')).filter((status) => ends.includes(status))).toEqual(ends)
    expect(await statuses('investment_sessions')).toContain('expired')
  })
})

describe('a demo that cannot be applied', () => {
  test('ends this start and the next with an error that names the fact, until the demo is created again', async () => {
    const spoilt = await testDatabase()
    try {
      const facts = demoWorld(MADE_MS).facts
      const refused = facts.find(({ fact }) => fact.type === 'join_session.canceled')
      if (refused === undefined) throw new Error('no session was canceled')
      // Its id was used for another fact.
      const other = { ...facts[0]?.fact, id: refused.fact.id }
      expect(await applyFact(spoilt.databases.test, rules, other)).toMatchObject({ status: 'applied' })
      for (let start = 0; start < 2; start++) {
        const parts = { databases: spoilt.databases, rules, nowMs: MADE_MS }
        await expect(ensureDemoWorld(parts)).rejects.toThrow(/^the demo world was rejected at .*--reset/)
      }
    } finally {
      await spoilt.close()
    }
  })
})
