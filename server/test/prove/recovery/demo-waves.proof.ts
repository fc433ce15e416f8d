import { afterAll, beforeAll, expect, test } from 'vitest'
import { applyFact, factRules } from '#intake/facts/index.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { FACT_SETTINGS } from '#test/fact-settings.ts'
import { applyDemo } from '../../../../demo/apply-demo.ts'
import { demoWorld } from '../../../../demo/demo-world.ts'

const NOW_MS = Date.now() - 60_000
const rules = factRules(FACT_SETTINGS)
const { facts } = demoWorld(NOW_MS)

let inWaves: TestDatabase
let oneByOne: TestDatabase
beforeAll(async () => {
  inWaves = await testDatabase()
  oneByOne = await testDatabase()
})
afterAll(() => Promise.all([inWaves.close(), oneByOne.close()]))

/** Columns with random values, counters and wall-clock times, which differ in every run. */
const NEVER_THE_SAME: Readonly<Record<string, readonly string[]>> = {
  catalog_changes: ['seq'],
  catalog_revision: ['revision'],
  events: ['id', 'recorded_at'],
  event_queue: ['seq', 'event_id'],
  facts: ['applied_at'],
  investment_changes: ['seq', 'recorded_at'],
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

/** Applies the facts one by one in chronological order, in one transaction, which saves 7,000 commits. */
async function applyOneByOne(db: WorldDatabase): Promise<void> {
  await db.transaction(async (tx) => {
    const inTransaction: WorldDatabase = { ...db, transaction: (work) => work(tx) }
    for (const { fact } of facts) {
      expect((await applyFact(inTransaction, rules, fact)).status, fact.id).toBe('applied')
    }
  })
}

/** The proof applies 7,000 facts one by one. */
const LONG = { timeout: 600_000 }

test(
  'the demo applied in waves leaves the same rows in every table as its facts applied one by one',
  LONG,
  async () => {
    await applyDemo(inWaves.databases.test, rules, { nowMs: NOW_MS })
    await applyOneByOne(oneByOne.databases.test)
    const tables = await inWaves.sql<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'test' order by 1`,
    )
    expect(tables.length).toBeGreaterThan(50)
    for (const { name } of tables) {
      expect((await rowsOf(inWaves, name)) === (await rowsOf(oneByOne, name)), name).toBe(true)
    }
  },
)
