import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { applyFact, factRules } from '#intake/facts/index.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { FACT_SETTINGS } from '#test/fact-settings.ts'
import { applyDemo } from './apply-demo.ts'
import { demoWorld } from './demo-world.ts'

const NOW_MS = Date.now() - 60_000
const DAY_MS = 86_400_000
const rules = factRules(FACT_SETTINGS)
const { facts } = demoWorld(NOW_MS)

let inWaves: TestDatabase
let oneByOne: TestDatabase
beforeAll(async () => {
  inWaves = await testDatabase()
  oneByOne = await testDatabase()
})
afterAll(() => Promise.all([inWaves.close(), oneByOne.close()]))

/** What is drawn, counted up or read from the wall clock wherever a row is written. */
const NEVER_THE_SAME: Readonly<Record<string, readonly string[]>> = {
  catalog_changes: ['seq'],
  catalog_revision: ['revision'],
  events: ['id', 'recorded_at'],
  event_queue: ['seq', 'event_id'],
  facts: ['applied_at'],
  investment_changes: ['seq'],
  offerings: ['legacy_id'],
  syndicate_invitations: ['id'],
}

async function rowsOf(db: TestDatabase, table: string): Promise<string> {
  const rows = await db.sql<{ row: string }>(
    `select (to_jsonb(t) - $1::text[])::text as row from test.${table} t order by 1`,
    [NEVER_THE_SAME[table] ?? []],
  )
  return rows.map(({ row }) => row).join('\n')
}

/** In the order in which they happened, each by itself. In one transaction, which spares 7,000 commits. */
async function applyOneByOne(db: WorldDatabase): Promise<void> {
  await db.transaction(async (tx) => {
    const inTransaction: WorldDatabase = { ...db, transaction: (work) => work(tx) }
    for (const { fact } of facts) {
      expect((await applyFact(inTransaction, rules, fact)).status, fact.id).toBe('applied')
    }
  })
}

/** 7,000 facts, one after the other. */
const LONG = { timeout: 180_000 }

describe('the demo, applied in waves', () => {
  test('leaves in every table what its facts leave that are applied one by one', LONG, async () => {
    let share = 0
    const onProgress = (done: number) => {
      expect(done).toBeGreaterThan(share)
      share = done
    }
    const { applied } = await applyDemo(inWaves.databases.test, rules, { nowMs: NOW_MS, onProgress })
    expect([applied, share]).toEqual([facts.length, 1])
    await applyOneByOne(oneByOne.databases.test)
    const tables = await inWaves.sql<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'test' order by 1`,
    )
    expect(tables.length).toBeGreaterThan(50)
    for (const { name } of tables) {
      expect((await rowsOf(inWaves, name)) === (await rowsOf(oneByOne, name)), name).toBe(true)
    }
  })

  test('applies nothing a second time', async () => {
    expect((await applyDemo(inWaves.databases.test, rules, { nowMs: Date.now() })).applied).toBe(0)
  })

  test('leaves nothing in the live world', async () => {
    expect(await inWaves.sql('select 1 from live.users limit 1')).toEqual([])
    expect(await inWaves.sql('select 1 from live.facts limit 1')).toEqual([])
  })
})

describe('a demo that was begun', () => {
  let db: TestDatabase
  beforeAll(async () => {
    db = await testDatabase()
  })
  afterAll(() => db.close())

  test('and killed leaves nothing', async () => {
    const killed = new Error('killed')
    const onProgress = (share: number) => {
      if (share > 0.9) throw killed
    }
    await expect(applyDemo(db.databases.test, rules, { nowMs: NOW_MS, onProgress })).rejects.toBe(killed)
    expect(await db.sql('select from test.facts')).toEqual([])
  })

  test('by a version that applied facts one by one is completed, with the dates it was begun with', async () => {
    const begun = facts.slice(0, 500)
    for (const { fact } of begun) await applyFact(db.databases.test, rules, fact)
    const { applied } = await applyDemo(db.databases.test, rules, { nowMs: NOW_MS + DAY_MS })
    expect(applied).toBe(facts.length - begun.length)
    const [last] = await db.sql<{ at: Date }>('select max(occurred_at) as at from test.facts')
    expect(last?.at.toISOString()).toBe(facts.at(-1)?.fact.occurred_at)
  })
})
