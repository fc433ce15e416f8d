import { describe, expect, test } from 'vitest'
import { type Facts, readiness } from './health.ts'

const WELL: Facts = {
  migrationsApplied: 7,
  migrationsKnown: 7,
  apiEventLoopMs: 1,
  worker: { eventLoopMs: 2, silentMs: 900 },
}

describe('ready', () => {
  test('when the database has the current schema and the workers report', () => {
    expect(readiness(WELL)).toEqual({
      status: 'ready',
      checks: { database: 'ok', migrations: 'ok', workers: 'ok' },
      lag: { api_event_loop_ms: 1, worker_event_loop_ms: 2 },
    })
  })

  test('when the process has no workers, because its role is api', () => {
    expect(readiness({ ...WELL, worker: null })).toMatchObject({ status: 'ready', checks: { workers: 'elsewhere' } })
  })
})

describe('still ready', () => {
  test('when a newer version has already migrated, as during a rolling upgrade', () => {
    expect(readiness({ ...WELL, migrationsApplied: 8 })).toMatchObject({
      status: 'ready',
      checks: { migrations: 'ahead' },
    })
  })
})

describe('not ready', () => {
  test.each([
    ['the database does not answer', { migrationsApplied: null }, { database: 'unreachable', migrations: 'unknown' }],
    ['the schema is older than the code', { migrationsApplied: 6 }, { migrations: 'behind' }],
    ['the worker thread hangs', { worker: { eventLoopMs: 0, silentMs: 10_001 } }, { workers: 'silent' }],
  ])('when %s', (_, change, checks) => {
    expect(readiness({ ...WELL, ...change })).toMatchObject({ status: 'not_ready', checks })
  })
})
