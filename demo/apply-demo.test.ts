import { applyFact, factRules } from '@portico/server/intake/facts/index.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../server/test/support/database.ts'
import { FACT_SETTINGS } from '../server/test/support/fact-settings.ts'
import { applyDemo } from './apply-demo.ts'
import { demoWorld } from './demo-world.ts'

const NOW_MS = Date.now() - 60_000
const DAY_MS = 86_400_000
const rules = factRules(FACT_SETTINGS)
const { facts } = demoWorld(NOW_MS)

let inWaves: TestDatabase
beforeAll(async () => {
  inWaves = await testDatabase()
})
afterAll(() => inWaves.close())

describe('the demo, applied in waves', () => {
  test('applies every fact, and reports its progress', async () => {
    let share = 0
    const onProgress = (done: number) => {
      expect(done).toBeGreaterThan(share)
      share = done
    }
    const { applied } = await applyDemo(inWaves.databases.test, rules, { nowMs: NOW_MS, onProgress })
    expect([applied, share]).toEqual([facts.length, 1])
  })

  test('applies no fact a second time', async () => {
    expect((await applyDemo(inWaves.databases.test, rules, { nowMs: Date.now() })).applied).toBe(0)
  })

  test('writes nothing to the live world', async () => {
    expect(await inWaves.sql('select 1 from live.users limit 1')).toEqual([])
    expect(await inWaves.sql('select 1 from live.facts limit 1')).toEqual([])
  })
})

describe('an interrupted demo', () => {
  let db: TestDatabase
  beforeAll(async () => {
    db = await testDatabase()
  })
  afterAll(() => db.close())

  test('leaves no facts if an error interrupts it near the end', async () => {
    const killed = new Error('killed')
    const onProgress = (share: number) => {
      if (share > 0.9) throw killed
    }
    await expect(applyDemo(db.databases.test, rules, { nowMs: NOW_MS, onProgress })).rejects.toBe(killed)
    expect(await db.sql('select from test.facts')).toEqual([])
  })

  test('is completed with its original dates if only its first 500 facts had been applied', async () => {
    const appliedBefore = facts.slice(0, 500)
    for (const { fact } of appliedBefore) await applyFact(db.databases.test, rules, fact)
    const { applied } = await applyDemo(db.databases.test, rules, { nowMs: NOW_MS + DAY_MS })
    expect(applied).toBe(facts.length - appliedBefore.length)
    const [last] = await db.sql<{ at: Date }>('select max(occurred_at) as at from test.facts')
    expect(last?.at.toISOString()).toBe(facts.at(-1)?.fact.occurred_at)
  })
})
