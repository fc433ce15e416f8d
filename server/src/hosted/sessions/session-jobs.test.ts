import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { Tx } from '#system/postgres/database.ts'
import { occasionAt } from '#test/caused-events.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { makeInvestmentSession, makeJoinSession } from '#test/sessions.ts'
import { cancelJoinSession } from './join-session.ts'
import { expireDueSessions } from './session-jobs.ts'
import { readInvestmentSession, readJoinSession } from './store.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())
beforeEach(async () => {
  for (const world of ['test', 'live'] as const) while ((await expire(100, world)) > 0);
})

const run = <T>(work: (tx: Tx) => Promise<T>, world: World = 'test') => db.databases[world].transaction(work)
const expire = (limit: number, world: World = 'test') => run((tx) => expireDueSessions(tx, limit), world)
const PAST = '2026-04-01T00:00:00.000000Z'
const BEFORE = '2026-03-31T00:00:00.000000Z'

describe('expireDueSessions', () => {
  test('expires due sessions; each gets an event with its expires_at as the time and the clock as the cause', async () => {
    const { joining, investing } = await run(async (tx) => ({
      joining: await makeJoinSession(tx, { expiresAt: PAST, status: 'pending_approval' }),
      investing: await makeInvestmentSession(tx, { expiresAt: PAST, status: 'in_progress' }),
    }))
    expect(await expire(10)).toBe(2)
    expect(await readJoinSession(db.databases.test.reads, joining)).toMatchObject({ status: 'expired' })
    const ended = { status: 'expired', ended_at: PAST }
    expect(await readInvestmentSession(db.databases.test.reads, investing)).toMatchObject(ended)
    const events = await db.sql(
      `select name, fact_id, occurred_at = $1::timestamptz as at_its_time from test.events
        where coalesce(join_session_id, investment_session_id) = any($2) and name like '%.expired' order by name`,
      [PAST, [joining, investing]],
    )
    expect(events).toEqual([
      { name: 'investment_session.expired', fact_id: 'clock', at_its_time: true },
      { name: 'join_session.expired', fact_id: 'clock', at_its_time: true },
    ])
  })

  test('skips sessions that are not due, and sessions that have ended', async () => {
    const ended = await run(async (tx) => {
      await makeJoinSession(tx)
      await makeInvestmentSession(tx)
      return makeJoinSession(tx, { expiresAt: PAST })
    })
    await run((tx) => cancelJoinSession(tx, { id: ended }, occasionAt(BEFORE)))
    expect(await expire(10)).toBe(0)
    expect(await readJoinSession(db.databases.test.reads, ended)).toMatchObject({ status: 'canceled' })
  })

  test('works in batches of at most the limit until no session is due', async () => {
    await run(async (tx) => {
      for (let count = 0; count < 3; count++) await makeJoinSession(tx, { expiresAt: PAST })
      for (let count = 0; count < 2; count++) await makeInvestmentSession(tx, { expiresAt: PAST })
    })
    expect([await expire(2), await expire(2), await expire(2), await expire(2)]).toEqual([2, 2, 1, 0])
  })

  test('uses world time, not wall time', async () => {
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString()
    const id = await run((tx) => makeJoinSession(tx, { expiresAt }))
    await run((tx) => makeJoinSession(tx, { expiresAt }), 'live')
    expect(await expire(10)).toBe(0)
    await db.sql(`update test.world_clock set ahead = interval '2 days'`)
    expect([await expire(10), await expire(10, 'live')]).toEqual([1, 0])
    expect(await readJoinSession(db.databases.test.reads, id)).toMatchObject({ status: 'expired' })
  })

  test('with several concurrent workers, each session is expired by only one of them', async () => {
    await run(async (tx) => {
      for (let count = 0; count < 20; count++) await makeJoinSession(tx, { expiresAt: PAST })
    })
    const counts = await Promise.all(Array.from({ length: 5 }, () => expire(20)))
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(20)
  })

  test('skips a session that another transaction has locked, without waiting for the lock', async () => {
    const id = await run((tx) => makeJoinSession(tx, { id: newId('joinSession'), expiresAt: PAST }))
    await run(async (tx) => {
      await cancelJoinSession(tx, { id }, occasionAt(BEFORE))
      expect(await expire(10)).toBe(0)
    })
    expect(await readJoinSession(db.databases.test.reads, id)).toMatchObject({ status: 'canceled' })
  })
})
