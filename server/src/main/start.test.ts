import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openLog } from '#system/log.ts'
import { testDatabase } from '#test/database.ts'
import { parseConfig } from './config.ts'
import { start } from './start.ts'

test('a start with the demo ends when the ledger has published all of its investments; the schemas of all routes compile', {
  timeout: 120_000,
}, async () => {
  const db = await testDatabase()
  const dataDirectory = await mkdtemp(join(tmpdir(), 'portico-start-'))
  onTestFinished(async () => {
    await db.close()
    await rm(dataDirectory, { recursive: true, force: true })
  })
  const errors: string[] = []
  const config = parseConfig({
    PORT: '0',
    DATABASE_URL: db.url,
    PORTICO_SECRET: 'x'.repeat(40),
    PORTICO_DEMO: 'on',
    PORTICO_DATA: dataDirectory,
    LOG_LEVEL: 'silent',
  })
  const log = openLog('error', { write: (line: string) => void errors.push(line) })
  const running = await start(config, { role: 'all', reset: false }, { log })
  try {
    const [counts] = await db.sql<{ told: string; published: string; waiting: string }>(
      `select (select count(*) from test.investments) as told, (select count(*) from test.ledger_heads) as published,
              (select count(*) from test.investment_changes) as waiting`,
    )
    expect(counts).toEqual({ told: '2000', published: '2000', waiting: '0' })
    expect(running.demoPeople).toHaveLength(5)
    await running.prepare()
    expect(errors).toEqual([])
  } finally {
    await running.stop()
  }
})
